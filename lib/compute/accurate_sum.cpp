// SPDX-License-Identifier: BSD-3-Clause
#include "compute/accurate_sum.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iomanip>
#include <limits>
#include <random>

#include "core/cell_list.hpp"
#include "core/error.hpp"
#include "electrostatics/open_sum.hpp"
#include "parallel/parallel_for.hpp"

namespace ionwell {
namespace {

using enum MultilevelBasis;

// Errors: those of all the measured structures are at most 1.03 of what these give, and 0.6 in the median;
// the first three have room for devices, which make 1.6e-5 at the cutoff. Costs: of 8.9 million points around
// the random walk of `ionwell-bench accuracy`.
constexpr double shortest_cutoff_A = 6.0;
constexpr std::array<MeasuredSet, 5> sets = {
    {{{bspline6, shortest_cutoff_A, 1.5}, {5.8e-4, 7.0e-4, 6.1e-4}, 0.55},
     {{bspline6, shortest_cutoff_A, 1.2}, {1.2e-4, 1.8e-4, 1.3e-4}, 0.77},
     {{}, {4.5e-5, 1.8e-4, 8.5e-5}, 1.0},
     {{bspline8, shortest_cutoff_A, 1.0, 3.25}, {6.8e-6, 4.2e-5, 1.6e-5}, 1.05, false},
     {{bspline8, 7.0, 1.0, 3.5}, {2.2e-6, 8.0e-6, 3.4e-6}, 1.1, false}}};

/// The direct sum's ratio: rounding of fp32, of up to 64 charges that are summed together.
double direct_error(std::size_t charges) {
  constexpr double of_few = 1.2e-7, of_many = 5.5e-7, many = 64.0;
  return std::max(of_few, of_many * std::sqrt(std::min(double(charges), many) / many));
}
/// That of the trapezoidal rule by which 1/r is split (MultilevelPlan), without screening.
constexpr double splitting_error = 1.3e-6;
/// The samples are some of the points, and structures differ from those that were measured.
constexpr double room_for_others = 1.3;

constexpr double smallest_accuracy = 1e-6, largest_accuracy = 0.1;

int kind_of(const PairPotential& pair) {
  switch (pair.kind) {
    case PairPotential::Kind::distance_dependent:
      return 1;
    case PairPotential::Kind::debye_hueckel:
      return 2;
    default:
      return 0;
  }
}

/// Points of the lattice that count, at random; fewer, or none, where most are too near to a charge.
std::vector<Vec3<double>> sample_points(const AccuracyProblem& problem) {
  constexpr double pairs = 2e8;  // a fraction of a second
  constexpr int tries_for_each = 64;
  const double of_all = pairs / double(std::max<std::size_t>(problem.charges.size(), 1));
  const auto count = std::size_t(std::clamp(of_all, 64.0, 256.0));
  const double least2_A2 = problem.least_distance_A * problem.least_distance_A;
  std::vector<Vec3<double>> positions_A, points_A;
  for (const PointCharge& charge : problem.charges) positions_A.push_back(charge.position_A);
  const CellList cells(positions_A, std::max(problem.least_distance_A, 4.0));
  std::mt19937_64 random(1);
  for (std::size_t n = 0; n < tries_for_each * count && points_A.size() < count; ++n) {
    const Vec3<double> at =
        problem.lattice.position_A(std::int64_t(random() % std::uint64_t(problem.lattice.size())));
    bool counts = true;
    cells.near({at, at}, problem.least_distance_A, [&](std::uint32_t charge) {
      counts = counts && distance_squared(positions_A[charge], at) >= least2_A2;
    });
    if (counts) points_A.push_back(at);
  }
  return points_A;
}

/// Sum of the squares of all terms of a potential at a point.
double squares_of_terms(std::span<const PointCharge> charges, const PairPotential& pair,
                        const Vec3<double>& at) {
  constexpr double nearest2_A2 = shortest_cutoff_A * shortest_cutoff_A;
  double sum = 0.0;
  for (const PointCharge& charge : charges) {
    const double term =
        charge.charge_e * pair.at(std::max(distance_squared(charge.position_A, at), nearest2_A2));
    sum += term * term;
  }
  return sum;
}

/// <V^2> and <W^2> of a potential, but for their number of points.
struct Squares {
  double potential = 0.0, terms = 0.0;
};

Squares squares_of(const AccuracyProblem& problem, const PairPotential& pair,
                   std::span<const Vec3<double>> points_A) {
  const std::vector<double> potential =
      open_potential(pair, problem.charges, points_A, {problem.threads, problem.simd}, {});
  std::vector<double> terms(points_A.size());
  parallel_for({problem.threads, 1}, std::ssize(points_A), [&](std::int64_t n) {
    terms[std::size_t(n)] = squares_of_terms(problem.charges, pair, points_A[std::size_t(n)]);
  });
  Squares squares;
  for (std::size_t n = 0; n < points_A.size(); ++n) {
    squares.potential += potential[n] * potential[n];
    squares.terms += terms[n];
  }
  return squares;
}

}  // namespace

std::span<const MeasuredSet> measured_sets() {
  return sets;
}

Cancellation cancellation(const AccuracyProblem& problem) {
  const std::vector<Vec3<double>> points_A = sample_points(problem);
  const Squares screened = squares_of(problem, problem.pair, points_A);
  if (!(screened.potential > 0.0)) return {std::numeric_limits<double>::infinity(), 0.0};
  Cancellation found{.of_terms = std::sqrt(1.0 + screened.terms / screened.potential)};
  if (problem.pair.kind != PairPotential::Kind::debye_hueckel) return found;
  PairPotential bare = problem.pair;
  bare.kind = PairPotential::Kind::coulomb;
  const Squares unscreened = squares_of(problem, bare, points_A);
  found.of_screening = std::sqrt((unscreened.potential + unscreened.terms) / screened.potential);
  return found;
}

double expected_error(const MeasuredSet& set, const PairPotential& pair, const Cancellation& cancellation) {
  return room_for_others * std::hypot(set.error[kind_of(pair)] * cancellation.of_terms,
                                      splitting_error * cancellation.of_screening);
}

void check_accuracy(double accuracy) {
  if (!(accuracy >= smallest_accuracy && accuracy <= largest_accuracy))
    fail<UsageError>("--accuracy is ", accuracy, "; it must be from ", smallest_accuracy, " to ",
                     largest_accuracy, " (no unit); 1e-5 is enough for most uses");
}

SummationOptions for_accuracy(SummationOptions options, const AccuracyProblem& problem) {
  if (!options.accuracy) return options;
  check_accuracy(*options.accuracy);
  const Cancellation found_here = cancellation(problem);
  const auto found = std::find_if(sets.begin(), sets.end(), [&](const MeasuredSet& set) {
    return expected_error(set, problem.pair, found_here) <= *options.accuracy;
  });
  if (found != sets.end()) {
    options.method = Method::automatic;
    options.multilevel = found->options;
    return options;
  }
  options.method = Method::direct;
  const double of_direct = room_for_others * direct_error(problem.charges.size()) * found_here.of_terms;
  if (std::isfinite(of_direct) && of_direct > *options.accuracy)
    fail<UsageError>("--accuracy is ", *options.accuracy, ", and values in single precision can be off by ",
                     std::setprecision(2), of_direct,
                     " of the potential's root mean square here, since the potentials of the charges cancel; "
                     "use a larger one");
  return options;
}

const MeasuredSet* chosen_set(const SummationOptions& options) {
  if (!options.accuracy) return nullptr;
  const auto found = std::find_if(sets.begin(), sets.end(),
                                  [&](const MeasuredSet& set) { return set.options == options.multilevel; });
  return found == sets.end() ? nullptr : &*found;
}

}  // namespace ionwell
