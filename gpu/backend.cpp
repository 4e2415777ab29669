// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/backend.hpp"

#include <utility>

#include "gpu/devices.hpp"
#include "gpu/electrostatics/at_points/points_on_device.hpp"
#include "gpu/electrostatics/forces/interpolated_forces.hpp"
#include "gpu/electrostatics/periodic_sum.hpp"
#include "gpu/electrostatics/poisson_boltzmann/device_vectors.hpp"
#include "gpu/electrostatics/poisson_boltzmann/shared_planes.hpp"
#include "gpu/gpu_costs.hpp"
#include "gpu/lattice/frame_maps_on_device.hpp"
#include "gpu/make_lattice.hpp"
#include "gpu/placement/at_points/estimates_on_device.hpp"
#include "gpu/placement/crystal_sites/site_field_on_gpu.hpp"
#include "gpu/runtime/check.hpp"
#include "gpu/runtime/device_scope.hpp"
#include "gpu/runtime/driver_memory.hpp"
#include "gpu/runtime/gpu_numbers.hpp"
#include "gpu/runtime/gpu_presence.hpp"
#include "gpu/sampling/chains_on_device.hpp"
#include "gpu/solute_pb_on_gpu.hpp"

namespace ionwell {
namespace gpu {
namespace {

class GpuBackend final : public GpuCosts {
 public:
  bool may_have_device() const override { return may_have_gpu(); }
  const DeviceList& devices() const override { return all_devices(); }
  Device started(const Device& device) const override { return started_device(device); }
  double start_up_s() const override { return gpu::start_up_s(); }
  double further_start_s() const override {
    return further_started_s + (are_devices_known() ? 0.0 : further_seen_s);
  }
  void show_only(const std::vector<int>& numbers, std::int64_t free_bytes) const override {
    if (!are_devices_known() && least_free_gpu_bytes() >= free_bytes) hide_gpus_but(numbers);
  }

  std::unique_ptr<MaskedLattice> make_lattice(const FieldLayout& layout, const LatticeGeometry& lattice,
                                              const PairPotential& pair,
                                              const FieldOptions& options) const override {
    FieldLayout on = layout;
    on.devices = ordinals_of(layout.devices);
    if (on.devices.empty()) on.devices = {first_ordinal()};
    return gpu::make_lattice(on, lattice, pair, options);
  }

  std::vector<double> periodic_potential(int device, const PeriodicCell& cell, const PairPotential& pair,
                                         std::span<const PointCharge> charges,
                                         std::span<const Vec3<double>> points_A,
                                         const PeriodicSumOptions& options,
                                         const Progress& progress) const override {
    return gpu::periodic_potential(known_ordinal(device), cell, pair, charges, points_A, options, progress);
  }

  std::unique_ptr<PointEstimates> point_estimates(int device, const PairPotential& pair,
                                                  const ImagePolynomials* images,
                                                  const EstimatedPoints& points) const override {
    return estimates_on_device(known_ordinal(device), pair, images, points);
  }

  std::unique_ptr<DevicePoints> make_points(int device, std::int64_t memory_bytes,
                                            std::span<const PointCharge> charges,
                                            const PairPotential& pair) const override {
    return std::make_unique<PointsOnDevice>(known_ordinal(device), memory_bytes, charges, pair);
  }

  std::unique_ptr<FrameMaps> make_frame_maps(int device, const FrameMapsOptions& options) const override {
    const int ordinal = known_ordinal(device);
    if (FrameMapsOnDevice::bytes(options) > options.memory_bytes) return {};
    return std::make_unique<FrameMapsOnDevice>(ordinal, options);
  }

  std::unique_ptr<PbVectors> pb_vectors(const std::vector<int>& devices, PbSystem& system,
                                        bool is_nonlinear) const override {
    return device_vectors(ordinals_of(devices), system, is_nonlinear);
  }

  std::unique_ptr<SolutePb> solute_pb(int device, const OwnPbCalculation& calculation,
                                      std::span<const Atom> atoms) const override {
    return solute_pb_on_gpu(known_ordinal(device), calculation, atoms);
  }

  PlaneShares share_planes(const LatticeGeometry& lattice, int ranks) const override {
    return share_device_planes(lattice, ranks);
  }

  std::unique_ptr<PbVectors> shared_pb_vectors(int device, PbSystem& system, bool is_nonlinear,
                                               RankGroup& group) const override {
    return shared_device_vectors(known_ordinal(device), system, is_nonlinear, group);
  }

  std::unique_ptr<SiteField> make_site_field(int device, const SiteProblem& problem,
                                             const Progress& progress) const override {
    auto field = std::make_unique<DeviceSiteField>(known_ordinal(device), problem);
    field->fill(problem, progress);
    return field;
  }

  std::unique_ptr<InterpolatedForces> interpolated_forces(int device, const PotentialOnLattice& potential,
                                                          ForceInterpolation interpolation) const override {
    return gpu::interpolated_forces(known_ordinal(device), potential, interpolation);
  }

  std::unique_ptr<DeviceChains> make_chains(int device, ChainProblem problem) const override {
    return chains_on_device(known_ordinal(device), std::move(problem));
  }

  void copy_to_host(int ordinal, const void* from, std::span<std::byte> to) const override {
    const DeviceScope scope(ordinal, nullptr);
    check(cudaMemcpy(to.data(), from, to.size(), cudaMemcpyDeviceToHost), "a copy from the device");
  }
};

}  // namespace
}  // namespace gpu

const DeviceBackend& gpu_backend() {
  static const gpu::GpuBackend backend;
  return backend;
}

void use_only_gpus(std::vector<int> numbers) {
  gpu::show_only_gpus(std::move(numbers));
}

std::int64_t least_free_gpu_bytes() {
  static const std::int64_t bytes = gpu::ask_driver_for_free_bytes();
  return bytes;
}

}  // namespace ionwell
