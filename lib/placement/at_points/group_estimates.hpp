// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "parallel/thread_pool.hpp"
#include "placement/at_points/ion_action.hpp"
#include "placement/at_points/point_estimates.hpp"

namespace ionwell {

/// The host's estimates, of groups of neighbours: a group's estimates get all charges that they lack at once
/// (IonAction::add), when the group may hold the lowest energy by what the charges are over the group as a
/// whole (IonAction::linear). Candidates take O(groups) for each charge since the last search, 20 nanoseconds
/// each, and 100 for a charge and a group whose estimates are brought up to date.
class GroupEstimates final : public PointEstimates {
 public:
  /// `action` and `pool` must outlive this object, whose short rounds the pool does.
  GroupEstimates(const EstimatedPoints& points, const IonAction& action, SimdLevel simd, ThreadPool& pool);

  void add(std::span<const PointCharge> charges) override;
  void take_away(std::uint32_t point) override;
  std::vector<Candidate> candidates(double charge_e, double tie_kT) override;
  std::int64_t groups_updated() const override { return groups_updated_; }

 private:
  struct GroupState {
    std::uint32_t charges = 0;                     // that its values contain
    std::uint32_t bounded = 0;                     // that `since` contains, or the values
    double error_kT_e = 0.0;                       // bound on that of its values
    double lowest_kT_e = 0.0, highest_kT_e = 0.0;  // of its values at available points
    LinearPotential since;                         // of the charges that the values lack
  };

  /// Between which the lowest energy of a group's available points lies.
  struct EnergyRange {
    double least_kT, most_kT;
  };

  /// Of the groups that are bounded together.
  struct Piece {
    double least_kT = std::numeric_limits<double>::infinity();  // no energy is below this
    std::size_t least = 0;                                      // group that this is of
    double up_to_kT = std::numeric_limits<double>::infinity();  // the lowest energy is not above this
  };

  void find_range(std::size_t group);
  void update(std::size_t group);
  void bound(std::size_t group);
  EnergyRange lowest_energy_kT(std::size_t group, double charge_e) const;
  std::pair<std::size_t, std::size_t> groups_of(std::size_t piece) const;
  void bound_piece(std::size_t number, double charge_e);
  double bring_up_to_date(double charge_e, double tie_kT);
  template <typename Visit>
  void for_each_group(double up_to_kT, const Visit& visit) const;

  std::span<const Vec3<double>> positions_A_;
  const PointGroups& groups_;
  const IonAction& action_;
  const GroupKernels& kernels_;
  ThreadPool& pool_;
  std::int64_t groups_updated_ = 0;
  std::vector<double> values_kT_e_;  // estimates, by place; no number where no point is available
  std::vector<GroupState> states_;   // by group
  std::vector<EnergyRange> ranges_;  // of the present search, by group
  std::vector<Piece> pieces_;
  std::vector<PointCharge> charges_;
};

}  // namespace ionwell
