// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/poisson_boltzmann/solver/host_vectors.hpp"

#include <utility>

#include "electrostatics/poisson_boltzmann/solver/conjugate_gradients.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_levels.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_residual.hpp"
#include "electrostatics/poisson_boltzmann/solver/plane_stages.hpp"

namespace ionwell {
namespace {

class HostVectors final : public PbVectors {
 public:
  HostVectors(PbSystem& system, bool is_nonlinear, SimdLevel simd, int threads, RankGroup* group,
              std::shared_ptr<HostWorkspace> workspace)
      : system_(system),
        pool_(threads),
        levels_(system, simd, pool_, group),
        workspace_(fitting(std::move(workspace), levels_.level(0))),
        half_(levels_.level(0), simd, pool_),
        is_nonlinear_(is_nonlinear),
        ions_(is_nonlinear ? ionic_solution(system) : IonicSolution{}),
        residual_(system, levels_, is_nonlinear ? &ions_ : nullptr, simd, pool_),
        gradients_(half_, levels_, simd, pool_, *workspace_),
        phi_kT_e_(workspace_->potential()) {
    if (!is_nonlinear) half_.update(levels_.level(0), all_points());
  }

  void update(const PointBox& changed) override {
    levels_.update(changed);
    if (!is_nonlinear_) half_.update(levels_.level(0), planes_here(changed));
  }

  double load() override {
    gradients_.clear();
    starts_from_zero_ = residual_.start(system_.boundary_kT_e, phi_kT_e_);
    right_side_ = residual_.right_side(phi_kT_e_, gradients_.even_residual(), gradients_.odd_residual());
    return right_side_;
  }

  double compute_residual() override {
    is_residual_new_ = true;
    return starts_from_zero_ && !is_nonlinear_ ? right_side_ : residual();
  }

  void linearise() override {
    levels_.set_reaction(slope(), 1.0f);
    half_.update(levels_.level(0), all_points());
  }

  void start_gradients() override { gradients_.start(); }

  double iterate(bool) override {
    if (is_residual_new_) gradients_.take_residual();
    is_residual_new_ = false;
    return gradients_.iterate();
  }

  double add_correction() override {
    is_residual_new_ = true;
    float* const correction = gradients_.even_correction();
    return residual_.add_correction(phi_kT_e_, gradients_.even_residual(), correction);
  }

  double add_newton_step() override {
    is_residual_new_ = true;
    residual_.add_newton_step(gradients_.even_correction(), workspace_->directions().data(), phi_kT_e_);
    return residual();
  }

  std::int64_t points_beyond_cap() override { return residual_.points_beyond_cap(phi_kT_e_); }

  void store() override {
    for_points([&](std::size_t p) { system_.boundary_kT_e[p] = float(phi_kT_e_[p]); });
  }

 private:
  double residual() {
    if (is_nonlinear_) for_points([this](std::size_t p) { slope()[p] = 0.0f; });
    return residual_.at(phi_kT_e_, gradients_.even_residual(), gradients_.odd_residual(),
                        is_nonlinear_ ? slope() : nullptr);
  }

  PointBox all_points() const {
    const PbLevel& level = levels_.level(0);
    return {{0, 0, 0}, {level.nx - 1, level.ny - 1, level.nz - 1}};
  }

  /// A box of the whole lattice, counted from the first plane that is here.
  PointBox planes_here(PointBox box) const {
    box.low.z -= levels_.planes().at(0).first;
    box.high.z -= levels_.planes().at(0).first;
    return box;
  }

  /// Of what the ions answer, at all points: from a residual to the matrix that is made of it no direction is
  /// needed.
  float* slope() { return workspace_->directions().data(); }

  template <typename Work>
  void for_points(const Work& work) {
    const std::int64_t size = levels_.level(0).size();
    for_ranges(pool_, size, size, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t p = first; p < last; ++p) work(std::size_t(p));
    });
  }

  static std::shared_ptr<HostWorkspace> fitting(std::shared_ptr<HostWorkspace> workspace,
                                                const PbLevel& level) {
    if (workspace == nullptr) workspace = std::make_shared<HostWorkspace>();
    workspace->fit({level.nx, level.ny, level.nz});
    return workspace;
  }

  PbSystem& system_;
  ThreadPool pool_;
  PbLevels levels_;
  std::shared_ptr<HostWorkspace> workspace_;
  RedBlackLevel half_;
  bool is_nonlinear_;
  IonicSolution ions_;
  PbResidual residual_;
  ConjugateGradients gradients_;
  LargeArray<double>& phi_kT_e_;
  double right_side_ = 0.0;
  bool starts_from_zero_ = false, is_residual_new_ = false;
};

}  // namespace

std::unique_ptr<PbVectors> host_vectors(PbSystem& system, bool is_nonlinear, SimdLevel simd, int threads,
                                        std::shared_ptr<HostWorkspace> workspace) {
  return std::make_unique<HostVectors>(system, is_nonlinear, simd, threads, nullptr, std::move(workspace));
}

std::unique_ptr<PbVectors> shared_host_vectors(PbSystem& system, bool is_nonlinear, SimdLevel simd,
                                               int threads, RankGroup& group,
                                               std::shared_ptr<HostWorkspace> workspace) {
  return std::make_unique<HostVectors>(system, is_nonlinear, simd, threads, &group, std::move(workspace));
}

}  // namespace ionwell
