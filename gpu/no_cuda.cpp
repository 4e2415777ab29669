// SPDX-License-Identifier: BSD-3-Clause
// The GPUs of a build without CUDA: none.
#include "compute/poisson_boltzmann/solute_pb.hpp"
#include "core/error.hpp"
#include "electrostatics/at_points/device_points.hpp"
#include "electrostatics/interpolated/interpolated_forces.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_vectors.hpp"
#include "electrostatics/poisson_boltzmann/solver/plane_shares.hpp"
#include "gpu/backend.hpp"
#include "gpu/gpu_costs.hpp"
#include "lattice/frame_maps.hpp"
#include "placement/at_points/point_estimates.hpp"
#include "placement/crystal_sites/site_field.hpp"
#include "sampling/device_chains.hpp"

namespace ionwell {
namespace {

/// Has costs, so that a plan for GPUs can be made anywhere; all else fails.
class NoGpus final : public gpu::GpuCosts {
 public:
  bool may_have_device() const override { return false; }
  const DeviceList& devices() const override { return none_; }
  double start_up_s() const override { return 0.0; }
  double further_start_s() const override { return gpu::further_started_s; }
  Device started(const Device&) const override { fail(none_.problem); }
  std::unique_ptr<MaskedLattice> make_lattice(const FieldLayout&, const LatticeGeometry&,
                                              const PairPotential&, const FieldOptions&) const override {
    refuse();
  }
  std::vector<double> periodic_potential(int, const PeriodicCell&, const PairPotential&,
                                         std::span<const PointCharge>, std::span<const Vec3<double>>,
                                         const PeriodicSumOptions&, const Progress&) const override {
    refuse();
  }
  std::unique_ptr<PointEstimates> point_estimates(int, const PairPotential&, const ImagePolynomials*,
                                                  const EstimatedPoints&) const override {
    refuse();
  }
  std::unique_ptr<DevicePoints> make_points(int, std::int64_t, std::span<const PointCharge>,
                                            const PairPotential&) const override {
    refuse();
  }
  std::unique_ptr<FrameMaps> make_frame_maps(int, const FrameMapsOptions&) const override { refuse(); }
  std::unique_ptr<PbVectors> pb_vectors(const std::vector<int>&, PbSystem&, bool) const override { refuse(); }
  std::unique_ptr<SolutePb> solute_pb(int, const OwnPbCalculation&, std::span<const Atom>) const override {
    refuse();
  }
  PlaneShares share_planes(const LatticeGeometry&, int) const override { return {}; }
  std::unique_ptr<PbVectors> shared_pb_vectors(int, PbSystem&, bool, RankGroup&) const override { refuse(); }
  std::unique_ptr<SiteField> make_site_field(int, const SiteProblem&, const Progress&) const override {
    refuse();
  }
  std::unique_ptr<InterpolatedForces> interpolated_forces(int, const PotentialOnLattice&,
                                                          ForceInterpolation) const override {
    refuse();
  }
  std::unique_ptr<DeviceChains> make_chains(int, ChainProblem) const override { refuse(); }
  void copy_to_host(int, const void*, std::span<std::byte>) const override {
    fail(none_.problem, "; build it with nvcc, or copy the array to the host first");
  }

 private:
  [[noreturn]] void refuse() const { fail(none_.problem, "; build it with nvcc, or use --backend cpu"); }

  DeviceList none_{{}, {}, "this build has no GPU support (it was built without CUDA)"};
};

}  // namespace

const DeviceBackend& gpu_backend() {
  static const NoGpus none;
  return none;
}

void use_only_gpus(std::vector<int>) {}

std::int64_t least_free_gpu_bytes() {
  return 0;
}

}  // namespace ionwell
