#include "electrostatics/open_sum.hpp"

#include <algorithm>

#include "electrostatics/charge_table.hpp"
#include "electrostatics/simd/direct_kernels.hpp"
#include "parallel/parallel_for.hpp"

namespace ionwell {

std::vector<double> open_potential(const PairPotential& pair, std::span<const PointCharge> charges,
                                   std::span<const Vec3<double>> points_A, const OpenSumOptions& options,
                                   const Progress& progress) {
  const DirectKernels& kernels = direct_kernels(options.simd);
  ChargeTable table(pair);
  table.append(charges);
  std::vector<double> potential_kT_e(points_A.size());
  constexpr std::size_t at_once = 1 << 14;  // points between two calls of `progress`
  for (std::size_t first = 0; first < points_A.size(); first += at_once) {
    if (progress) progress(double(first) / double(points_A.size()));
    parallel_for({options.threads, 64}, std::int64_t(std::min(at_once, points_A.size() - first)),
                 [&](std::int64_t i) {
                   const Vec3<double>& p = points_A[first + std::size_t(i)];
                   const double position_A[3] = {p.x, p.y, p.z};
                   potential_kT_e[first + std::size_t(i)] = kernels.exact(position_A, table.arrays(), pair);
                 });
  }
  return potential_kT_e;
}

}  // namespace ionwell
