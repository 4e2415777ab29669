#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>

#include "core/lattice.hpp"
#include "electrostatics/charge_table.hpp"
#include "parallel/thread_pool.hpp"

namespace ionwell {

/// The fp64 potential at single lattice points, which decides where an ion goes. A point that is asked about
/// again costs only the ions placed since: losers of one ion are often candidates for the next.
class ExactPotential {
 public:
  ExactPotential(const LatticeGeometry& lattice, const PairPotential& pair, const BlockKernels& kernels,
                 const ChargeTable& solute, const ChargeTable& ions, ThreadPool& pool)
      : lattice_(lattice), pair_(pair), kernels_(kernels), solute_(solute), ions_(ions), pool_(pool) {}

  /// Sum over all charges and ions [kT/e]; the same whatever the number of threads.
  double at(std::int64_t index);

  /// Sum of the sizes of what `at` adds up [kT/e]; O(charges + ions).
  double magnitude_at(std::int64_t index) const;

  /// No smaller than magnitude_at(index), but for rounding, where no charge is within `clearance_A` and no
  /// ion within `ion_clearance_A` of the point.
  double magnitude_bound(std::int64_t index, double clearance_A, double ion_clearance_A) const;

  /// Whether there is nothing to add up, and all points are the same.
  bool is_zero() const { return solute_.size() == 0 && ions_.size() == 0 && imported_kT_e_.empty(); }

  /// A potential for each lattice point that is added to the sum over the charges; it must outlive this
  /// object.
  void assign(std::span<const double> imported_kT_e) {
    imported_kT_e_ = imported_kT_e;
    forget();
  }

  /// Forgets all sums, because the solute has changed.
  void forget() { known_.clear(); }

  std::int64_t sums() const { return sums_; }

 private:
  struct Known {
    double potential_kT_e = 0.0;
    std::size_t ions = 0;  // how many of them are in it
  };

  double solute_sum(const double* position_A);

  const LatticeGeometry& lattice_;
  const PairPotential& pair_;
  const BlockKernels& kernels_;
  const ChargeTable& solute_;
  const ChargeTable& ions_;
  ThreadPool& pool_;
  std::span<const double> imported_kT_e_;
  std::unordered_map<std::int64_t, Known> known_;
  std::int64_t sums_ = 0;
};

}  // namespace ionwell
