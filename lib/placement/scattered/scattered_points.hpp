#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/structure.hpp"
#include "placement/scattered/ion_action.hpp"

namespace ionwell {

/// Points that ions can go to, anywhere in space, with the potential there in double precision. As on a
/// lattice most of them are never looked at: groups of neighbours keep bounds on their potential, and are
/// brought up to date only when they may hold the lowest energy. Nothing is approximate, and the order of the
/// points alone decides between equals.
class ScatteredPoints {
 public:
  /// `potential_kT_e` is the solute's at each point; of `available` 0 is a point that no ion can go to.
  /// Energies within `tie_kT_e` times the charge are equal. `action` must outlive this object. O(points log
  /// points).
  ScatteredPoints(std::vector<Vec3<double>> positions_A, std::vector<double> potential_kT_e,
                  std::vector<std::uint8_t> available, const IonAction& action, double tie_kT_e);

  std::size_t size() const { return positions_A_.size(); }
  const Vec3<double>& position_A(std::size_t point) const { return positions_A_[point]; }
  bool is_available(std::size_t point) const { return available_[point] != 0; }
  std::int64_t available_points() const { return available_count_; }

  /// The available point where charge_e times the potential is lowest, of equal ones the first; empty when
  /// there is none.
  std::optional<std::size_t> lowest_energy_point(double charge_e);

  /// Solute and all ions added so far. O(ions).
  double potential_kT_e(std::size_t point) const;

  /// From now on the charges act, and no point is available within `limit_A2` (squared) of the first of them.
  /// An ion is one charge; what goes with it, such as a water that acted, others. O(groups).
  void add_ion(std::span<const PointCharge> charges, double limit_A2);

  void take_away(std::size_t point);

  /// Groups brought up to date so far.
  std::int64_t groups_updated() const { return groups_updated_; }

 private:
  struct Group {
    std::uint32_t first = 0, last = 0;  // of order_
    std::uint32_t charges = 0;          // that the values of its points contain
    std::uint32_t bounded = 0;          // that the bounds contain
    std::uint32_t available = 0;
    Vec3<double> centre_A;
    double radius_A = 0.0;
    double lowest_kT_e = 0.0, highest_kT_e = 0.0;  // over its available points
  };

  void make_groups();
  void update(Group& group);
  void bound(Group& group) const;
  void inflate(Group& group) const;
  void remove(Group& group, std::size_t point);

  std::vector<Vec3<double>> positions_A_;
  std::vector<double> potential_kT_e_;
  std::vector<std::uint8_t> available_;
  const IonAction& action_;
  double tie_kT_e_;
  std::int64_t available_count_ = 0, groups_updated_ = 0;
  std::vector<std::uint32_t> order_;     // points, group by group
  std::vector<std::uint32_t> group_of_;  // by point
  std::vector<Group> groups_;
  std::vector<PointCharge> charges_;
};

}  // namespace ionwell
