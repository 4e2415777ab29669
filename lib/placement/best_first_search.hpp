// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "parallel/thread_pool.hpp"
#include "placement/bounded_blocks.hpp"
#include "placement/exact_choice.hpp"

namespace ionwell {

/// Finds the lattice point of lowest energy without looking at most blocks: expands nodes in the order of
/// their bounds, the best first, until none can hold a lower energy than the best point seen. What it finds
/// does not depend on the number of threads.
class BestFirstSearch {
 public:
  /// What is referred to must outlive this object. `blocks` must be prepared.
  BestFirstSearch(const HostStore& store, BoundedBlocks& blocks, ExactChoice& choice, const ExactTerms& terms,
                  bool refine, SimdLevel simd, ThreadPool& pool, int threads);

  /// To be called when points near `centre_A` were taken away and no charge came.
  void take_points_away(Vec3<double> centre_A, double distance_A);

  /// To be called when all blocks' values contain all ions.
  void recompute_nodes();

  /// The point where charge_e times the potential is lowest; empty when no point is available.
  std::optional<LowestPoint> lowest_energy_point(double charge_e);

  /// Times a block was brought up to date so far.
  std::int64_t blocks_updated() const { return blocks_updated_; }

 private:
  /// The lowest available point of a block, when a search expanded it.
  struct LowPoint {
    std::size_t slot = 0;
    int point = 0;
    std::uint32_t search = 0;
    std::size_t ions = 0;  // that the potential contains
    double potential_kT_e = 0.0, error_kT_e = 0.0;
  };

  /// What became of a node in a round of a search.
  struct Expansion {
    std::size_t node = 0;
    double bound_kT = 0.0;  // of what is left in the node
    double upper_kT = 0.0;  // an available point with at most this exact energy was seen
    int blocks_updated = 0;
    std::optional<Bounds> inflated;  // of the whole node, with all ions
    std::vector<Candidate> candidates;
    std::vector<LowPoint> low_points;
  };

  void inflate_nodes();
  void set_node(std::size_t node, const Bounds& bounds);
  void choose_nodes(int round, double upper_kT);
  double upper_of_low_points_kT(double charge_e);
  std::size_t best_block(std::size_t node, double charge_e) const;
  LowPoint collect(std::size_t slot, double charge_e, double upper_kT,
                   std::vector<Candidate>& candidates) const;
  bool is_near_degenerate(std::size_t node, std::size_t slot, double charge_e, double upper_kT) const;
  void expand(Expansion& expansion, int most_blocks, double charge_e, double upper_kT);
  std::vector<Candidate> search(double charge_e);
  void thin_out(double charge_e, std::vector<Candidate>& candidates, double& upper_kT);
  std::optional<LowestPoint> first_available() const;

  const HostStore& store_;
  BoundedBlocks& blocks_;
  ExactChoice& choice_;
  ExactTerms terms_;
  bool refine_;
  ThreadPool& pool_;
  int threads_;
  CubeBounds node_bounds_;
  std::size_t ions_in_nodes_ = 0;  // ions that all of node_bounds_ contain
  std::vector<std::uint32_t>
      node_ions_;                      // by node: ions that its blocks' bounds contain; not fewer than values
  std::vector<double> left_kT_;        // by node: bound of what this search has not expanded
  std::vector<Expansion> expansions_;  // of this round, and room for more
  std::size_t chosen_ = 0;             // of them in this round
  std::vector<LowPoint> low_points_;   // of all searches, the lowest ones
  std::vector<std::uint32_t> expanded_;  // by slot: the last search that expanded it
  std::uint32_t searches_ = 0;
  std::int64_t blocks_updated_ = 0;
};

}  // namespace ionwell
