// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <unordered_map>

#include "core/lattice.hpp"
#include "parallel/thread_pool.hpp"
#include "placement/exact_terms.hpp"

namespace ionwell {

/// The fp64 potential at single lattice points, which decides where an ion goes. A point that is asked about
/// again costs only the ions placed since: losers of one ion are often candidates for the next.
class ExactPotential {
 public:
  /// What is referred to must outlive this object.
  ExactPotential(const LatticeGeometry& lattice, const ExactTerms& terms, const DirectKernels& kernels,
                 ThreadPool& pool)
      : lattice_(lattice), terms_(terms), kernels_(kernels), pool_(pool) {}

  /// Sum over all charges and ions [kT/e]; the same whatever the number of threads.
  double at(std::int64_t index);

  /// Sum of the sizes of what `at` adds up [kT/e]; O(charges + ions).
  double magnitude_at(std::int64_t index) const;

  /// No smaller than magnitude_at(index), but for rounding, where a point is available.
  double magnitude_bound(std::int64_t index) const;

  /// Whether there is nothing to add up, and all points are the same.
  bool is_zero() const {
    return terms_.solute.size() == 0 && terms_.ions.size() == 0 && terms_.imported_kT_e.empty();
  }

  std::int64_t sums() const { return sums_; }

 private:
  struct Known {
    double potential_kT_e = 0.0;
    std::size_t ions = 0;  // how many of them are in it
  };

  double solute_sum(const double* position_A);

  const LatticeGeometry& lattice_;
  ExactTerms terms_;
  const DirectKernels& kernels_;
  ThreadPool& pool_;
  std::unordered_map<std::int64_t, Known> known_;
  std::int64_t sums_ = 0;
};

}  // namespace ionwell
