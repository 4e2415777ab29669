// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/multilevel/error_samples.hpp"

#include <algorithm>
#include <cstdint>
#include <random>

#include "core/block.hpp"

namespace ionwell {

double clearance_A(std::span<const PointCharge> charges, std::span<const Vec3<double>> excluded_centres,
                   double exclusion_A) {
  std::size_t c = 0;
  for (const Vec3<double>& centre : excluded_centres)
    if (c < charges.size() && charges[c].position_A == centre) ++c;
  return c == charges.size() ? exclusion_A : 0.0;
}

std::vector<ErrorSample> error_samples(std::size_t charges, std::span<const std::size_t> beside_solute,
                                       std::span<const std::size_t> all) {
  if (all.empty()) return {};
  if (beside_solute.empty()) beside_solute = all;
  constexpr double pairs = 3e8;  // a fraction of a second on a CPU
  const int count = int(std::clamp(pairs / double(std::max<std::size_t>(charges, 1)), 256.0, 4096.0));
  std::vector<ErrorSample> samples;
  for (int n = 0; n < count; ++n) {
    std::mt19937_64 random(std::uint64_t(n) + 1);
    const std::span<const std::size_t> from = n % 2 == 0 ? beside_solute : all;
    const std::size_t slot = from[random() % from.size()];
    samples.push_back({slot, int(random() % block_points)});
  }
  return samples;
}

}  // namespace ionwell
