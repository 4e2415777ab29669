// SPDX-License-Identifier: BSD-3-Clause
#include "placement/at_points/scattered_points.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "core/error.hpp"
#include "placement/at_points/group_estimates.hpp"

namespace ionwell {

ScatteredPoints::ScatteredPoints(std::vector<Vec3<double>> positions_A, std::vector<double> potential_kT_e,
                                 std::vector<std::uint8_t> available, const IonAction& action,
                                 const ScatteredOptions& options)
    : positions_A_(std::move(positions_A)),
      solute_kT_e_(std::move(potential_kT_e)),
      available_(std::move(available)),
      action_(action),
      tie_kT_e_(options.tie_kT_e),
      simd_(options.simd),
      pool_(options.threads),
      groups_(positions_A_, options.threads),
      available_count_(std::ssize(available_) - std::count(available_.begin(), available_.end(), 0)) {
  try {
    if (options.estimates)
      estimates_ = options.estimates(estimated());
    else
      use_host();
  } catch (const Error& error) {
    note_ = error.what();
    use_host();
  }
}

void ScatteredPoints::use_host() {
  estimates_ = std::make_unique<GroupEstimates>(estimated(), action_, simd_, pool_);
  estimates_->add(charges_);
  is_on_host_ = true;
}

std::vector<ScatteredPoints::Candidate> ScatteredPoints::candidates(double charge_e, double tie_kT) {
  std::vector<PointEstimates::Candidate> found;
  try {
    found = estimates_->candidates(charge_e, tie_kT);
  } catch (const Error& error) {
    if (is_on_host_) throw;
    note_ = error.what();
    use_host();
    found = estimates_->candidates(charge_e, tie_kT);
  }
  std::vector<Candidate> candidates;
  for (const auto& [least_kT, point] : found) candidates.push_back({least_kT, point});
  return candidates;
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
}

double ScatteredPoints::potential_kT_e(std::size_t point) {
  Candidate alone{0.0, std::uint32_t(point)};
  complete({&alone, 1});
  return alone.sum->potential_kT_e;
}

std::vector<double> ScatteredPoints::potentials_kT_e(std::span<const Earlier> earlier) {
  std::vector<double> potentials(earlier.size());
  parallel_for(pool_, std::ssize(earlier), [&](std::int64_t n) {
    const auto& [point, charges] = earlier[std::size_t(n)];
    ExactSum sum = solute_alone(point);
    for (std::size_t first = 0; first < charges; first += block_charges) {
      const std::size_t last = std::min(charges, first + block_charges);
      add_block(sum, sum_of_charges(point, first, last), last - first, last);
    }
    potentials[std::size_t(n)] = sum.potential_kT_e;
  });
  return potentials;
}

std::optional<std::size_t> ScatteredPoints::lowest_energy_point(double charge_e) {
  if (available_count_ == 0) return std::nullopt;
  const double tie_kT = tie_kT_e_ * std::abs(charge_e);
  std::vector<Candidate> running = candidates(charge_e, tie_kT);
  if (running.size() == 1) return running.front().point;
  constexpr std::size_t at_once = 32;  // sums between two looks at which candidates are left
  double lowest_kT = std::numeric_limits<double>::infinity();
  std::size_t summed = 0;
  while (summed < running.size() && running[summed].least_kT <= lowest_kT + tie_kT) {
    const std::size_t end = std::min(running.size(), summed + at_once);
    complete(std::span(running).subspan(summed, end - summed));
    exact_sums_ += std::int64_t(end - summed);
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
  exact_.erase(std::uint32_t(point));
  estimates_->take_away(std::uint32_t(point));
}

void ScatteredPoints::add_ion(std::span<const PointCharge> charges, double limit_A2) {
  const Vec3<double> centre_A = charges.front().position_A;
  const double limit_A = std::sqrt(limit_A2);
  const std::size_t before = charges_.size();
  std::copy_if(charges.begin(), charges.end(), std::back_inserter(charges_),
               [](const PointCharge& charge) { return charge.charge_e != 0.0; });
  estimates_->add(std::span(charges_).subspan(before));
  const auto is_near = [&](const Vec3<double>& to_centre_A, const PointGroups::Ball& ball) {
    const double near_A = limit_A + ball.radius_A;
    return dot(to_centre_A, to_centre_A) <= near_A * near_A;
  };
  // Of an image of a difference: to look for the shortest takes longer than all else here.
  const double unique_A2 = action_.unique_A() * action_.unique_A();
  const auto shortest = [&](const Vec3<double>& d) {
    return dot(d, d) < unique_A2 ? d : action_.shortest(d);
  };
  constexpr double rounding = 1e-9;
  for (const PointGroups::Run& run : groups_.runs()) {
    const Vec3<double> of_centres_A = run.ball.centre_A - centre_A;
    if (action_.is_surely_longer(of_centres_A, limit_A + run.ball.radius_A)) continue;
    const Vec3<double> to_run_A = action_.shortest(of_centres_A);
    if (!is_near(to_run_A, run.ball)) continue;
    for (std::size_t g = run.first; g < run.last; ++g) {
      const PointGroups::Ball& ball = groups_.ball(g);
      const Vec3<double> to_group_A = shortest(to_run_A + (ball.centre_A - run.ball.centre_A));
      if (!is_near(to_group_A, ball)) continue;
      for (const std::uint32_t point : groups_.points(g)) {
        const Vec3<double> about_A = shortest(to_group_A + (positions_A_[point] - ball.centre_A));
        double d2 = dot(about_A, about_A);
        if (std::abs(d2 - limit_A2) <= rounding * limit_A2) {
          const Vec3<double> d = action_.shortest(positions_A_[point] - centre_A);
          d2 = dot(d, d);
        }
        if (d2 <= limit_A2) take_away(point);
      }
    }
  }
}

}  // namespace ionwell
