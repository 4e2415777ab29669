// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/charge_table.hpp"

#include <algorithm>

namespace ionwell {
namespace {

constexpr std::size_t cluster = 64;

/// Puts neighbours next to each other, `cluster` together: halves the charges where they extend farthest,
/// again and again.
void gather_neighbours(std::span<PointCharge> charges) {
  if (charges.size() <= cluster) return;
  Vec3<double> lowest = charges.front().position_A, highest = lowest;
  for (const PointCharge& charge : charges) {
    const Vec3<double>& p = charge.position_A;
    lowest = {std::min(lowest.x, p.x), std::min(lowest.y, p.y), std::min(lowest.z, p.z)};
    highest = {std::max(highest.x, p.x), std::max(highest.y, p.y), std::max(highest.z, p.z)};
  }
  const Vec3<double> extent = highest - lowest;
  auto axis = &Vec3<double>::x;
  for (const auto other : {&Vec3<double>::y, &Vec3<double>::z})
    if (extent.*other > extent.*axis) axis = other;
  const std::size_t half = (charges.size() / 2 + cluster - 1) / cluster * cluster;
  std::nth_element(
      charges.begin(), charges.begin() + std::ptrdiff_t(half), charges.end(),
      [&](const PointCharge& a, const PointCharge& b) { return a.position_A.*axis < b.position_A.*axis; });
  gather_neighbours(charges.first(half));
  gather_neighbours(charges.subspan(half));
}

}  // namespace

void ChargeTable::append(std::span<const PointCharge> charges) {
  std::vector<PointCharge> ordered;  // without those that count as zero, so that clusters stay full
  for (const PointCharge& charge : charges)
    if (pair_.prefactor * std::abs(charge.charge_e) >= smallest_potential_kT_e) ordered.push_back(charge);
  gather_neighbours(ordered);
  for (std::size_t first = 0; first < ordered.size(); first += cluster) {
    const auto begin = ordered.begin() + std::ptrdiff_t(first);
    std::partition(begin, begin + std::ptrdiff_t(std::min(cluster, ordered.size() - first)),
                   [](const PointCharge& charge) { return charge.charge_e > 0.0; });
  }
  for (const PointCharge& charge : ordered) {
    x_A_.push_back(charge.position_A.x);
    y_A_.push_back(charge.position_A.y);
    z_A_.push_back(charge.position_A.z);
    charge_e_.push_back(charge.charge_e);
    length_scale_.push_back(length_scale(pair_, charge.charge_e));
    total_size_e_ += std::abs(charge.charge_e);
  }
}

}  // namespace ionwell
