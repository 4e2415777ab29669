// The CUDA backend of a build without CUDA.
#include "core/error.hpp"
#include "gpu/backend.hpp"
#include "gpu/gpu_field.hpp"
#include "placement/crystal_sites/site_field.hpp"
#include "sampling/device_chains.hpp"

namespace ionwell {

const GpuDevices& gpu_devices() {
  static const GpuDevices none{{}, "this build has no GPU support (it was made without CUDA)"};
  return none;
}

GpuDevice started_gpu(const GpuDevice&) {
  fail(gpu_devices().problem);
}

double gpu_start_up_s() {
  return 0.0;
}

void use_only_gpus(std::vector<int>) {}

std::unique_ptr<MaskedLattice> make_gpu_lattice(const LatticeGeometry&, const PairPotential&,
                                                const FieldOptions&, const std::vector<int>&) {
  fail(gpu_devices().problem, "; build it where nvcc is, or use --backend cpu");
}

std::unique_ptr<MaskedLattice> make_lattice(const GpuLayout& layout, const LatticeGeometry& lattice,
                                            const PairPotential& pair, const FieldOptions& options) {
  return make_gpu_lattice(lattice, pair, options, layout.devices);
}

std::vector<double> gpu_periodic_potential(int, const PeriodicCell&, const PairPotential&,
                                           std::span<const PointCharge>, std::span<const Vec3<double>>,
                                           const PeriodicSumOptions&, const Progress&) {
  fail(gpu_devices().problem, "; build it where nvcc is, or use --backend cpu");
}

std::unique_ptr<DevicePoints> make_gpu_points(int, std::int64_t, std::span<const PointCharge>,
                                              const PairPotential&) {
  fail(gpu_devices().problem, "; build it where nvcc is, or use --backend cpu");
}

std::unique_ptr<FrameMaps> make_gpu_frame_maps(int, const FrameMapsOptions&) {
  fail(gpu_devices().problem, "; build it where nvcc is, or use --backend cpu");
}

std::unique_ptr<SiteField> make_gpu_site_field(int, const SiteProblem&, const Progress&) {
  fail(gpu_devices().problem, "; build it where nvcc is, or use --backend cpu");
}

std::unique_ptr<InterpolatedForces> gpu_interpolated_forces(int, const PotentialOnLattice&,
                                                            ForceInterpolation) {
  fail(gpu_devices().problem, "; build it where nvcc is, or use --backend cpu");
}

std::unique_ptr<DeviceChains> make_gpu_chains(int, ChainProblem) {
  fail(gpu_devices().problem, "; build it where nvcc is, or use --backend cpu");
}

void copy_from_gpu(int, const void*, std::span<std::byte>) {
  fail(gpu_devices().problem, "; build it where nvcc is, or copy the array to the host first");
}

std::unique_ptr<PbVectors> gpu_pb_vectors(const std::vector<int>&, PbSystem&, bool) {
  fail(gpu_devices().problem, "; build it where nvcc is, or use --backend cpu");
}

PlaneShares gpu_plane_shares(const LatticeGeometry&, int) {
  return {};
}

std::unique_ptr<PbVectors> shared_gpu_pb_vectors(int, PbSystem&, bool, RankGroup&) {
  fail(gpu_devices().problem, "; build it where nvcc is, or use --backend cpu");
}

}  // namespace ionwell
