// SPDX-License-Identifier: BSD-3-Clause
#include "placement/at_points/group_estimates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ionwell {
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr std::size_t groups_at_once = 256;  // that are bounded: 8 microseconds for each charge
constexpr std::int64_t most_pieces = 4096;

}  // namespace

GroupEstimates::GroupEstimates(const EstimatedPoints& points, const IonAction& action, SimdLevel simd,
                               ThreadPool& pool)
    : positions_A_(points.positions_A),
      groups_(points.groups),
      action_(action),
      kernels_(group_kernels(simd)),
      pool_(pool),
      values_kT_e_(groups_.size() * group_points, no_number),
      states_(groups_.size()),
      ranges_(groups_.size()),
      pieces_((groups_.size() + groups_at_once - 1) / groups_at_once) {
  for (std::size_t point = 0; point < positions_A_.size(); ++point)
    if (points.available[point] != 0) values_kT_e_[groups_.place(point)] = points.potential_kT_e[point];
  for (std::size_t g = 0; g < groups_.size(); ++g) find_range(g);
}

void GroupEstimates::add(std::span<const PointCharge> charges) {
  charges_.insert(charges_.end(), charges.begin(), charges.end());
}

void GroupEstimates::take_away(std::uint32_t point) {
  const std::size_t place = groups_.place(point);
  values_kT_e_[place] = no_number;
  find_range(place / group_points);
}

void GroupEstimates::find_range(std::size_t group) {
  GroupState& state = states_[group];
  kernels_.range(&values_kT_e_[group * group_points], &state.lowest_kT_e, &state.highest_kT_e);
}

void GroupEstimates::update(std::size_t group) {
  GroupState& state = states_[group];
  if (state.charges == charges_.size()) return;
  const GroupValues values{groups_, group, positions_A_, &values_kT_e_[group * group_points]};
  double largest_kT_e = std::max(std::abs(state.lowest_kT_e), std::abs(state.highest_kT_e));
  const std::size_t added = charges_.size() - state.charges;
  state.error_kT_e += action_.add(std::span(charges_).subspan(state.charges), values);
  state.charges = state.bounded = std::uint32_t(charges_.size());
  state.since = {};
  find_range(group);
  // Of additions in double precision, to the estimate and to the sum that it stands for.
  largest_kT_e = std::max({largest_kT_e, std::abs(state.lowest_kT_e), std::abs(state.highest_kT_e)});
  state.error_kT_e += 0x1p-50 * double(added) * largest_kT_e;
}

/// Takes the charges into the bounds that they lack.
void GroupEstimates::bound(std::size_t group) {
  GroupState& state = states_[group];
  const auto& [centre_A, radius_A] = groups_.ball(group);
  for (; state.bounded < charges_.size(); ++state.bounded) {
    if (std::isinf(state.since.rest_kT_e)) continue;
    const auto& [position_A, charge_e] = charges_[state.bounded];
    const LinearPotential unit = action_.linear(centre_A - position_A, radius_A);
    state.since.value_kT_e += charge_e * unit.value_kT_e;
    state.since.slope_kT_e_A = state.since.slope_kT_e_A + charge_e * unit.slope_kT_e_A;
    state.since.rest_kT_e += std::abs(charge_e) * unit.rest_kT_e;
  }
}

GroupEstimates::EnergyRange GroupEstimates::lowest_energy_kT(std::size_t group, double charge_e) const {
  const GroupState& state = states_[group];
  const LinearPotential& since = state.since;
  const double lowest_kT = charge_e * (charge_e > 0.0 ? state.lowest_kT_e : state.highest_kT_e),
               slope_kT_e_A = std::sqrt(dot(since.slope_kT_e_A, since.slope_kT_e_A));
  constexpr double rounding = 1e-12;
  const double off_kT_e = state.error_kT_e + since.rest_kT_e + groups_.ball(group).radius_A * slope_kT_e_A +
                          rounding * (std::abs(since.value_kT_e) + std::abs(state.lowest_kT_e));
  const double between_kT = lowest_kT + charge_e * since.value_kT_e, off_kT = std::abs(charge_e) * off_kT_e;
  return {between_kT - off_kT, between_kT + off_kT};
}

/// The groups of a piece, which one thread bounds.
std::pair<std::size_t, std::size_t> GroupEstimates::groups_of(std::size_t piece) const {
  return {piece * groups_at_once, std::min(states_.size(), (piece + 1) * groups_at_once)};
}

void GroupEstimates::bound_piece(std::size_t number, double charge_e) {
  Piece& piece = pieces_[number];
  piece = {};
  const auto [first, last] = groups_of(number);
  for (std::size_t g = first; g < last; ++g) {
    ranges_[g] = {infinite, infinite};
    if (states_[g].lowest_kT_e > states_[g].highest_kT_e) continue;  // nothing is available there
    bound(g);
    ranges_[g] = lowest_energy_kT(g, charge_e);
    piece.up_to_kT = std::min(piece.up_to_kT, ranges_[g].most_kT);
    if (ranges_[g].least_kT >= piece.least_kT) continue;
    piece.least_kT = ranges_[g].least_kT;
    piece.least = g;
  }
}

/// Brings all groups up to date that may hold the lowest energy, and returns what that is not above.
double GroupEstimates::bring_up_to_date(double charge_e, double tie_kT) {
  parallel_for(pool_, std::ssize(pieces_),
               [&](std::int64_t piece) { bound_piece(std::size_t(piece), charge_e); });
  const auto by_least = [](const Piece& a, const Piece& b) { return a.least_kT < b.least_kT; };
  // First the group that may be lowest, to know more of what is.
  const Piece& lowest = *std::min_element(pieces_.begin(), pieces_.end(), by_least);
  if (lowest.least_kT == infinite) return infinite;
  update(lowest.least);
  ranges_[lowest.least] = lowest_energy_kT(lowest.least, charge_e);
  double up_to_kT = ranges_[lowest.least].most_kT;
  for (const Piece& piece : pieces_) up_to_kT = std::min(up_to_kT, piece.up_to_kT);
  std::vector<std::size_t> running;
  for_each_group(up_to_kT + tie_kT, [&](std::size_t g) {
    if (states_[g].charges < charges_.size()) running.push_back(g);
  });
  const std::int64_t at_once = 1 + std::ssize(running) / most_pieces;
  const auto update_groups = [&](std::int64_t piece) {
    const std::int64_t last = std::min(std::ssize(running), (piece + 1) * at_once);
    for (std::int64_t n = piece * at_once; n < last; ++n) {
      const std::size_t g = running[std::size_t(n)];
      update(g);
      ranges_[g] = lowest_energy_kT(g, charge_e);
    }
  };
  parallel_for(pool_, (std::ssize(running) + at_once - 1) / at_once, update_groups);
  groups_updated_ += std::ssize(running) + 1;
  for (const std::size_t g : running) up_to_kT = std::min(up_to_kT, ranges_[g].most_kT);
  return up_to_kT;
}

/// Calls visit(group) for those that may hold an energy of at most `up_to_kT`.
template <typename Visit>
void GroupEstimates::for_each_group(double up_to_kT, const Visit& visit) const {
  for (std::size_t piece = 0; piece < pieces_.size(); ++piece) {
    if (!(pieces_[piece].least_kT <= up_to_kT)) continue;
    const auto [first, last] = groups_of(piece);
    for (std::size_t g = first; g < last; ++g)
      if (ranges_[g].least_kT <= up_to_kT) visit(g);
  }
}

std::vector<PointEstimates::Candidate> GroupEstimates::candidates(double charge_e, double tie_kT) {
  std::vector<Candidate> found;
  if (states_.empty()) return found;
  const double up_to_kT = bring_up_to_date(charge_e, tie_kT) + tie_kT;
  for_each_group(up_to_kT, [&](std::size_t g) {
    const double error_kT = std::abs(charge_e) * states_[g].error_kT_e;
    const std::span<const std::uint32_t> points = groups_.points(g);
    for (std::size_t p = 0; p < points.size(); ++p) {
      const double energy_kT = charge_e * values_kT_e_[g * group_points + p] - error_kT;
      if (energy_kT <= up_to_kT) found.push_back({energy_kT, points[p]});
    }
  });
  sort(found);
  return found;
}

}  // namespace ionwell
