#include "gpu/electrostatics/poisson_boltzmann/device_vectors.hpp"

#include "gpu/electrostatics/poisson_boltzmann/conjugate_gradients.hpp"
#include "gpu/electrostatics/poisson_boltzmann/pb_residual.hpp"
#include "gpu/runtime/device_scope.hpp"
#include "gpu/runtime/launch.hpp"
#include "gpu/runtime/stream.hpp"

namespace ionwell::gpu {
namespace {

__global__ void to_double_kernel(std::int64_t size, const float* from, double* to) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n < size) to[n] = double(from[n]);
}

__global__ void to_float_kernel(std::int64_t size, const double* from, float* to) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n < size) to[n] = float(from[n]);
}

/// phi += e, e = 0.
__global__ void add_correction_kernel(std::int64_t size, float* e, double* phi) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= size) return;
  phi[n] += double(e[n]);
  e[n] = 0.0f;
}

/// All that is on the device; made and destroyed with the device current.
struct OnDevice {
  Stream stream;
  PbLevels levels;
  IonicSolution ions;
  PbResidual residual;
  ConjugateGradients gradients;
  DeviceBuffer<double> phi_kT_e;
  DeviceBuffer<float> charge_e;
  DeviceBuffer<float> slope;  // of what the ions answer

  OnDevice(const PbSystem& system, bool is_nonlinear)
      : levels(system, stream),
        ions(is_nonlinear ? ionic_solution(system) : IonicSolution{}),
        residual(system, levels, is_nonlinear ? &ions : nullptr),
        gradients(levels, stream),
        phi_kT_e(system.charge_e.size(), "the potential"),
        charge_e(system.charge_e.size(), "the charges"),
        slope(is_nonlinear ? system.charge_e.size() : 0, "the solution's answer") {
    slope.zero(stream);
    check(cudaStreamSynchronize(stream), "preparing the Poisson-Boltzmann equation");
  }
};

class DeviceVectors final : public PbVectors {
 public:
  DeviceVectors(int ordinal, PbSystem& system, bool is_nonlinear)
      : ordinal_(ordinal), system_(system), is_nonlinear_(is_nonlinear) {
    const DeviceScope scope(ordinal_, {});
    on_ = std::make_unique<OnDevice>(system, is_nonlinear);
  }
  ~DeviceVectors() override {
    try {
      const DeviceScope scope(ordinal_, {});
      on_.reset();
    } catch (const std::exception&) {
      // A device that has failed for good: there is nothing left on it to free.
    }
  }

  void update(const PointBox& changed) override {
    const DeviceScope scope(ordinal_, {});
    on_->levels.update(system_, changed, on_->stream);
    check(cudaStreamSynchronize(on_->stream), "changing the Poisson-Boltzmann equation");
  }

  double load() override {
    const DeviceScope scope(ordinal_, {});
    on_->charge_e.copy_from(system_.charge_e, on_->stream);
    // The correction's array holds the start while it is made fp64; it is zero again when gradients start.
    DeviceBuffer<float>& start = on_->gradients.correction();
    start.copy_from(system_.boundary_kT_e, on_->stream);
    to_double_kernel<<<blocks_for(size()), usual_threads, 0, on_->stream>>>(size(), start.data(), phi());
    check_launch("reading the start");
    return on_->residual.right_side(phi(), on_->charge_e.data(), on_->stream);
  }

  double compute_residual() override {
    const DeviceScope scope(ordinal_, {});
    return on_->residual.at(phi(), on_->charge_e.data(), on_->gradients.residual().data(),
                            is_nonlinear_ ? on_->slope.data() : nullptr, on_->stream);
  }

  void linearise() override {
    const DeviceScope scope(ordinal_, {});
    const bool is_first = on_->levels.level(0).reaction != on_->slope.data();
    on_->levels.set_reaction(on_->slope.data(), 1.0f, on_->stream);
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
    add_correction_kernel<<<blocks_for(size()), usual_threads, 0, on_->stream>>>(
        size(), on_->gradients.correction().data(), phi());
    check_launch("correcting the potential");
  }

  void add_newton_step() override {
    const DeviceScope scope(ordinal_, {});
    on_->residual.add_newton_step(on_->gradients.correction().data(), phi(), on_->stream);
    on_->gradients.correction().zero(on_->stream);
  }

  std::int64_t points_beyond_cap() override {
    const DeviceScope scope(ordinal_, {});
    return on_->residual.points_beyond_cap(phi(), on_->stream);
  }

  void store() override {
    const DeviceScope scope(ordinal_, {});
    DeviceBuffer<float>& rounded = on_->gradients.correction();
    to_float_kernel<<<blocks_for(size()), usual_threads, 0, on_->stream>>>(size(), phi(), rounded.data());
    check_launch("rounding the potential");
    rounded.copy_to(system_.boundary_kT_e, on_->stream);
  }

 private:
  std::int64_t size() const { return std::int64_t(on_->phi_kT_e.size()); }
  double* phi() { return on_->phi_kT_e.data(); }

  int ordinal_;
  PbSystem& system_;
  bool is_nonlinear_;
  std::unique_ptr<OnDevice> on_;
};

}  // namespace

std::unique_ptr<PbVectors> device_vectors(int ordinal, PbSystem& system, bool is_nonlinear) {
  return std::make_unique<DeviceVectors>(ordinal, system, is_nonlinear);
}

}  // namespace ionwell::gpu
