// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/poisson_boltzmann/model/distant_charges.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace ionwell {
namespace {

constexpr double opening =
    0.18;  // largest radius over distance of a group that acts as a whole: its third power is lost
constexpr std::size_t most_alone = 8;  // charges that are not divided further

}  // namespace

DistantCharges::DistantCharges(const PairPotential& pair, std::span<const PointCharge> charges)
    : pair_(pair), charges_(charges.begin(), charges.end()) {
  if (charges_.empty()) return;
  Group all;
  all.last = charges_.size();
  groups_.push_back(all);
  divide(0);
}

void DistantCharges::divide(int number) {
  Group group = groups_[std::size_t(number)];
  const auto begin = charges_.begin();
  Box box{charges_[group.first].position_A, charges_[group.first].position_A};
  for (std::size_t n = group.first; n < group.last; ++n) box = extended(box, charges_[n].position_A);
  group.middle_A = 0.5 * (box.lowest_A + box.highest_A);
  for (std::size_t n = group.first; n < group.last; ++n) {
    const Vec3<double> d = charges_[n].position_A - group.middle_A, qd = charges_[n].charge_e * d;
    group.radius_A = std::max(group.radius_A, std::sqrt(dot(d, d)));
    group.charge_e += charges_[n].charge_e;
    group.dipole_eA = group.dipole_eA + qd;
    group.quadrupole_x_eA2 = group.quadrupole_x_eA2 + qd.x * d;
    group.quadrupole_y_eA2 = group.quadrupole_y_eA2 + qd.y * d;
    group.quadrupole_z_eA2 = group.quadrupole_z_eA2 + qd.z * d;
  }
  if (group.last - group.first > most_alone && group.radius_A > 0.0) {
    // Into eight, by the middle.
    const Vec3<double> middle = group.middle_A;
    const auto octant = [&middle](const PointCharge& charge) {
      const Vec3<double>& p = charge.position_A;
      return (p.x < middle.x ? 0 : 1) + (p.y < middle.y ? 0 : 2) + (p.z < middle.z ? 0 : 4);
    };
    std::stable_sort(begin + std::ptrdiff_t(group.first), begin + std::ptrdiff_t(group.last),
                     [&](const PointCharge& a, const PointCharge& b) { return octant(a) < octant(b); });
    group.first_part = int(groups_.size());
    for (std::size_t first = group.first; first < group.last;) {
      std::size_t last = first;
      while (last < group.last && octant(charges_[last]) == octant(charges_[first])) ++last;
      Group part;
      part.first = first;
      part.last = last;
      groups_.push_back(part);
      first = last;
    }
    group.parts = int(groups_.size()) - group.first_part;
  }
  groups_[std::size_t(number)] = group;
  for (int part = 0; part < group.parts; ++part) divide(group.first_part + part);
}

double DistantCharges::moments_kT_e(const Group& group, const Vec3<double>& away_A,
                                    double distance2_A2) const {
  // G(|R - d|) = G - G' n.d + (G'/r (d.d - (n.d)^2) + G'' (n.d)^2) / 2, n the direction of R, up to third
  // order in d.
  const double r = std::sqrt(distance2_A2);
  const Vec3<double> n = 1.0 / r * away_A;
  const PairPotential::Derivatives g = pair_.derivatives(r);
  const double trace = group.quadrupole_x_eA2.x + group.quadrupole_y_eA2.y + group.quadrupole_z_eA2.z;
  const Vec3<double> row{dot(group.quadrupole_x_eA2, n), dot(group.quadrupole_y_eA2, n),
                         dot(group.quadrupole_z_eA2, n)};
  const double along = dot(row, n);
  return group.charge_e * pair_.at(distance2_A2) - g.slope * dot(group.dipole_eA, n) +
         0.5 * (g.slope / r * (trace - along) + g.curvature * along);
}

double DistantCharges::potential_kT_e(const Vec3<double>& position_A) const {
  double sum = 0.0;
  constexpr std::size_t deepest = 512;  // eight for each of up to 60 divisions, less those taken
  std::array<int, deepest> open;
  std::size_t count = 0;
  if (!groups_.empty()) open[count++] = 0;
  while (count > 0) {
    const Group& group = groups_[std::size_t(open[--count])];
    const Vec3<double> away = position_A - group.middle_A;
    const double distance2 = dot(away, away);
    if (group.radius_A * group.radius_A < opening * opening * distance2) {
      sum += moments_kT_e(group, away, distance2);
    } else if (group.parts > 0 && count + std::size_t(group.parts) <= deepest) {
      for (int part = 0; part < group.parts; ++part) open[count++] = group.first_part + part;
    } else {
      for (std::size_t n = group.first; n < group.last; ++n)
        sum += charges_[n].charge_e * pair_.at(distance_squared(position_A, charges_[n].position_A));
    }
  }
  return sum;
}

}  // namespace ionwell
