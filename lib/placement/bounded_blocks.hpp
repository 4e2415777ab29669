// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "lattice/host_store.hpp"
#include "placement/cube_bounds.hpp"
#include "placement/exact_terms.hpp"

namespace ionwell {

/// The blocks of a lattice in host memory with what a search must know of each: how far its values are from
/// the exact potential, how many of the ions they contain, and bounds that hold for all ions added to them.
/// Different nodes may be worked on by different threads.
class BoundedBlocks {
 public:
  /// With `refine` bounds are of the exact potential, otherwise of the values.
  BoundedBlocks(HostStore& store, const ExactTerms& terms, bool refine, SimdLevel simd, int threads);

  /// Errors of the values as the source left them, then all bounds; in parallel.
  void prepare();

  /// Largest |value - fp64| at the sample points of a multilevel sum.
  double measured_error_kT_e() const { return measured_error_kT_e_; }

  /// Of the exact potential at a slot's available points.
  Bounds bounds(std::size_t node, std::size_t slot) const {
    return cubes_[first_cube_[node] + (slot - store_.nodes()[node].first)];
  }
  Bounds bounds_of_node(std::size_t node) const;

  /// How many of the placed ions a slot's values contain.
  std::size_t ions_in_values(std::size_t slot) const { return states_[slot].ions; }

  /// |value - exact| at a slot's available points, at most.
  double error_kT_e(std::size_t slot) const { return double(states_[slot].error_kT_e); }

  /// Lets the bounds of a node's blocks feel the ions from `first_ion` on; their values stay.
  void inflate(std::size_t node, std::size_t first_ion);

  /// Adds the ions that a slot's values lack and recomputes its bounds; false when it lacks none.
  bool add_pending_ions(std::size_t slot);

  /// The same for all slots, without bounds: for a map.
  void add_all_ions_to_values();

  /// After points near `centre_A` were taken away and no charge came: recomputes the bounds of blocks of a
  /// node that are there and lack no ion, whether any did.
  bool recompute_bounds_around(std::size_t node, Vec3<double> centre_A, double distance_A);

  /// Whether the values of a slot are a multilevel sum still.
  bool is_multilevel(std::size_t slot) const { return terms_.is_multilevel && !states_[slot].is_direct; }

  /// Replaces a block's multilevel values by direct sums, whose error is far smaller.
  void sum_directly(std::size_t slot);

 private:
  struct State {
    std::size_t cube = 0;     // where its bounds are
    float error_kT_e = 0.0f;  // |value - exact| at its available points
    std::uint32_t ions = 0;   // how many of the placed ions its values contain
    bool is_direct = false;   // summed directly, though the rest of the lattice is a multilevel sum
  };

  void bound_rounding_of_solute();
  void measure_error_of_solute();
  bool add_ions_to_values(std::size_t slot);
  void recompute_bounds(std::size_t slot);

  HostStore& store_;
  ExactTerms terms_;
  bool refine_;
  int threads_;
  const DirectKernels& direct_;
  const BoundKernels& bound_;
  CubeBounds cubes_;
  std::vector<std::size_t> first_cube_;  // by node
  std::vector<State> states_;            // by slot
  double measured_error_kT_e_ = 0.0;
};

}  // namespace ionwell
