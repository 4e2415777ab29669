#include "electrostatics/poisson_boltzmann/solver/pb_solver.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "electrostatics/poisson_boltzmann/solver/conjugate_gradients.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_check.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_residual.hpp"
#include "electrostatics/poisson_boltzmann/solver/plane_stages.hpp"
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
                     " (of the right side; it must lie between 0 and 1); 1e-6 is usual");
  if (options.max_iterations < 1)
    fail<UsageError>("the Poisson-Boltzmann solver may do ", options.max_iterations,
                     " iterations (it needs at least 1); 200 are usual");
  return options;
}

PbSystem& checked(PbSystem& system, int threads) {
  check_system(system, threads);
  return system;
}

}  // namespace

class PbSolver::Workspace {
 public:
  Workspace(PbSystem& system, PbLevels& levels, const PbSolverOptions& options, ThreadPool& pool)
      : system_(system),
        levels_(levels),
        options_(options),
        pool_(pool),
        ions_(options.equation == PbEquation::nonlinear ? ionic_solution(system) : IonicSolution{}),
        residual_(system, levels.level(0), is_nonlinear() ? &ions_ : nullptr, options.simd, pool),
        gradients_(levels, options.simd, pool),
        phi_kT_e_(system.boundary_kT_e.size()) {
    if (!is_nonlinear()) return;
    slope_ = LargeArray<float>(phi_kT_e_.size());
    for_points([&](std::int64_t first, std::int64_t last) {
      std::fill(slope_.data() + first, slope_.data() + last, 0.0f);
    });
  }

  PbConvergence solve(const Progress& progress);

 private:
  bool is_nonlinear() const { return options_.equation == PbEquation::nonlinear; }

  template <typename Work>
  void for_points(const Work& work) {
    const std::int64_t size = std::int64_t(phi_kT_e_.size());
    for_ranges(pool_, size, size, work);
  }

  double residual_norm() {
    return residual_.at(phi_kT_e_, gradients_.residual(), is_nonlinear() ? &slope_ : nullptr);
  }
  void solve_linear(double target, ResidualProgress& told);
  void solve_nonlinear(double target, ResidualProgress& told);
  void iterate();
  void add_correction(double share);
  [[noreturn]] void fail_to_converge() const;

  PbSystem& system_;
  PbLevels& levels_;
  PbSolverOptions options_;
  ThreadPool& pool_;
  IonicSolution ions_;
  PbResidual residual_;
  ConjugateGradients gradients_;
  LargeArray<double> phi_kT_e_;
  LargeArray<float> slope_;
  PbConvergence convergence_;
  double right_side_ = 0.0;
  double norm_ = 0.0;      // of the true residual
  double estimate_ = 0.0;  // of the residual as conjugate gradients follow it
};

PbConvergence PbSolver::Workspace::solve(const Progress& progress) {
  convergence_ = {};
  for_points([&](std::int64_t first, std::int64_t last) {
    for (std::int64_t p = first; p < last; ++p)
      phi_kT_e_[std::size_t(p)] = system_.boundary_kT_e[std::size_t(p)];
  });
  right_side_ = residual_.right_side(phi_kT_e_);
  if (!std::isfinite(right_side_)) check_system(system_, pool_.threads());
  if (right_side_ == 0.0) {  // neither charges nor given potentials
    std::fill(system_.boundary_kT_e.begin(), system_.boundary_kT_e.end(), 0.0f);
    return convergence_;
  }
  const double target = options_.tolerance * right_side_;
  norm_ = residual_norm();
  convergence_.history = {norm_ / right_side_};
  ResidualProgress told(progress, norm_, target);
  told.at(norm_);
  if (is_nonlinear())
    solve_nonlinear(target, told);
  else
    solve_linear(target, told);
  convergence_.residual = norm_ / right_side_;
  if (is_nonlinear()) residual_.check_cap(phi_kT_e_);
  for_points([&](std::int64_t first, std::int64_t last) {
    for (std::int64_t p = first; p < last; ++p)
      system_.boundary_kT_e[std::size_t(p)] = float(phi_kT_e_[std::size_t(p)]);
  });
  return convergence_;
}

void PbSolver::Workspace::iterate() {
  if (convergence_.iterations == options_.max_iterations) fail_to_converge();
  estimate_ = gradients_.iterate();
  ++convergence_.iterations;
  if (!std::isfinite(estimate_)) fail_to_converge();
}

void PbSolver::Workspace::solve_linear(double target, ResidualProgress& told) {
  // fp32 follows the true residual over that many orders of magnitude before rounding shows.
  constexpr double followed = 1e-4;
  gradients_.start();
  double last_true = norm_;
  while (norm_ > target) {
    iterate();
    if (estimate_ <= target || estimate_ <= followed * last_true) {
      add_correction(1.0);
      estimate_ = last_true = norm_ = residual_norm();
      gradients_.clear_correction();
    }
    convergence_.history.push_back(estimate_ / right_side_);
    told.at(estimate_);
  }
}

void PbSolver::Workspace::solve_nonlinear(double target, ResidualProgress& told) {
  double forcing = 0.1;
  while (norm_ > target) {
    levels_.set_reaction(slope_.data(), 1.0f);
    gradients_.start();
    const double before = norm_, goal = std::max(forcing * norm_, 0.5 * target);
    do iterate();
    while (estimate_ > goal);
    residual_.add_newton_step(gradients_.correction(), phi_kT_e_);
    norm_ = residual_norm();
    ++convergence_.newton_steps;
    forcing = std::clamp(0.9 * (norm_ / before) * (norm_ / before), 1e-3, 0.1);
    convergence_.history.push_back(norm_ / right_side_);
    told.at(norm_);
  }
}

void PbSolver::Workspace::add_correction(double share) {
  const LargeArray<float>& correction = gradients_.correction();
  for_points([&](std::int64_t first, std::int64_t last) {
    for (std::int64_t p = first; p < last; ++p)
      phi_kT_e_[std::size_t(p)] += share * double(correction[std::size_t(p)]);
  });
}

void PbSolver::Workspace::fail_to_converge() const {
  fail("the Poisson-Boltzmann equation is not solved after ", convergence_.iterations,
       " iterations: the residual is ", estimate_ / right_side_, " of the right side, and ",
       options_.tolerance, " was asked for; allow more iterations or a larger tolerance");
}

std::int64_t pb_solver_bytes(const LatticeGeometry& lattice, PbEquation equation) {
  if (std::min({lattice.counts.x, lattice.counts.y, lattice.counts.z}) < 3) return 0;
  const std::int64_t of_point = 4 * sizeof(float) + sizeof(double);
  const std::int64_t of_coarse_point = 6 * sizeof(float);  // matrix, vectors
  std::int64_t bytes = lattice.size() * of_point, collected = 0;
  if (equation == PbEquation::nonlinear) bytes += lattice.size() * std::int64_t(sizeof(float));
  for (const auto& axes : plan_coarsening(lattice.counts, lattice.spacing_A)) {
    const std::int64_t coarse_plane = std::int64_t(axes[0].coarse) * axes[1].coarse;
    bytes += coarse_plane * axes[2].coarse * of_coarse_point;
    collected = std::max(collected, coarse_plane * axes[2].fine);
  }
  return bytes + collected * std::int64_t(sizeof(float));
}

PbSolver::PbSolver(PbSystem& system, const PbSolverOptions& options)
    : system_(checked(system, thread_count(options.threads))),
      options_(checked(options)),
      pool_(thread_count(options.threads)),
      levels_(system, options.simd, pool_) {
  if (levels_.count() > 0) workspace_ = std::make_unique<Workspace>(system_, levels_, options_, pool_);
}

PbSolver::~PbSolver() = default;

void PbSolver::update(const PointBox& changed) {
  check_system(system_, pool_.threads());
  levels_.update(changed);
}

PbConvergence PbSolver::solve(const Progress& progress) {
  return workspace_ ? workspace_->solve(progress) : PbConvergence{};
}

}  // namespace ionwell
