#include "placement/scattered/scattered_points.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "core/cell_grid.hpp"

namespace ionwell {
namespace {

/// Points of a group: few make tight bounds, many few groups. Measured on 300,000 waters and 200 ions, 16 to
/// 64 differ by a tenth.
constexpr std::size_t group_points = 32;

/// Spreads the bits of a number of 21 bits to every third.
std::uint64_t every_third_bit(std::uint64_t bits) {
  bits = (bits | bits << 32) & 0x001f00000000ffff;
  bits = (bits | bits << 16) & 0x001f0000ff0000ff;
  bits = (bits | bits << 8) & 0x100f00f00f00f00f;
  bits = (bits | bits << 4) & 0x10c30c30c30c30c3;
  return (bits | bits << 2) & 0x1249249249249249;
}

/// Where a position is along a curve that stays near itself (Morton order), in steps of 1/2^21 of the box.
std::uint64_t place_on_curve(const Vec3<double>& position_A, const Box& box) {
  const auto along = [](double x, double from, double to) {
    constexpr double steps = (1 << 21) - 1;
    return to > from ? every_third_bit(std::uint64_t(steps * (x - from) / (to - from))) : std::uint64_t{0};
  };
  const auto& [low, high] = box;
  return along(position_A.x, low.x, high.x) | along(position_A.y, low.y, high.y) << 1 |
         along(position_A.z, low.z, high.z) << 2;
}

Box box_around(std::span<const Vec3<double>> positions_A) {
  Box box{positions_A.front(), positions_A.front()};
  for (const Vec3<double>& p : positions_A) {
    box.lowest_A = {std::min(box.lowest_A.x, p.x), std::min(box.lowest_A.y, p.y),
                    std::min(box.lowest_A.z, p.z)};
    box.highest_A = {std::max(box.highest_A.x, p.x), std::max(box.highest_A.y, p.y),
                     std::max(box.highest_A.z, p.z)};
  }
  return box;
}

/// A cube, so that groups have no preferred direction.
Box cube_around(const Box& box) {
  const Vec3<double> extent = box.highest_A - box.lowest_A;
  const double edge = std::max({extent.x, extent.y, extent.z});
  return {box.lowest_A, box.lowest_A + Vec3<double>{edge, edge, edge}};
}

}  // namespace

ScatteredPoints::ScatteredPoints(std::vector<Vec3<double>> positions_A, std::vector<double> potential_kT_e,
                                 std::vector<std::uint8_t> available, const IonAction& action,
                                 double tie_kT_e)
    : positions_A_(std::move(positions_A)),
      potential_kT_e_(std::move(potential_kT_e)),
      available_(std::move(available)),
      action_(action),
      tie_kT_e_(tie_kT_e),
      group_of_(positions_A_.size()) {
  if (!positions_A_.empty()) make_groups();
}

void ScatteredPoints::make_groups() {
  const Box cube = cube_around(box_around(positions_A_));
  std::vector<std::pair<std::uint64_t, std::uint32_t>> on_curve(positions_A_.size());
  for (std::size_t i = 0; i < on_curve.size(); ++i)
    on_curve[i] = {place_on_curve(positions_A_[i], cube), std::uint32_t(i)};
  std::sort(on_curve.begin(), on_curve.end());
  for (const auto& [place, point] : on_curve) order_.push_back(point);

  for (std::size_t first = 0; first < order_.size(); first += group_points) {
    Group& group = groups_.emplace_back();
    group.first = std::uint32_t(first);
    group.last = std::uint32_t(std::min(order_.size(), first + group_points));
    std::vector<Vec3<double>> of_group;
    for (std::uint32_t at = group.first; at < group.last; ++at) {
      const std::uint32_t point = order_[at];
      of_group.push_back(positions_A_[point]);
      group_of_[point] = std::uint32_t(groups_.size() - 1);
      group.available += available_[point] != 0;
    }
    const Box box = box_around(of_group);
    group.centre_A = 0.5 * (box.lowest_A + box.highest_A);
    double radius_A2 = 0.0;
    for (const Vec3<double>& p : of_group)
      radius_A2 = std::max(radius_A2, distance_squared(p, group.centre_A));
    constexpr double rounding = 1e-12;
    group.radius_A = std::sqrt(radius_A2) * (1 + rounding);
    available_count_ += group.available;
    bound(group);
  }
}

/// Of values that contain all charges.
void ScatteredPoints::bound(Group& group) const {
  group.lowest_kT_e = std::numeric_limits<double>::infinity();
  group.highest_kT_e = -group.lowest_kT_e;
  for (std::uint32_t at = group.first; at < group.last; ++at) {
    const std::uint32_t point = order_[at];
    if (!available_[point]) continue;
    group.lowest_kT_e = std::min(group.lowest_kT_e, potential_kT_e_[point]);
    group.highest_kT_e = std::max(group.highest_kT_e, potential_kT_e_[point]);
  }
}

void ScatteredPoints::update(Group& group) {
  if (group.charges == charges_.size()) return;
  for (std::uint32_t at = group.first; at < group.last; ++at) {
    const std::uint32_t point = order_[at];
    for (std::size_t n = group.charges; n < charges_.size(); ++n)
      potential_kT_e_[point] +=
          charges_[n].charge_e * action_.at(positions_A_[point] - charges_[n].position_A);
  }
  group.charges = group.bounded = std::uint32_t(charges_.size());
  bound(group);
  ++groups_updated_;
}

/// Takes the charges into the bounds that they lack.
void ScatteredPoints::inflate(Group& group) const {
  for (; group.bounded < charges_.size(); ++group.bounded) {
    const PointCharge& charge = charges_[group.bounded];
    const IonAction::Range range = action_.over_ball(group.centre_A - charge.position_A, group.radius_A);
    const double low = charge.charge_e * (charge.charge_e > 0.0 ? range.lowest : range.highest),
                 high = charge.charge_e * (charge.charge_e > 0.0 ? range.highest : range.lowest);
    constexpr double rounding = 1e-14;  // of a few operations, relative
    group.lowest_kT_e += low - rounding * (std::abs(low) + std::abs(group.lowest_kT_e));
    group.highest_kT_e += high + rounding * (std::abs(high) + std::abs(group.highest_kT_e));
  }
}

double ScatteredPoints::potential_kT_e(std::size_t point) const {
  double sum = potential_kT_e_[point];
  for (std::size_t n = groups_[group_of_[point]].charges; n < charges_.size(); ++n)
    sum += charges_[n].charge_e * action_.at(positions_A_[point] - charges_[n].position_A);
  return sum;
}

std::optional<std::size_t> ScatteredPoints::lowest_energy_point(double charge_e) {
  const auto bound_kT = [charge_e](const Group& group) {
    return charge_e > 0.0 ? charge_e * group.lowest_kT_e : charge_e * group.highest_kT_e;
  };
  const double tie_kT = tie_kT_e_ * std::abs(charge_e);
  using Entry = std::pair<double, std::uint32_t>;  // a bound and its group, the lowest on top
  std::vector<Entry> heap;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    if (groups_[g].available == 0) continue;
    inflate(groups_[g]);
    heap.emplace_back(bound_kT(groups_[g]), std::uint32_t(g));
  }
  std::make_heap(heap.begin(), heap.end(), std::greater<>());

  double lowest_kT = std::numeric_limits<double>::infinity();
  std::vector<std::pair<double, std::uint32_t>> low_points;  // energies and points, as they were found
  while (!heap.empty() && heap.front().first <= lowest_kT + tie_kT) {
    std::pop_heap(heap.begin(), heap.end(), std::greater<>());
    Group& group = groups_[heap.back().second];
    heap.pop_back();
    update(group);
    for (std::uint32_t at = group.first; at < group.last; ++at) {
      const std::uint32_t point = order_[at];
      const double energy_kT = charge_e * potential_kT_e_[point];
      if (!available_[point] || energy_kT > lowest_kT + tie_kT) continue;
      lowest_kT = std::min(lowest_kT, energy_kT);
      low_points.emplace_back(energy_kT, point);
    }
  }
  std::optional<std::size_t> best;
  for (const auto& [energy_kT, point] : low_points)
    if (energy_kT <= lowest_kT + tie_kT && (!best || point < *best)) best = point;
  return best;
}

void ScatteredPoints::remove(Group& group, std::size_t point) {
  if (!available_[point]) return;
  available_[point] = 0;
  --group.available;
  --available_count_;
}

void ScatteredPoints::take_away(std::size_t point) {
  remove(groups_[group_of_[point]], point);
}

void ScatteredPoints::add_ion(std::span<const PointCharge> charges, double limit_A2) {
  const Vec3<double> centre_A = charges.front().position_A;
  const double limit_A = std::sqrt(limit_A2);
  charges_.insert(charges_.end(), charges.begin(), charges.end());
  for (Group& group : groups_) {
    if (group.available == 0) continue;
    const Vec3<double> to_centre = action_.shortest(group.centre_A - centre_A);
    const double near_A = limit_A + group.radius_A;
    if (dot(to_centre, to_centre) <= near_A * near_A)
      for (std::uint32_t at = group.first; at < group.last; ++at) {
        const Vec3<double> d = action_.shortest(positions_A_[order_[at]] - centre_A);
        if (dot(d, d) <= limit_A2) remove(group, order_[at]);
      }
  }
}

}  // namespace ionwell
