// SPDX-License-Identifier: BSD-3-Clause
#include "placement/best_first_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ionwell {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Rounds of a search, the same whatever the number of threads, so that threads change nothing. The first
// expand one block in each of the best nodes, to learn how low the lowest energy is about; then all nodes
// that may be lower are expanded at a time, some blocks of each.
constexpr std::size_t nodes_at_first = 16;
constexpr int rounds_of_the_best = 3;
constexpr std::size_t most_nodes = 256;  // in a round, and
constexpr int most_doublings = 3;  // of the blocks in a round: candidates of flat potentials take memory

}  // namespace

BestFirstSearch::BestFirstSearch(const HostStore& store, BoundedBlocks& blocks, ExactChoice& choice,
                                 const ExactTerms& terms, bool refine, SimdLevel simd, ThreadPool& pool,
                                 int threads)
    : store_(store),
      blocks_(blocks),
      choice_(choice),
      terms_(terms),
      refine_(refine),
      pool_(pool),
      threads_(threads),
      node_bounds_(store.grid().lattice.first_point_A(), store.half_extent_A(node_edge * block_edge),
                   terms.pair, bound_kernels(simd)),
      node_ions_(store.nodes().size()),
      left_kT_(store.nodes().size()),
      expanded_(store.size()) {
  for (const Node& node : store.nodes())
    node_bounds_.add_cube(
        store.grid().lattice.position_A(node.first_point.x, node.first_point.y, node.first_point.z) +
        store.half_extent_A(node_edge * block_edge));
  recompute_nodes();
}

/// Bounds of a node from its blocks' bounds, which contain all ions. Left to the thread that adds ions to all
/// nodes' bounds: lines of memory that two threads write in turn cost more than the work.
void BestFirstSearch::set_node(std::size_t node, const Bounds& bounds) {
  node_bounds_.set(node, {bounds, bounds, {}});
  node_ions_[node] = std::uint32_t(terms_.ions.size());
}

void BestFirstSearch::recompute_nodes() {
  for (std::size_t node = 0; node < node_ions_.size(); ++node) set_node(node, blocks_.bounds_of_node(node));
  ions_in_nodes_ = terms_.ions.size();
}

/// Lets the bounds of all nodes feel the ions that they lack.
void BestFirstSearch::inflate_nodes() {
  if (ions_in_nodes_ == terms_.ions.size()) return;
  constexpr std::size_t together = 256;  // whole vectors of nodes
  const std::size_t nodes = node_ions_.size();
  parallel_for(pool_, (nodes + together - 1) / together, [&](std::size_t n) {
    node_bounds_.add_ions(together * n, std::min(nodes, together * (n + 1)),
                          terms_.ions.arrays(ions_in_nodes_, terms_.ions.size()),
                          terms_.ions.distances_A(ions_in_nodes_));
  });
  ions_in_nodes_ = terms_.ions.size();
}

void BestFirstSearch::take_points_away(Vec3<double> centre_A, double distance_A) {
  inflate_nodes();
  for (std::size_t node = 0; node < node_ions_.size(); ++node)
    if (node_ions_[node] == terms_.ions.size() && blocks_.recompute_bounds_around(node, centre_A, distance_A))
      set_node(node, blocks_.bounds_of_node(node));
}

/// The block of lowest bound that this search has not expanded yet; the node's last when there is none.
std::size_t BestFirstSearch::best_block(std::size_t node, double charge_e) const {
  const Node& blocks = store_.nodes()[node];
  std::size_t best = blocks.last;
  double lowest = infinity;
  for (std::size_t slot = blocks.first; slot < blocks.last; ++slot) {
    const double energy = blocks_.bounds(node, slot).energy_kT(charge_e);
    if (energy < lowest && expanded_[slot] != searches_) {
      lowest = energy;
      best = slot;
    }
  }
  return best;
}

/// Appends the points of a block that may be the lowest; returns the lowest of all.
BestFirstSearch::LowPoint BestFirstSearch::collect(std::size_t slot, double charge_e, double upper_kT,
                                                   std::vector<Candidate>& candidates) const {
  const std::uint64_t* available = store_.available(slot);
  const float* const values = store_.values(slot);
  const double error_kT = std::abs(charge_e) * blocks_.error_kT_e(slot);
  double lowest_kT = infinity;
  int lowest = 0;
  for (int p = 0; p < block_points; ++p) {
    const double energy = charge_e * double(values[p]);
    Candidate candidate{energy, error_kT, 0};
    const bool may_be_chosen = candidate.may_reach(upper_kT);
    if ((!may_be_chosen && energy >= lowest_kT) || !is_set(available, p)) continue;
    if (energy < lowest_kT) lowest = p;
    lowest_kT = std::min(lowest_kT, energy);
    if (!may_be_chosen) continue;
    candidate.index = store_.grid().lattice_index(store_.number(slot), p);
    candidates.push_back(candidate);
  }
  return {slot, lowest, searches_, terms_.ions.size(), double(values[lowest]), blocks_.error_kT_e(slot)};
}

/// Whether so many points of a block are within the multilevel error of the best that summing all of its
/// points once is less work than to sum each of them exactly: where a screened potential has died away, for
/// example.
bool BestFirstSearch::is_near_degenerate(std::size_t node, std::size_t slot, double charge_e,
                                         double upper_kT) const {
  const double error_kT = std::abs(charge_e) * blocks_.error_kT_e(slot);
  const double limit_kT =
      std::min(upper_kT, blocks_.bounds(node, slot).energy_kT(charge_e) + 2 * error_kT) + error_kT;
  const std::uint64_t* available = store_.available(slot);
  int close = 0;
  for (int p = 0; p < block_points; ++p)
    close += charge_e * double(store_.values(slot)[p]) <= limit_kT && is_set(available, p);
  return close > near_degenerate_points;
}

/// Brings the best blocks of a node up to date, and first the node's bounds when they lack ions. Touches
/// nothing outside the node.
void BestFirstSearch::expand(Expansion& expansion, int most_blocks, double charge_e, double upper_kT) {
  const std::size_t node = expansion.node, none = store_.nodes()[node].last;
  expansion.upper_kT = upper_kT;
  expansion.blocks_updated = 0;
  expansion.candidates.clear();
  expansion.low_points.clear();
  expansion.inflated.reset();
  if (node_ions_[node] != terms_.ions.size()) {
    blocks_.inflate(node, node_ions_[node]);
    expansion.inflated = blocks_.bounds_of_node(node);
    expansion.bound_kT = expansion.inflated->energy_kT(charge_e);
    if (most_blocks == 1) return;  // others may be better now
  }
  for (int n = 0;; ++n) {
    const std::size_t slot = best_block(node, charge_e);
    expansion.bound_kT = slot == none ? infinity : blocks_.bounds(node, slot).energy_kT(charge_e);
    if (n == most_blocks || slot == none || expansion.bound_kT > expansion.upper_kT) return;
    bool updated = blocks_.add_pending_ions(slot);
    expanded_[slot] = searches_;
    if (blocks_.is_multilevel(slot) && is_near_degenerate(node, slot, charge_e, expansion.upper_kT)) {
      blocks_.sum_directly(slot);
      updated = true;
    }
    expansion.blocks_updated += updated;
    // The lower end of the bounds is a point's value less the error, rounded down to fp32; that point has at
    // most the value plus the error.
    const double lowest_kT = blocks_.bounds(node, slot).energy_kT(charge_e);
    const double seen_kT = lowest_kT + 2 * std::abs(charge_e) * blocks_.error_kT_e(slot) +
                           4 * fp32_rounding * std::abs(lowest_kT) +
                           std::abs(charge_e) * double(std::numeric_limits<float>::min());
    expansion.upper_kT = std::min(expansion.upper_kT, seen_kT);
    if (lowest_kT < infinity)
      expansion.low_points.push_back(collect(slot, charge_e, expansion.upper_kT, expansion.candidates));
  }
}

/// The nodes to expand in a round: the best ones at first, then all that may hold a lower energy.
void BestFirstSearch::choose_nodes(int round, double upper_kT) {
  chosen_ = 0;
  const auto choose = [&](std::size_t node) {
    if (chosen_ == expansions_.size()) expansions_.emplace_back();
    expansions_[chosen_++].node = node;
  };
  if (round >= rounds_of_the_best) {
    for (std::size_t node = 0; node < left_kT_.size() && chosen_ < most_nodes; ++node)
      if (left_kT_[node] <= upper_kT && left_kT_[node] < infinity) choose(node);
    return;
  }
  // The nodes of lowest bound, by insertion: nearly all are higher than those found so far.
  std::size_t best[nodes_at_first], count = 0;
  for (std::size_t node = 0; node < left_kT_.size(); ++node) {
    const double bound_kT = left_kT_[node];
    if (!(bound_kT < infinity) || bound_kT > upper_kT) continue;
    if (count == nodes_at_first && !(bound_kT < left_kT_[best[count - 1]])) continue;
    std::size_t at = count < nodes_at_first ? count++ : count - 1;
    for (; at > 0 && bound_kT < left_kT_[best[at - 1]]; --at) best[at] = best[at - 1];
    best[at] = node;
  }
  std::for_each(best, best + count, choose);
}

/// An upper bound on the lowest energy before anything is expanded: points that were low for other ions
/// mostly still are, and what the ions since then add to their potential is soon summed.
double BestFirstSearch::upper_of_low_points_kT(double charge_e) {
  if (!refine_) return infinity;  // then rounded values decide, which are not known yet
  constexpr std::size_t most = 512;
  if (low_points_.size() > 2 * most) {
    std::nth_element(low_points_.begin(), low_points_.begin() + most, low_points_.end(),
                     [&](const LowPoint& a, const LowPoint& b) {
                       return charge_e * a.potential_kT_e < charge_e * b.potential_kT_e;
                     });
    low_points_.resize(most);
  }
  std::erase_if(low_points_, [&](const LowPoint& low) {
    const bool is_stale = expanded_[low.slot] != low.search;  // the block was expanded again
    return is_stale || !is_set(store_.available(low.slot), low.point);
  });
  double upper_kT = infinity;
  const BlockGrid& grid = store_.grid();
  for (LowPoint& low : low_points_) {
    const Vec3<double> at_A = grid.lattice.position_A(grid.lattice_index(store_.number(low.slot), low.point));
    for (; low.ions < terms_.ions.size(); ++low.ions) {
      constexpr double rounding = 1e-12;
      const PointCharge ion = terms_.ions.table()[low.ions];
      const double term_kT_e = ion.charge_e * terms_.pair.at(distance_squared(at_A, ion.position_A));
      low.potential_kT_e += term_kT_e;
      low.error_kT_e += rounding * std::abs(term_kT_e);
    }
    upper_kT = std::min(upper_kT, charge_e * low.potential_kT_e + std::abs(charge_e) * low.error_kT_e);
  }
  return upper_kT;
}

/// Returns every point that the lattice's error leaves in the running.
std::vector<Candidate> BestFirstSearch::search(double charge_e) {
  ++searches_;
  inflate_nodes();
  for (std::size_t node = 0; node < left_kT_.size(); ++node)
    left_kT_[node] = node_bounds_[node].energy_kT(charge_e);
  std::vector<Candidate> candidates;
  double upper_kT = upper_of_low_points_kT(charge_e);  // an available point has at most this exact energy
  for (int round = upper_kT < infinity ? rounds_of_the_best : 0;; ++round) {
    choose_nodes(round, upper_kT);
    if (chosen_ == 0) break;
    const int most_blocks = 1 << std::clamp(round - rounds_of_the_best + 1, 0, most_doublings);
    // The pool begins at both ends, the caller in front. Each thread should find what it worked on before,
    // which its own caches hold, and begin with what takes longest: nodes that lack many ions.
    const auto is_callers = [&](const Expansion& e) { return e.node % std::size_t(threads_) == 0; };
    const auto has = [&](const Expansion& e) { return node_ions_[e.node]; };
    std::sort(expansions_.begin(), expansions_.begin() + std::ptrdiff_t(chosen_),
              [&](const Expansion& a, const Expansion& b) {
                if (is_callers(a) != is_callers(b)) return is_callers(a);
                return is_callers(a) ? has(a) < has(b) : has(a) > has(b);
              });
    parallel_for(pool_, chosen_,
                 [&](std::size_t n) { expand(expansions_[n], most_blocks, charge_e, upper_kT); });
    for (std::size_t n = 0; n < chosen_; ++n) {
      Expansion& expansion = expansions_[n];
      if (expansion.inflated) set_node(expansion.node, *expansion.inflated);
      left_kT_[expansion.node] = expansion.bound_kT;
      upper_kT = std::min(upper_kT, expansion.upper_kT);
      blocks_updated_ += expansion.blocks_updated;
      candidates.insert(candidates.end(), expansion.candidates.begin(), expansion.candidates.end());
      low_points_.insert(low_points_.end(), expansion.low_points.begin(), expansion.low_points.end());
    }
    constexpr std::size_t most_candidates = 1 << 16;
    if (candidates.size() > most_candidates) thin_out(charge_e, candidates, upper_kT);
  }
  std::erase_if(candidates, [&](const Candidate& c) { return !c.may_reach(upper_kT); });
  return candidates;
}

/// Where a potential is flat beside its error, candidates are too many to keep. Keeps those that may be
/// chosen once they are summed exactly: without an error, and with no other that has both a lower index and
/// no higher energy.
void BestFirstSearch::thin_out(double charge_e, std::vector<Candidate>& candidates, double& upper_kT) {
  if (refine_) {
    candidates = choice_.sum(charge_e, std::move(candidates));
    for (const Candidate& c : candidates)
      upper_kT = std::min(upper_kT, c.energy_kT + choice_.loosest_tie_kT(charge_e, c));
  }
  std::sort(candidates.begin(), candidates.end(),
            [](const Candidate& a, const Candidate& b) { return a.index < b.index; });
  double lowest_kT = infinity;
  std::erase_if(candidates, [&](const Candidate& c) {
    const bool higher = c.energy_kT >= lowest_kT;
    lowest_kT = std::min(lowest_kT, c.energy_kT);
    return higher || !c.may_reach(upper_kT);
  });
}

/// Where there is no potential at all.
std::optional<LowestPoint> BestFirstSearch::first_available() const {
  std::optional<LowestPoint> first;
  for (std::size_t slot = 0; slot < store_.size(); ++slot) {
    if (!store_.mask().any(store_.number(slot))) continue;
    const std::uint64_t* available = store_.available(slot);
    int p = 0;
    while (!is_set(available, p)) ++p;
    const std::int64_t index = store_.grid().lattice_index(store_.number(slot), p);
    if (!first || index < first->index) first = {index, 0.0};
  }
  return first;
}

std::optional<LowestPoint> BestFirstSearch::lowest_energy_point(double charge_e) {
  if (choice_.is_zero()) return first_available();
  const std::vector<Candidate> candidates = search(charge_e);
  if (candidates.empty()) return std::nullopt;
  return refine_ ? choice_.choose(charge_e, candidates) : choose_by_lattice(charge_e, candidates);
}

}  // namespace ionwell
