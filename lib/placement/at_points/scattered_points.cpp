// SPDX-License-Identifier: BSD-3-Clause
#include "placement/at_points/scattered_points.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

namespace ionwell {
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr std::int64_t groups_at_once = 512;  // that are bounded: 25 microseconds for each charge
constexpr std::int64_t most_pieces = 4096;

}  // namespace

ScatteredPoints::ScatteredPoints(std::vector<Vec3<double>> positions_A, std::vector<double> potential_kT_e,
                                 std::vector<std::uint8_t> available, const IonAction& action,
                                 const ScatteredOptions& options)
    : positions_A_(std::move(positions_A)),
      solute_kT_e_(std::move(potential_kT_e)),
      available_(std::move(available)),
      action_(action),
      tie_kT_e_(options.tie_kT_e),
      kernels_(group_kernels(options.simd)),
      pool_(options.threads),
      groups_(positions_A_),
      values_kT_e_(groups_.size() * group_points, no_number),
      states_(groups_.size()) {
  for (std::size_t point = 0; point < positions_A_.size(); ++point) {
    if (available_[point] == 0) continue;
    values_kT_e_[groups_.place(point)] = solute_kT_e_[point];
    ++available_count_;
  }
  for (std::size_t g = 0; g < groups_.size(); ++g) find_range(g);
}

void ScatteredPoints::find_range(std::size_t group) {
  GroupState& state = states_[group];
  kernels_.range(&values_kT_e_[group * group_points], &state.lowest_kT_e, &state.highest_kT_e);
}

void ScatteredPoints::update(std::size_t group) {
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
void ScatteredPoints::bound(std::size_t group) {
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

ScatteredPoints::EnergyRange ScatteredPoints::lowest_energy_kT(std::size_t group, double charge_e) const {
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

/// All groups that may hold the lowest energy. Returns what that is not above.
double ScatteredPoints::bring_up_to_date(double charge_e, double tie_kT) {
  std::vector<EnergyRange> ranges(states_.size(), EnergyRange{infinite, infinite});
  const std::int64_t groups = std::ssize(states_);
  const auto bound_groups = [&](std::int64_t piece) {
    const std::int64_t last = std::min(groups, (piece + 1) * groups_at_once);
    for (auto g = std::size_t(piece * groups_at_once); g < std::size_t(last); ++g) {
      if (states_[g].lowest_kT_e > states_[g].highest_kT_e) continue;  // nothing is available there
      bound(g);
      ranges[g] = lowest_energy_kT(g, charge_e);
    }
  };
  parallel_for(pool_, (groups + groups_at_once - 1) / groups_at_once, bound_groups);
  // First the group that may be lowest, to know more of what is.
  std::size_t first = 0;
  for (std::size_t g = 1; g < ranges.size(); ++g)
    if (ranges[g].least_kT < ranges[first].least_kT) first = g;
  update(first);
  ranges[first] = lowest_energy_kT(first, charge_e);
  double up_to_kT = infinite;
  for (const EnergyRange& range : ranges) up_to_kT = std::min(up_to_kT, range.most_kT);
  std::vector<std::size_t> running;
  for (std::size_t g = 0; g < ranges.size(); ++g)
    if (states_[g].charges < charges_.size() && ranges[g].least_kT <= up_to_kT + tie_kT) running.push_back(g);
  const std::int64_t at_once = 1 + std::ssize(running) / most_pieces;
  const auto update_groups = [&](std::int64_t piece) {
    const std::int64_t last = std::min(std::ssize(running), (piece + 1) * at_once);
    for (std::int64_t n = piece * at_once; n < last; ++n) {
      const std::size_t g = running[std::size_t(n)];
      update(g);
      ranges[g] = lowest_energy_kT(g, charge_e);
    }
  };
  parallel_for(pool_, (std::ssize(running) + at_once - 1) / at_once, update_groups);
  groups_updated_ += std::ssize(running) + 1;
  for (const EnergyRange& range : ranges) up_to_kT = std::min(up_to_kT, range.most_kT);
  return up_to_kT;
}

double ScatteredPoints::sum_of_charges(std::size_t point, std::size_t first, std::size_t last) const {
  double sum = 0.0;
  for (std::size_t n = first; n < last; ++n)
    sum += charges_[n].charge_e * action_.at(positions_A_[point] - charges_[n].position_A);
  return sum;
}

ScatteredPoints::ExactSum ScatteredPoints::solute_alone(std::size_t point) const {
  return {solute_kT_e_[point], 0, solute_kT_e_[point], 0};
}

void ScatteredPoints::add_block(ExactSum& sum, double block_kT_e, std::size_t size, std::size_t charges) {
  sum.potential_kT_e = sum.whole_kT_e + block_kT_e;
  sum.charges = charges;
  if (size < block_charges) return;
  sum.whole_kT_e = sum.potential_kT_e;
  sum.whole = charges;
}

/// Brings the sums of candidates up to date; in pieces that do not depend on the number of threads.
void ScatteredPoints::complete(std::span<Candidate> candidates) {
  struct Piece {
    Candidate* candidate;
    std::size_t first, last;
    double sum_kT_e;
  };
  std::vector<Piece> pieces;
  const std::size_t charges = charges_.size();
  for (Candidate& candidate : candidates) {
    candidate.sum = &exact_.try_emplace(candidate.point, solute_alone(candidate.point)).first->second;
    if (candidate.sum->charges == charges) continue;
    for (std::size_t first = candidate.sum->whole; first < charges; first += block_charges)
      pieces.push_back({&candidate, first, std::min(charges, first + block_charges), 0.0});
  }
  parallel_for(pool_, std::ssize(pieces), [&](std::int64_t n) {
    Piece& piece = pieces[std::size_t(n)];
    piece.sum_kT_e = sum_of_charges(piece.candidate->point, piece.first, piece.last);
  });
  for (const Piece& piece : pieces)
    add_block(*piece.candidate->sum, piece.sum_kT_e, piece.last - piece.first, piece.last);
  exact_sums_ += std::ssize(candidates);
}

double ScatteredPoints::potential_kT_e(std::size_t point) const {
  const auto known = exact_.find(std::uint32_t(point));
  ExactSum sum = known != exact_.end() ? known->second : solute_alone(point);
  if (sum.charges == charges_.size()) return sum.potential_kT_e;
  for (std::size_t first = sum.whole; first < charges_.size(); first += block_charges) {
    const std::size_t last = std::min(charges_.size(), first + block_charges);
    add_block(sum, sum_of_charges(point, first, last), last - first, last);
  }
  return sum.potential_kT_e;
}

/// All points whose energies may be that low, the lowest in front.
std::vector<ScatteredPoints::Candidate> ScatteredPoints::candidates(double charge_e, double up_to_kT) const {
  std::vector<Candidate> found;
  for (std::size_t g = 0; g < states_.size(); ++g) {
    if (states_[g].charges < charges_.size() || !(lowest_energy_kT(g, charge_e).least_kT <= up_to_kT))
      continue;
    const double error_kT = std::abs(charge_e) * states_[g].error_kT_e;
    const std::span<const std::uint32_t> points = groups_.points(g);
    for (std::size_t p = 0; p < points.size(); ++p) {
      const double energy_kT = charge_e * values_kT_e_[g * group_points + p] - error_kT;
      if (energy_kT <= up_to_kT) found.push_back({energy_kT, points[p]});
    }
  }
  std::sort(found.begin(), found.end(), [](const Candidate& a, const Candidate& b) {
    return a.least_kT != b.least_kT ? a.least_kT < b.least_kT : a.point < b.point;
  });
  return found;
}

std::optional<std::size_t> ScatteredPoints::lowest_energy_point(double charge_e) {
  if (available_count_ == 0) return std::nullopt;
  const double tie_kT = tie_kT_e_ * std::abs(charge_e);
  std::vector<Candidate> running = candidates(charge_e, bring_up_to_date(charge_e, tie_kT) + tie_kT);
  constexpr std::size_t at_once = 32;  // sums between two looks at which candidates are left
  double lowest_kT = infinite;
  std::size_t summed = 0;
  while (summed < running.size() && running[summed].least_kT <= lowest_kT + tie_kT) {
    const std::size_t end = std::min(running.size(), summed + at_once);
    complete(std::span(running).subspan(summed, end - summed));
    for (; summed < end; ++summed)
      lowest_kT = std::min(lowest_kT, charge_e * running[summed].sum->potential_kT_e);
  }
  std::optional<std::size_t> best;
  for (std::size_t n = 0; n < summed; ++n)
    if (charge_e * running[n].sum->potential_kT_e <= lowest_kT + tie_kT &&
        (!best || running[n].point < *best))
      best = running[n].point;
  return best;
}

void ScatteredPoints::take_away(std::size_t point) {
  if (available_[point] == 0) return;
  available_[point] = 0;
  --available_count_;
  values_kT_e_[groups_.place(point)] = no_number;
  exact_.erase(std::uint32_t(point));
  find_range(groups_.place(point) / group_points);
}

void ScatteredPoints::add_ion(std::span<const PointCharge> charges, double limit_A2) {
  const Vec3<double> centre_A = charges.front().position_A;
  const double limit_A = std::sqrt(limit_A2);
  std::copy_if(charges.begin(), charges.end(), std::back_inserter(charges_),
               [](const PointCharge& charge) { return charge.charge_e != 0.0; });
  const auto is_near = [&](const PointGroups::Ball& ball) {
    const Vec3<double> to_centre = action_.shortest(ball.centre_A - centre_A);
    const double near_A = limit_A + ball.radius_A;
    return dot(to_centre, to_centre) <= near_A * near_A;
  };
  for (const PointGroups::Run& run : groups_.runs()) {
    if (!is_near(run.ball)) continue;
    for (std::size_t g = run.first; g < run.last; ++g) {
      if (!is_near(groups_.ball(g))) continue;
      for (const std::uint32_t point : groups_.points(g)) {
        const Vec3<double> d = action_.shortest(positions_A_[point] - centre_A);
        if (dot(d, d) <= limit_A2) take_away(point);
      }
    }
  }
}

}  // namespace ionwell
