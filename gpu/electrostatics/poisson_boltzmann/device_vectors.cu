#include "gpu/electrostatics/poisson_boltzmann/device_vectors.hpp"

#include "electrostatics/poisson_boltzmann/solver/pb_levels.hpp"
#include "gpu/electrostatics/poisson_boltzmann/conjugate_gradients.hpp"
#include "gpu/electrostatics/poisson_boltzmann/march.cuh"
#include "gpu/electrostatics/poisson_boltzmann/pb_residual.hpp"
#include "gpu/runtime/device_scope.hpp"
#include "gpu/runtime/launch.hpp"
#include "gpu/runtime/pinned_pages.hpp"
#include "gpu/runtime/team.hpp"

namespace ionwell::gpu {
namespace {

template <typename From, typename To>
__global__ void convert_kernel(std::int64_t first, std::int64_t last, const From* from, To* to) {
  const std::int64_t n = first + std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n < last) to[n] = To(from[n]);
}

/// phi += e, e = 0.
__global__ void add_correction_kernel(std::int64_t first, std::int64_t last, float* e, double* phi) {
  const std::int64_t n = first + std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= last) return;
  phi[n] += double(e[n]);
  e[n] = 0.0f;
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

  OnDevices(const Team& team, const PbSystem& system, bool is_nonlinear)
      : levels(system, team.ordinals(), team.stream()),
        ions(is_nonlinear ? ionic_solution(system) : IonicSolution{}),
        residual(system, levels, is_nonlinear ? &ions : nullptr, team),
        gradients(levels, team),
        phi_kT_e(system.charge_e.size(), "the potential"),
        charge_e(system.charge_e.size(), "the charges"),
        slope(is_nonlinear ? system.charge_e.size() : 0, "the solution's answer") {
    slope.zero(team.stream());
    check(cudaStreamSynchronize(team.stream()), "preparing the Poisson-Boltzmann equation");
  }
};

class DeviceVectors final : public PbVectors {
 public:
  DeviceVectors(const std::vector<int>& ordinals, PbSystem& system, bool is_nonlinear)
      : ordinal_(ordinals.front()), system_(system), is_nonlinear_(is_nonlinear) {
    const DeviceScope scope(ordinal_, {});
    team_ = std::make_unique<Team>(ordinals);
    const SpreadScope spread(
        spreading_of(finest_borders(finest_level(system), int(team_->ordinals().size())), team_->ordinals()));
    on_ = std::make_unique<OnDevices>(*team_, system, is_nonlinear);
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
    on_->levels.update(system_, changed, stream());
  }

  double load() override {
    const DeviceScope scope(ordinal_, {});
    if (++loads_ == 2) {  // there will be more, and they and the solutions come several times faster then
      on_->pinned_charges = PinnedPages(system_.charge_e);
      on_->pinned_potential = PinnedPages(system_.boundary_kT_e);
    }
    on_->charge_e.copy_from(system_.charge_e, stream());
    // The correction's array holds the start while it is made fp64; it is zero again when gradients start.
    DeviceBuffer<float>& start = on_->gradients.correction();
    start.copy_from(system_.boundary_kT_e, stream());
    over_points("reading the start", convert_kernel<float, double>, start.data(), phi());
    return on_->residual.right_side(phi(), on_->charge_e.data());
  }

  double compute_residual() override {
    const DeviceScope scope(ordinal_, {});
    return on_->residual.at(phi(), on_->charge_e.data(), on_->gradients.residual().data(),
                            is_nonlinear_ ? on_->slope.data() : nullptr);
  }

  void linearise() override {
    const DeviceScope scope(ordinal_, {});
    const bool is_first = on_->levels.level(0).reaction != on_->slope.data();
    on_->levels.set_reaction(on_->slope.data(), 1.0f, stream());
    if (is_first) on_->gradients.forget_graph();
  }

  void start_gradients() override {
    const DeviceScope scope(ordinal_, {});
    on_->gradients.start();
  }

  double iterate() override {
    const DeviceScope scope(ordinal_, {});
    return on_->gradients.iterate();
  }

  void add_correction() override {
    const DeviceScope scope(ordinal_, {});
    over_points("correcting the potential", add_correction_kernel, on_->gradients.correction().data(), phi());
  }

  void add_newton_step() override {
    const DeviceScope scope(ordinal_, {});
    on_->residual.add_newton_step(on_->gradients.correction().data(), phi());
    on_->gradients.correction().zero(stream());
  }

  std::int64_t points_beyond_cap() override {
    const DeviceScope scope(ordinal_, {});
    return on_->residual.points_beyond_cap(phi());
  }

  void store() override {
    const DeviceScope scope(ordinal_, {});
    DeviceBuffer<float>& rounded = on_->gradients.correction();
    over_points("rounding the potential", convert_kernel<double, float>, phi(), rounded.data());
    rounded.copy_to(system_.boundary_kT_e, stream());
  }

  std::optional<DeviceValues> values_on_device() const override {
    return DeviceValues{ordinal_, on_->phi_kT_e.data()};
  }

 private:
  std::int64_t size() const { return std::int64_t(on_->phi_kT_e.size()); }
  double* phi() { return on_->phi_kT_e.data(); }
  cudaStream_t stream() const { return team_->stream(); }

  /// Launches kernel(first, last, arguments) for all points, a thread to each.
  template <typename Kernel, typename... Arguments>
  void over_points(const char* what, const Kernel& kernel, Arguments... arguments) {
    team_->share(size(), [&](const Share& share, cudaStream_t of_device) {
      const ElementRange range(on_->levels.level(0), on_->levels.borders(0), share);
      kernel<<<blocks_for(range.last - range.first), usual_threads, 0, of_device>>>(range.first, range.last,
                                                                                    arguments...);
      check_launch(what);
    });
  }

  int ordinal_;
  PbSystem& system_;
  bool is_nonlinear_;
  int loads_ = 0;
  std::unique_ptr<Team> team_;
  std::unique_ptr<OnDevices> on_;
};

}  // namespace

std::unique_ptr<PbVectors> device_vectors(const std::vector<int>& ordinals, PbSystem& system,
                                          bool is_nonlinear) {
  return std::make_unique<DeviceVectors>(ordinals, system, is_nonlinear);
}

}  // namespace ionwell::gpu
