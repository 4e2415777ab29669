// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/poisson_boltzmann/solver/pb_solver.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "electrostatics/poisson_boltzmann/solver/host_vectors.hpp"
#include "electrostatics/poisson_boltzmann/solver/ionic_solution.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_check.hpp"
#include "parallel/thread_count.hpp"

namespace ionwell {
namespace {

/// Tells a Progress of a residual on its way down to what is asked for.
class ResidualProgress {
 public:
  ResidualProgress(const Progress& progress, double first, double target)
      : progress_(progress), first_(first), target_(target) {}

  void at(double residual) {
    if (!progress_) return;
    if (residual < first_ && target_ < first_)
      furthest_ = std::clamp(std::log(first_ / residual) / std::log(first_ / target_), furthest_, 1.0);
    progress_(furthest_);
  }

 private:
  const Progress& progress_;
  double first_, target_, furthest_ = 0.0;
};

const PbSolverOptions& checked(const PbSolverOptions& options) {
  if (!(options.tolerance > 0.0) || !(options.tolerance < 1.0))
    fail<UsageError>("the Poisson-Boltzmann solver's tolerance is ", options.tolerance,
                     " (relative to the right-hand side; it must be between 0 and 1); 1e-6 is common");
  if (options.max_iterations < 1)
    fail<UsageError>("the Poisson-Boltzmann solver may do ", options.max_iterations,
                     " iterations (it needs at least 1); 200 is common");
  return options;
}

/// One solution on its way.
class PbIteration {
 public:
  PbIteration(PbVectors& vectors, const PbSolverOptions& options, const TellResidual& tell)
      : vectors_(vectors), options_(options), tell_(tell) {}

  PbConvergence solve(double right_side, const Progress& progress);

 private:
  /// `until`: the residual that is enough. Unless it is surely not reached, nothing is begun after this one.
  void iterate(double until);
  void solve_linear(ResidualProgress& told);
  void solve_nonlinear(ResidualProgress& told);
  void note(double residual, ResidualProgress& told);
  [[noreturn]] void fail_to_converge() const;

  /// The next iteration is expected to leave no less than a part of what the best one has left of the
  /// residual, or of a tenth.
  static constexpr double usual_best = 0.1, unforeseen = 0.3;

  PbVectors& vectors_;
  const PbSolverOptions& options_;
  const TellResidual& tell_;
  PbConvergence convergence_;
  double right_side_ = 0.0, target_ = 0.0;
  double norm_ = 0.0;         // of the true residual
  double estimate_ = 0.0;     // of the residual as conjugate gradients follow it
  double best_ = usual_best;  // part that an iteration has left of it
  bool is_followed_ = false;  // by an iteration that has begun
};

PbConvergence PbIteration::solve(double right_side, const Progress& progress) {
  right_side_ = right_side;
  target_ = options_.tolerance * right_side;
  norm_ = vectors_.compute_residual();
  ResidualProgress told(progress, norm_, target_);
  note(norm_, told);
  if (options_.equation == PbEquation::linear)
    solve_linear(told);
  else
    solve_nonlinear(told);
  convergence_.residual = norm_ / right_side_;
  return std::move(convergence_);
}

void PbIteration::iterate(double until) {
  if (convergence_.iterations == options_.max_iterations) fail_to_converge();
  const bool is_last = convergence_.iterations + 1 == options_.max_iterations;
  const double before = estimate_;
  is_followed_ = !is_last && unforeseen * best_ * before > until;
  estimate_ = vectors_.iterate(is_followed_);
  ++convergence_.iterations;
  best_ = std::min(best_, estimate_ / before);
  if (!std::isfinite(estimate_)) fail_to_converge();
}

void PbIteration::solve_linear(ResidualProgress& told) {
  // fp32 follows the true residual over that many orders of magnitude before rounding shows.
  constexpr double followed = 1e-4;
  constexpr double lost = 1.1;  // true over followed residual: so much rounding is too much
  vectors_.start_gradients();
  double last_true = estimate_ = norm_;
  while (norm_ > target_) {
    iterate(std::max(target_, followed * last_true));
    if (!is_followed_ && (estimate_ <= target_ || estimate_ <= followed * last_true)) {
      norm_ = vectors_.add_correction();
      // Directions are conjugate as far as the residual is the one that they were made for.
      if (norm_ > lost * estimate_) vectors_.start_gradients();
      estimate_ = last_true = norm_;
    }
    note(estimate_, told);
  }
}

/// Newton's method, each step as exact as the last one's success is worth: Eisenstat and Walker, SIAM J. Sci.
/// Comput. 17:16 (1996), choice 2.
void PbIteration::solve_nonlinear(ResidualProgress& told) {
  constexpr double most = 0.1, least = 1e-3, safety = 0.9;
  double forcing = most;
  while (norm_ > target_) {
    vectors_.linearise();
    vectors_.start_gradients();
    const double before = norm_, goal = std::max(forcing * norm_, 0.5 * target_);
    estimate_ = norm_;
    do {
      iterate(goal);
      told.at(before);
    } while (is_followed_ || estimate_ > goal);
    norm_ = vectors_.add_newton_step();
    ++convergence_.newton_steps;
    forcing = std::clamp(safety * (norm_ / before) * (norm_ / before), least, most);
    note(norm_, told);
  }
  if (const std::int64_t beyond = vectors_.points_beyond_cap(); beyond > 0)
    fail("the nonlinear Poisson-Boltzmann equation has potentials beyond ", IonicSolution::cap, " kT at ",
         beyond, " lattice points where ions can be, and would have e^", IonicSolution::cap,
         " times their concentration there; check the solute's charges and radii");
}

void PbIteration::note(double residual, ResidualProgress& told) {
  convergence_.history.push_back(residual / right_side_);
  if (tell_) tell_(residual / right_side_);
  told.at(residual);
}

void PbIteration::fail_to_converge() const {
  fail("the Poisson-Boltzmann equation is not solved after ", convergence_.iterations,
       " iterations: the residual is ", estimate_ / right_side_, " of the right-hand side, but ",
       options_.tolerance, " is required; use a larger tolerance, for example --pb-option etol=1e-5");
}

}  // namespace

PbSolver::PbSolver(PbSystem& system, const PbSolverOptions& options, const MakePbVectors& make)
    : system_(system), options_(checked(options)) {
  check_system(system_, thread_count(options_.threads));
  const Vec3<std::int64_t> n = system.lattice.whole().counts;
  if (std::min({n.x, n.y, n.z}) > 2) vectors_ = make(system_, options_);
}

PbSolver::PbSolver(PbSystem& system, const PbSolverOptions& options)
    : PbSolver(system, options, [](PbSystem& of, const PbSolverOptions& by) {
        return host_vectors(of, by.equation == PbEquation::nonlinear, by.simd, thread_count(by.threads));
      }) {}

void PbSolver::update(const PointBox& changed) {
  check_coefficients(system_, changed);
  if (vectors_) vectors_->update(changed);
}

PbConvergence PbSolver::solve(const Progress& progress, const TellResidual& residual) {
  if (!vectors_) return {};
  const double right_side = vectors_->load();
  if (!std::isfinite(right_side)) {
    check_system(system_, thread_count(options_.threads));
    fail(
        "the charges and boundary values of the Poisson-Boltzmann equation are too large for double "
        "precision; correct them");
  }
  if (right_side == 0.0) {  // neither charges nor given potentials
    std::fill(system_.boundary_kT_e.begin(), system_.boundary_kT_e.end(), 0.0f);
    return {};
  }
  PbConvergence convergence = PbIteration(*vectors_, options_, residual).solve(right_side, progress);
  vectors_->store();
  return convergence;
}

}  // namespace ionwell
