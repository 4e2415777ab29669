// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "parallel/thread_pool.hpp"
#include "placement/at_points/ion_action.hpp"
#include "placement/at_points/point_estimates.hpp"

namespace ionwell {

struct ScatteredOptions {
  double tie_kT_e = 0.0;  // energies within this times the charge are equal
  int threads = 1;
  SimdLevel simd = SimdLevel::automatic;
  EstimatesMaker estimates;  // of a device; none: the host's
};

/// Points that ions can go to, anywhere in space. Estimates of the potential, on the host or on a device,
/// leave few points in the running, and sums in double precision decide among these. So nothing is
/// approximate, and the order of the points alone decides between equals; neither the number of threads nor a
/// device does.
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
  /// there is none. As long as its candidates take (PointEstimates), and 0.5 microseconds for each charge and
  /// candidate where there is more than one.
  std::optional<std::size_t> lowest_energy_point(double charge_e);

  /// Solute and all charges added so far, in double precision. O(charges), or those since it was last summed.
  double potential_kT_e(std::size_t point);

  /// Whether that was a candidate whose potential was summed.
  bool was_summed(std::size_t point) const { return exact_.contains(std::uint32_t(point)); }

  /// Number of charges that act so far.
  std::size_t charges() const { return charges_.size(); }

  /// A point, and a number of charges.
  struct Earlier {
    std::size_t point, charges;
  };

  /// Of solute and the first charges, to the bits that potential_kT_e gives when there are so many.
  std::vector<double> potentials_kT_e(std::span<const Earlier> earlier);

  /// The solute's alone.
  double solute_potential_kT_e(std::size_t point) const { return solute_kT_e_[point]; }

  /// From now on the charges act, and no point is available within `limit_A2` (squared) of the first of them.
  /// An ion is one charge; what goes with it, such as a water that acted, others.
  void add_ion(std::span<const PointCharge> charges, double limit_A2);

  void take_away(std::size_t point);

  /// PointEstimates::groups_updated.
  std::int64_t groups_updated() const { return estimates_->groups_updated(); }

  /// Candidates whose potential was summed in double precision so far.
  std::int64_t exact_sums() const { return exact_sums_; }

  /// Why the host took over from a device; otherwise empty.
  const std::string& note() const { return note_; }

 private:
  /// A sum in double precision, over blocks of charges: the same whenever the point was a candidate before.
  struct ExactSum {
    double whole_kT_e;      // solute and whole blocks
    std::size_t whole;      // charges in these
    double potential_kT_e;  // with the rest
    std::size_t charges;    // and with how many
  };

  /// A point, and its sum as soon as that is needed.
  struct Candidate {
    double least_kT;
    std::uint32_t point;
    ExactSum* sum = nullptr;
  };

  static constexpr std::size_t block_charges = 128;  // that are summed by one thread, one after the other

  ExactSum solute_alone(std::size_t point) const;

  /// The next `size` charges come to a sum, which has `charges` then.
  static void add_block(ExactSum& sum, double block_kT_e, std::size_t size, std::size_t charges);

  EstimatedPoints estimated() const { return {groups_, positions_A_, solute_kT_e_, available_}; }
  void use_host();
  std::vector<Candidate> candidates(double charge_e, double tie_kT);
  double sum_of_charges(std::size_t point, std::size_t first, std::size_t last) const;
  void complete(std::span<Candidate> candidates);

  std::vector<Vec3<double>> positions_A_;
  std::vector<double> solute_kT_e_;
  std::vector<std::uint8_t> available_;
  const IonAction& action_;
  double tie_kT_e_;
  SimdLevel simd_;
  ThreadPool pool_;  // for the short rounds of a search
  PointGroups groups_;
  std::int64_t available_count_ = 0, exact_sums_ = 0;
  std::unique_ptr<PointEstimates> estimates_;
  bool is_on_host_ = false;
  std::string note_;
  std::vector<PointCharge> charges_;
  std::unordered_map<std::uint32_t, ExactSum> exact_;  // of points that were candidates
};

}  // namespace ionwell
