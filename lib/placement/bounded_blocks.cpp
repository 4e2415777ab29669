// SPDX-License-Identifier: BSD-3-Clause
#include "placement/bounded_blocks.hpp"

#include <algorithm>
#include <cmath>

#include "electrostatics/multilevel/error_samples.hpp"
#include "parallel/parallel_for.hpp"

namespace ionwell {
namespace {

/// What the error bound of a sum of terms becomes in fp32.
float rounded_up(double error_kT_e) {
  constexpr double room = 1e-6;
  return float(error_kT_e * (1 + room));
}

}  // namespace

BoundedBlocks::BoundedBlocks(HostStore& store, const ExactTerms& terms, bool refine, SimdLevel simd,
                             int threads)
    : store_(store),
      terms_(terms),
      refine_(refine),
      threads_(threads),
      direct_(direct_kernels(simd)),
      bound_(bound_kernels(simd)),
      cubes_(store.grid().lattice.first_point_A(), store.half_extent_A(block_edge), terms.pair, bound_),
      states_(store.size()) {
  const BlockGrid& grid = store_.grid();
  for (const Node& node : store_.nodes()) {
    first_cube_.push_back(cubes_.start_range());
    for (std::size_t slot = node.first; slot < node.last; ++slot) {
      const Vec3<std::int64_t> p = grid.first_point(store_.number(slot));
      states_[slot].cube = cubes_.size();
      cubes_.add_cube(grid.lattice.position_A(p.x, p.y, p.z) + store_.half_extent_A(block_edge));
    }
  }
}

void BoundedBlocks::prepare() {
  if (terms_.is_multilevel) measure_error_of_solute();
  if (!terms_.is_multilevel || terms_.clearance_A < beside_a_charge_A) bound_rounding_of_solute();
  parallel_for({threads_, 16}, std::ssize(states_), [&](std::int64_t n) {
    const auto slot = std::size_t(n);
    if (!add_pending_ions(slot)) recompute_bounds(slot);
  });
}

/// Bounds on |value - exact| for the direct sum, which rounds relative to the sum of the terms' magnitudes.
/// The blocks of a node share one.
void BoundedBlocks::bound_rounding_of_solute() {
  const Vec3<double> half_A = store_.half_extent_A(node_edge * block_edge);
  const double slack_A = std::sqrt(dot(half_A, half_A));
  parallel_for({threads_, 4}, std::ssize(store_.nodes()), [&](std::int64_t n) {
    const Node& node = store_.nodes()[std::size_t(n)];
    const auto is_available = [&](std::size_t slot) { return store_.mask().any(store_.number(slot)); };
    std::size_t first = node.first;
    while (first < node.last && !is_available(first)) ++first;
    if (first == node.last) return;
    const Vec3<std::int64_t>& p = node.first_point;
    const Vec3<double> centre = store_.grid().lattice.position_A(p.x, p.y, p.z) + half_A;
    const double centre_A[3] = {centre.x, centre.y, centre.z};
    const double magnitude_kT_e =
        direct_.magnitude(centre_A, slack_A, std::max(terms_.clearance_A, smallest_distance_A),
                          terms_.solute.arrays(), terms_.pair);
    for (std::size_t slot = first; slot < node.last; ++slot)
      if (is_available(slot)) states_[slot].error_kT_e += rounded_up(rounding_of_direct_sum * magnitude_kT_e);
  });
}

/// For a multilevel sum: the largest |value - exact| at sample points, half of them next to the solute, with
/// room for the points that were not looked at.
void BoundedBlocks::measure_error_of_solute() {
  std::vector<std::size_t> beside, all;  // blocks cut by the exclusion, and all with an available point
  for (std::size_t slot = 0; slot < states_.size(); ++slot) {
    const std::uint64_t* bits = store_.available(slot);
    if (!store_.mask().any(store_.number(slot))) continue;
    all.push_back(slot);
    if (std::any_of(bits, bits + mask_words, [](std::uint64_t w) { return ~w != 0; })) beside.push_back(slot);
  }
  const std::vector<ErrorSample> samples = error_samples(terms_.solute.size(), beside, all);
  std::vector<double> errors_kT_e(samples.size());
  parallel_for({threads_, 16}, std::ssize(samples), [&](std::int64_t n) {
    const ErrorSample& sample = samples[std::size_t(n)];
    const std::uint64_t* bits = store_.available(sample.slot);
    int p = sample.point;
    while (!is_set(bits, p)) p = (p + 1) % block_points;
    const BlockGrid& grid = store_.grid();
    const Vec3<double> at = grid.lattice.position_A(grid.lattice_index(store_.number(sample.slot), p));
    const double position_A[3] = {at.x, at.y, at.z};
    const double exact =
        direct_.exact(position_A, terms_.solute.arrays(), terms_.pair) +
        direct_.exact(position_A, terms_.ions.arrays(0, states_[sample.slot].ions), terms_.pair);
    errors_kT_e[std::size_t(n)] = std::abs(exact - double(store_.values(sample.slot)[p]));
  });
  measured_error_kT_e_ =
      errors_kT_e.empty() ? 0.0 : *std::max_element(errors_kT_e.begin(), errors_kT_e.end());
  for (State& state : states_) state.error_kT_e += float(room_for_unseen_errors * measured_error_kT_e_);
}

Bounds BoundedBlocks::bounds_of_node(std::size_t node) const {
  Bounds range;
  const Node& blocks = store_.nodes()[node];
  for (std::size_t slot = blocks.first; slot < blocks.last; ++slot) range.include(bounds(node, slot));
  return range;
}

void BoundedBlocks::inflate(std::size_t node, std::size_t first_ion) {
  const Node& blocks = store_.nodes()[node];
  const std::size_t first = first_cube_[node];
  cubes_.add_ions(first, first + (blocks.last - blocks.first),
                  terms_.ions.arrays(first_ion, terms_.ions.size()), terms_.ions.distances_A(first_ion));
}

bool BoundedBlocks::add_ions_to_values(std::size_t slot) {
  State& state = states_[slot];
  if (state.ions == terms_.ions.size()) return false;
  const ChargeArrays pending = terms_.ions.arrays(state.ions, terms_.ions.size());
  const BlockFrame frame = store_.frame(slot);
  const Vec3<double> half_A = store_.half_extent_A(block_edge);
  state.error_kT_e += rounded_up(rounding_of_direct_sum *
                                 direct_.magnitude(frame.centre_A, std::sqrt(dot(half_A, half_A)),
                                                   std::max(terms_.ions.clearance_A(), smallest_distance_A),
                                                   pending, terms_.pair));
  direct_.add_charges(&frame, 1, pending, terms_.pair, {}, store_.values(slot));
  state.ions = std::uint32_t(terms_.ions.size());
  return true;
}

bool BoundedBlocks::add_pending_ions(std::size_t slot) {
  if (!add_ions_to_values(slot)) return false;
  recompute_bounds(slot);
  return true;
}

void BoundedBlocks::add_all_ions_to_values() {
  parallel_for({threads_, 16}, std::ssize(states_),
               [&](std::int64_t slot) { add_pending_ions(std::size_t(slot)); });
}

/// Bounds of a block from its values, which contain all ions.
void BoundedBlocks::recompute_bounds(std::size_t slot) {
  State& state = states_[slot];
  cubes_.keep(state.cube, {});
  const float* values = store_.values(slot);
  const std::uint64_t* available = store_.available(slot);
  constexpr float level[3] = {};
  const ValueRange range = bound_.range(values, available, level);
  if (range.lowest > range.highest) return;
  state.error_kT_e = error_of_changed(state.error_kT_e, 0.0f, largest_size(range));
  float slope[3];
  bound_.slope(values, available, slope);
  const ValueRange rest = bound_.range(values, available, slope);
  const ValueSummary summary{range, rest, {slope[0], slope[1], slope[2]}, state.error_kT_e};
  cubes_.keep(state.cube, block_bounds(summary, refine_, store_.grid().lattice.spacing_A));
}

bool BoundedBlocks::recompute_bounds_around(std::size_t node, Vec3<double> centre_A, double distance_A) {
  const Vec3<double> half_A = store_.half_extent_A(block_edge);
  const double reach_A = (distance_A + std::sqrt(dot(half_A, half_A))) * (1 + 1e-9);
  const BlockGrid& grid = store_.grid();
  const Node& blocks = store_.nodes()[node];
  bool changed = false;
  for (std::size_t slot = blocks.first; slot < blocks.last; ++slot) {
    const Vec3<std::int64_t> p = grid.first_point(store_.number(slot));
    const Vec3<double> middle_A = grid.lattice.position_A(p.x, p.y, p.z) + half_A;
    // The bounds of a block that lacks an ion hold, and are made anew with that ion.
    if (states_[slot].ions != terms_.ions.size() || distance_squared(middle_A, centre_A) > reach_A * reach_A)
      continue;
    recompute_bounds(slot);
    changed = true;
  }
  return changed;
}

void BoundedBlocks::sum_directly(std::size_t slot) {
  State& state = states_[slot];
  const BlockFrame frame = store_.frame(slot);
  std::fill_n(store_.values(slot), block_points, 0.0f);
  const Vec3<double> half_A = store_.half_extent_A(block_edge);
  const double slack_A = std::sqrt(dot(half_A, half_A));
  double magnitude_kT_e = 0.0;
  const auto add = [&](const ChargeArrays& charges, double clearance_A) {
    direct_.add_charges(&frame, 1, charges, terms_.pair, {}, store_.values(slot));
    magnitude_kT_e += direct_.magnitude(frame.centre_A, slack_A, std::max(clearance_A, smallest_distance_A),
                                        charges, terms_.pair);
  };
  add(terms_.solute.arrays(), terms_.clearance_A);
  add(terms_.ions.arrays(0, state.ions), terms_.ions.clearance_A());
  state.error_kT_e = rounded_up(rounding_of_direct_sum * magnitude_kT_e);
  state.is_direct = true;
  recompute_bounds(slot);
}

}  // namespace ionwell
