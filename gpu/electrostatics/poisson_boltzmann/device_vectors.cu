// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/electrostatics/poisson_boltzmann/device_vectors.hpp"

#include "electrostatics/poisson_boltzmann/solver/pb_levels.hpp"
#include "gpu/electrostatics/poisson_boltzmann/conjugate_gradients.hpp"
#include "gpu/electrostatics/poisson_boltzmann/pb_residual.hpp"
#include "gpu/electrostatics/poisson_boltzmann/stretches.cuh"
#include "gpu/runtime/device_scope.hpp"
#include "gpu/runtime/launch.hpp"
#include "gpu/runtime/pinned_pages.hpp"
#include "gpu/runtime/team.hpp"

namespace ionwell::gpu {
namespace {

template <typename From, typename To>
__global__ void convert_kernel(std::int64_t first, std::int64_t last, const From* from, To* to) {
  const std::int64_t n = point_of_thread(first, last);
  if (n >= 0) to[n] = To(from[n]);
}

/// Of a start, which is as exact as what is saved of it.
__global__ void round_kernel(std::int64_t first, std::int64_t last, double* phi) {
  const std::int64_t n = point_of_thread(first, last);
  if (n >= 0) phi[n] = double(float(phi[n]));
}

/// All that is on the devices; made and destroyed with the main one current.
struct OnDevices {
  PbLevels levels;
  IonicSolution ions;
  PbResidual residual;
  ConjugateGradients gradients;
  DeviceBuffer<double> phi_kT_e;
  DeviceBuffer<float> charge_e;
  DeviceBuffer<float> slope;  // of what the ions answer
  PinnedPages pinned_charges, pinned_potential;

  OnDevices(const Team& team, const PbSystem& system, bool is_nonlinear, RankGroup* group)
      : levels(system, team.ordinals(), team.stream(), group),
        ions(is_nonlinear ? ionic_solution(system) : IonicSolution{}),
        residual(system, levels, is_nonlinear ? &ions : nullptr, team),
        gradients(levels, team),
        phi_kT_e(levels.planes().size(0), "the potential"),
        charge_e(levels.planes().size(0), "the charges"),
        slope(is_nonlinear ? levels.planes().size(0) : 0, "the solution's answer") {
    slope.zero(team.stream());
    if (!is_nonlinear) gradients.prepare();  // while the devices make coarser lattices
    if (!system.is_on_device)
      check(cudaStreamSynchronize(team.stream()), "preparing the Poisson-Boltzmann equation");
  }
};

class DeviceVectors final : public PbVectors {
 public:
  DeviceVectors(const std::vector<int>& ordinals, PbSystem& system, bool is_nonlinear, RankGroup* group)
      : ordinal_(ordinals.front()), system_(system), is_nonlinear_(is_nonlinear) {
    const DeviceScope scope(ordinal_, {});
    team_ = std::make_unique<Team>(ordinals);
    const SpreadScope spread(
        spreading_of(finest_borders(finest_level(system), int(team_->ordinals().size())), team_->ordinals()));
    on_ = std::make_unique<OnDevices>(*team_, system, is_nonlinear, group);
  }
  ~DeviceVectors() override {
    try {
      const DeviceScope scope(ordinal_, {});
      on_.reset();
      team_.reset();
    } catch (const std::exception&) {
      // A device that has failed for good: there is nothing left on it to free.
    }
  }

  void update(const PointBox& changed) override {
    const DeviceScope scope(ordinal_, {});
    if (system_.is_on_device)
      on_->levels.changed(changed, stream());
    else
      on_->levels.update(system_, changed, stream());
  }

  double load() override {
    const DeviceScope scope(ordinal_, {});
    if (system_.is_on_device) return load_on_device();
    if (++loads_ == 2) {  // there will be more, and they and the solutions come several times faster then
      on_->pinned_charges = PinnedPages(system_.charge_e);
      on_->pinned_potential = PinnedPages(system_.boundary_kT_e);
    }
    on_->charge_e.copy_from(stored(system_.charge_e), stream());
    // The correction's array holds the start while it is made fp64.
    on_->gradients.room().copy_from(stored(system_.boundary_kT_e), stream());
    over_points("reading the start", convert_kernel<float, double>, room(), phi());
    return of_start();
  }

  double compute_residual() override { return norm_of_start_; }  // `load` has computed it

  void linearise() override {
    const DeviceScope scope(ordinal_, {});
    float* const slope = from_plane_0(on_->slope);
    const bool is_first = on_->levels.level(0).reaction != slope;
    on_->levels.set_reaction(slope, 1.0f, stream());
    if (is_first) on_->gradients.forget_graph();
  }

  void start_gradients() override {
    const DeviceScope scope(ordinal_, {});
    on_->gradients.start();
  }

  double iterate(bool is_followed) override {
    const DeviceScope scope(ordinal_, {});
    return on_->gradients.iterate(is_followed);
  }

  double add_correction() override {
    const DeviceScope scope(ordinal_, {});
    on_->gradients.add_correction(phi());
    return residual();
  }

  double add_newton_step() override {
    const DeviceScope scope(ordinal_, {});
    on_->residual.add_newton_step(on_->gradients.whole_correction(), phi());
    on_->gradients.forget_correction();
    return residual();
  }

  std::int64_t points_beyond_cap() override {
    const DeviceScope scope(ordinal_, {});
    return on_->residual.points_beyond_cap(phi());
  }

  void store() override {
    if (system_.is_on_device) return;
    const DeviceScope scope(ordinal_, {});
    over_points("rounding the potential", convert_kernel<double, float>, phi(), room());
    on_->gradients.room().copy_to(stored(system_.boundary_kT_e), stream());
  }

  std::optional<DeviceValues> values_on_device() const override {
    return DeviceValues{ordinal_, on_->phi_kT_e.data()};
  }

  ResidentArrays arrays() {
    return {on_->levels.finest(), on_->charge_e.data(), on_->phi_kT_e.data(), stream()};
  }

 private:
  double load_on_device() {
    // Zeros and what start_from gives need it not.
    if (++loads_ > 1) over_points("rounding the start", round_kernel, phi());
    const double norm = of_start();
    if (norm == 0.0) on_->phi_kT_e.zero(stream());  // neither charges nor given potentials
    return norm;
  }

  /// Of the potential now; returns its norm.
  double residual() {
    return on_->residual.at(phi(), charges(), from_plane_0(on_->gradients.residual()), slope());
  }

  /// The same, which is the start; returns the norm of the right side.
  double of_start() {
    const PbResidual::Norms norms =
        on_->residual.of_start(phi(), charges(), from_plane_0(on_->gradients.residual()), slope());
    norm_of_start_ = norms.residual;
    return norms.right_side;
  }

  float* slope() { return is_nonlinear_ ? from_plane_0(on_->slope) : nullptr; }

  /// Arrays as kernels take them: where plane 0 would be.
  template <typename T>
  T* from_plane_0(DeviceBuffer<T>& array) const {
    return on_->levels.planes().from_plane_0(0, array.data());
  }
  double* phi() { return from_plane_0(on_->phi_kT_e); }
  const float* charges() { return from_plane_0(on_->charge_e); }
  float* room() { return from_plane_0(on_->gradients.room()); }

  /// Of a system's array, which begins with the planes here.
  std::span<float> stored(std::vector<float>& values) const {
    return {values.data(), on_->levels.planes().size(0)};
  }

  cudaStream_t stream() const { return team_->stream(); }

  /// Launches kernel(first, last, arguments) for all points, a thread to each; where planes are shared, for
  /// those of its own and a ghost.
  template <typename Kernel, typename... Arguments>
  void over_points(const char* what, const Kernel& kernel, Arguments... arguments) {
    const PbLevel& level = on_->levels.level(0);
    const PlaneBorders borders = on_->levels.borders(0).with(1);
    team_->share(level.size(), [&](const Share& share, cudaStream_t of_device) {
      const ElementRange range(level, borders, share);
      kernel<<<blocks_for(range.last - range.first + points_of_line), usual_threads, 0, of_device>>>(
          range.first, range.last, arguments...);
      check_launch(what);
    });
  }

  int ordinal_;
  PbSystem& system_;
  bool is_nonlinear_;
  int loads_ = 0;
  double norm_of_start_ = 0.0;
  std::unique_ptr<Team> team_;
  std::unique_ptr<OnDevices> on_;
};

}  // namespace

std::unique_ptr<PbVectors> device_vectors(const std::vector<int>& ordinals, PbSystem& system,
                                          bool is_nonlinear) {
  return std::make_unique<DeviceVectors>(ordinals, system, is_nonlinear, nullptr);
}

ResidentVectors resident_vectors(int ordinal, PbSystem& system, bool is_nonlinear) {
  auto vectors = std::make_unique<DeviceVectors>(std::vector{ordinal}, system, is_nonlinear, nullptr);
  const ResidentArrays arrays = vectors->arrays();
  return {std::move(vectors), arrays};
}

std::unique_ptr<PbVectors> shared_device_vectors(int ordinal, PbSystem& system, bool is_nonlinear,
                                                 RankGroup& group) {
  return std::make_unique<DeviceVectors>(std::vector{ordinal}, system, is_nonlinear, &group);
}

}  // namespace ionwell::gpu
