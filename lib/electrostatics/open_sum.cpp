// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/open_sum.hpp"

#include <algorithm>

#include "electrostatics/charge_table.hpp"
#include "electrostatics/simd/direct_kernels.hpp"
#include "parallel/parallel_for.hpp"

namespace ionwell {

std::vector<double> open_potential(const PairPotential& pair, std::span<const PointCharge> charges,
                                   std::span<const Vec3<double>> points_A, const OpenSumOptions& options,
                                   const Progress& progress) {
  std::vector<double> values_kT_e(points_A.size());
  std::size_t done = 0;
  open_potential(pair, charges, points_A, options, progress, values_kT_e, done);
  return values_kT_e;
}

void open_potential(const PairPotential& pair, std::span<const PointCharge> charges,
                    std::span<const Vec3<double>> points_A, const OpenSumOptions& options,
                    const Progress& progress, std::span<double> values_kT_e, std::size_t& done) {
  const DirectKernels& kernels = direct_kernels(options.simd);
  ChargeTable table(pair);
  table.append(charges);
  constexpr std::size_t at_once = 1 << 14;  // points between two calls of `progress`
  while (done < points_A.size()) {
    if (progress) progress(double(done) / double(points_A.size()));
    const std::size_t count = std::min(at_once, points_A.size() - done);
    parallel_for({options.threads, 64}, std::int64_t(count), [&](std::int64_t i) {
      const Vec3<double>& p = points_A[done + std::size_t(i)];
      const double position_A[3] = {p.x, p.y, p.z};
      values_kT_e[done + std::size_t(i)] = kernels.exact(position_A, table.arrays(), pair);
    });
    done += count;
  }
}

}  // namespace ionwell
