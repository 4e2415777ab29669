// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "parallel/thread_pool.hpp"
#include "placement/at_points/ion_action.hpp"

namespace ionwell {

struct ScatteredOptions {
  double tie_kT_e = 0.0;  // energies within this times the charge are equal
  int threads = 1;
  SimdLevel simd = SimdLevel::automatic;
};

/// Points that ions can go to, anywhere in space, in groups of neighbours. Each point has an estimate of its
/// potential and a bound on what that is off by; a group's estimates get all charges that they lack at once
/// (IonAction::add), when the group may hold the lowest energy by what the charges are over the group as a
/// whole (IonAction::linear). Sums in double precision decide among the points whose estimates leave them in
/// the running. So nothing is approximate, and the order of the points alone decides between equals; the
/// number of threads does not.
class ScatteredPoints {
 public:
  /// `potential_kT_e` is the solute's at each point; of `available` 0 is a point that no ion can go to.
  /// `action` must outlive this object. O(points log points).
  ScatteredPoints(std::vector<Vec3<double>> positions_A, std::vector<double> potential_kT_e,
                  std::vector<std::uint8_t> available, const IonAction& action,
                  const ScatteredOptions& options);

  std::size_t size() const { return positions_A_.size(); }
  const Vec3<double>& position_A(std::size_t point) const { return positions_A_[point]; }
  bool is_available(std::size_t point) const { return available_[point] != 0; }
  std::int64_t available_points() const { return available_count_; }

  /// The available point where charge_e times the potential is lowest, of equal ones the first; empty when
  /// there is none. O(groups) for each charge since the last call, 20 nanoseconds each, and 100 for a charge
  /// and a group whose estimates are brought up to date.
  std::optional<std::size_t> lowest_energy_point(double charge_e);

  /// Solute and all charges added so far, in double precision. O(charges), and O(1) for the point that
  /// lowest_energy_point gave last.
  double potential_kT_e(std::size_t point) const;

  /// The solute's alone.
  double solute_potential_kT_e(std::size_t point) const { return solute_kT_e_[point]; }

  /// From now on the charges act, and no point is available within `limit_A2` (squared) of the first of them.
  /// An ion is one charge; what goes with it, such as a water that acted, others.
  void add_ion(std::span<const PointCharge> charges, double limit_A2);

  void take_away(std::size_t point);

  /// Groups that estimates were brought up to date of so far.
  std::int64_t groups_updated() const { return groups_updated_; }

  /// Candidates whose potential was summed in double precision so far.
  std::int64_t exact_sums() const { return exact_sums_; }

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

  /// A sum in double precision, over blocks of charges: the same whenever the point was a candidate before.
  struct ExactSum {
    double whole_kT_e;      // solute and whole blocks
    std::size_t whole;      // charges in these
    double potential_kT_e;  // with the rest
    std::size_t charges;    // and with how many
  };

  struct Candidate {
    double least_kT;  // its energy is not below this
    std::uint32_t point;
    ExactSum* sum = nullptr;
  };

  static constexpr std::size_t block_charges = 128;  // that are summed by one thread, one after the other

  ExactSum solute_alone(std::size_t point) const;

  /// The next `size` charges come to a sum, which has `charges` then.
  static void add_block(ExactSum& sum, double block_kT_e, std::size_t size, std::size_t charges);

  void find_range(std::size_t group);
  void update(std::size_t group);
  void bound(std::size_t group);
  EnergyRange lowest_energy_kT(std::size_t group, double charge_e) const;
  double bring_up_to_date(double charge_e, double tie_kT);
  std::vector<Candidate> candidates(double charge_e, double up_to_kT) const;
  double sum_of_charges(std::size_t point, std::size_t first, std::size_t last) const;
  void complete(std::span<Candidate> candidates);

  std::vector<Vec3<double>> positions_A_;
  std::vector<double> solute_kT_e_;
  std::vector<std::uint8_t> available_;
  const IonAction& action_;
  double tie_kT_e_;
  const GroupKernels& kernels_;
  ThreadPool pool_;  // for the short rounds of a search
  PointGroups groups_;
  std::int64_t available_count_ = 0, groups_updated_ = 0, exact_sums_ = 0;
  std::vector<double> values_kT_e_;  // estimates, by place; no number where no point is available
  std::vector<GroupState> states_;   // by group
  std::vector<PointCharge> charges_;
  std::unordered_map<std::uint32_t, ExactSum> exact_;  // of points that were candidates
};

}  // namespace ionwell
