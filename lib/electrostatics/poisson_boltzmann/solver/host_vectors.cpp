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
        workspace_(fitting(std::move(workspace), levels_.level(0).size())),
        is_nonlinear_(is_nonlinear),
        ions_(is_nonlinear ? ionic_solution(system) : IonicSolution{}),
        residual_(system, levels_, is_nonlinear ? &ions_ : nullptr, simd, pool_),
        gradients_(levels_, simd, pool_, *workspace_),
        phi_kT_e_(workspace_->potential()) {
    if (!is_nonlinear) return;
    slope_ = LargeArray<float>(std::size_t(levels_.level(0).size()));
    for_points([&](std::size_t p) { slope_[p] = 0.0f; });
  }

  void update(const PointBox& changed) override { levels_.update(changed); }

  double load() override {
    gradients_.clear();
    for_points([&](std::size_t p) { phi_kT_e_[p] = double(system_.boundary_kT_e[p]); });
    return residual_.right_side(phi_kT_e_);
  }

  double compute_residual() override {
    return residual_.at(phi_kT_e_, gradients_.residual(), is_nonlinear_ ? &slope_ : nullptr);
  }

  void linearise() override { levels_.set_reaction(slope_.data(), 1.0f); }
  void start_gradients() override { gradients_.start(); }
  double iterate() override { return gradients_.iterate(); }

  void add_correction() override {
    const LargeArray<float>& correction = gradients_.correction();
    for_points([&](std::size_t p) { phi_kT_e_[p] += double(correction[p]); });
    gradients_.clear_correction();
  }

  void add_newton_step() override {
    residual_.add_newton_step(gradients_.correction(), phi_kT_e_);
    gradients_.clear_correction();
  }

  std::int64_t points_beyond_cap() override { return residual_.points_beyond_cap(phi_kT_e_); }

  void store() override {
    for_points([&](std::size_t p) { system_.boundary_kT_e[p] = float(phi_kT_e_[p]); });
  }

 private:
  template <typename Work>
  void for_points(const Work& work) {
    const std::int64_t size = levels_.level(0).size();
    for_ranges(pool_, size, size, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t p = first; p < last; ++p) work(std::size_t(p));
    });
  }

  static std::shared_ptr<HostWorkspace> fitting(std::shared_ptr<HostWorkspace> workspace,
                                                std::int64_t points) {
    if (workspace == nullptr) workspace = std::make_shared<HostWorkspace>();
    workspace->fit(std::size_t(points));
    return workspace;
  }

  PbSystem& system_;
  ThreadPool pool_;
  PbLevels levels_;
  std::shared_ptr<HostWorkspace> workspace_;
  bool is_nonlinear_;
  IonicSolution ions_;
  PbResidual residual_;
  ConjugateGradients gradients_;
  LargeArray<double>& phi_kT_e_;
  LargeArray<float> slope_;  // of what the ions answer
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
