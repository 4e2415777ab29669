// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "compute/backend.hpp"
#include "compute/periodic_potential.hpp"
#include "compute/poisson_boltzmann/solute_pb.hpp"
#include "core/error.hpp"
#include "electrostatics/at_points/device_points.hpp"
#include "electrostatics/interpolated/interpolated_forces.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_vectors.hpp"
#include "electrostatics/poisson_boltzmann/solver/plane_shares.hpp"
#include "gpu/backend.hpp"
#include "lattice/frame_maps.hpp"
#include "placement/at_points/point_estimates.hpp"
#include "placement/crystal_sites/site_field.hpp"
#include "sampling/device_chains.hpp"

using namespace ionwell;

namespace {

/// What a device may come to: `failure`, or the potential 1 everywhere.
class OneDevice final : public DeviceBackend {
 public:
  explicit OneDevice(std::string failure) : failure_(std::move(failure)) {}

  Backend kind() const override { return Backend::gpu; }
  bool may_have_device() const override { return true; }
  const DeviceList& devices() const override { return gpu_backend().devices(); }
  Device started(const Device& device) const override { return device; }
  double start_up_s() const override { return 0.0; }
  double expected_start_s() const override { return 0.0; }
  double further_start_s() const override { return 0.0; }
  SummationRates rates(const PairPotential& pair) const override { return gpu_backend().rates(pair); }
  DeviceMemory memory() const override { return gpu_backend().memory(); }
  std::unique_ptr<MaskedLattice> make_lattice(const FieldLayout& layout, const LatticeGeometry& lattice,
                                              const PairPotential& pair,
                                              const FieldOptions& options) const override {
    return gpu_backend().make_lattice(layout, lattice, pair, options);
  }
  std::vector<double> periodic_potential(int device, const PeriodicCell&, const PairPotential&,
                                         std::span<const PointCharge>, std::span<const Vec3<double>> points,
                                         const PeriodicSumOptions&, const Progress& progress) const override {
    CHECK(device == 3);
    progress(0.5);
    if (!failure_.empty()) fail(failure_);
    return std::vector<double>(points.size(), 1.0);
  }
  std::unique_ptr<PointEstimates> point_estimates(int device, const PairPotential& pair,
                                                  const ImagePolynomials* images,
                                                  const EstimatedPoints& points) const override {
    return gpu_backend().point_estimates(device, pair, images, points);
  }
  DevicePointRates point_rates(const PairPotential& pair) const override {
    return gpu_backend().point_rates(pair);
  }
  std::unique_ptr<DevicePoints> make_points(int device, std::int64_t memory_bytes,
                                            std::span<const PointCharge> charges,
                                            const PairPotential& pair) const override {
    return gpu_backend().make_points(device, memory_bytes, charges, pair);
  }
  std::unique_ptr<FrameMaps> make_frame_maps(int device, const FrameMapsOptions& options) const override {
    return gpu_backend().make_frame_maps(device, options);
  }
  std::unique_ptr<PbVectors> pb_vectors(const std::vector<int>& devices, PbSystem& system,
                                        bool is_nonlinear) const override {
    return gpu_backend().pb_vectors(devices, system, is_nonlinear);
  }
  std::unique_ptr<SolutePb> solute_pb(int device, const OwnPbCalculation& calculation,
                                      std::span<const Atom> atoms) const override {
    return gpu_backend().solute_pb(device, calculation, atoms);
  }
  PlaneShares share_planes(const LatticeGeometry& lattice, int ranks) const override {
    return gpu_backend().share_planes(lattice, ranks);
  }
  std::unique_ptr<PbVectors> shared_pb_vectors(int device, PbSystem& system, bool is_nonlinear,
                                               RankGroup& group) const override {
    return gpu_backend().shared_pb_vectors(device, system, is_nonlinear, group);
  }
  std::unique_ptr<SiteField> make_site_field(int device, const SiteProblem& problem,
                                             const Progress& progress) const override {
    return gpu_backend().make_site_field(device, problem, progress);
  }
  std::unique_ptr<InterpolatedForces> interpolated_forces(int device, const PotentialOnLattice& potential,
                                                          ForceInterpolation interpolation) const override {
    return gpu_backend().interpolated_forces(device, potential, interpolation);
  }
  DeviceChainRates chain_rates() const override { return gpu_backend().chain_rates(); }
  std::unique_ptr<DeviceChains> make_chains(int device, ChainProblem problem) const override {
    return gpu_backend().make_chains(device, std::move(problem));
  }
  void copy_to_host(int ordinal, const void* from, std::span<std::byte> to) const override {
    gpu_backend().copy_to_host(ordinal, from, to);
  }

 private:
  std::string failure_;
};

const PeriodicCell cell(cell_vectors({{20, 20, 20}, {90, 90, 90}}));
const PairPotential pair{PairPotential::Kind::coulomb, 7.1, 0.0};
const std::vector<PointCharge> charges{{{1, 2, 3}, 1.0}};
const std::vector<Vec3<double>> points{{4, 5, 6}, {7, 8, 9}};

BackendChoice on(const OneDevice& device) {
  return {.backend = Backend::gpu, .owner = &device, .devices = {Device{.number = 3}}};
}

}  // namespace

TEST_CASE(
    "periodic potential: a device computes it, or the CPU where there is none or it fails, and says so") {
  const std::vector<double> exact = periodic_potential(cell, pair, charges, points);
  const PeriodicPotential by_device = periodic_potential(on(OneDevice("")), cell, pair, charges, points);
  CHECK(by_device.values_kT_e == std::vector<double>{1.0, 1.0});
  CHECK(by_device.computed_on == Backend::gpu);
  CHECK(by_device.note.empty());

  const PeriodicPotential failed =
      periodic_potential(on(OneDevice("too little memory")), cell, pair, charges, points);
  CHECK(failed.values_kT_e == exact);
  CHECK(failed.computed_on == Backend::cpu);
  CHECK(failed.note == "the periodic potential was summed on the CPU: too little memory");

  const PeriodicPotential without = periodic_potential(BackendChoice{}, cell, pair, charges, points);
  CHECK(without.values_kT_e == exact);
  CHECK(without.note.empty());
}

TEST_CASE("periodic potential: who cancels a device does not get the CPU's") {
  const auto cancel = [](double) { throw Error("cancelled"); };
  CHECK_THROWS_WITH_AS(periodic_potential(on(OneDevice("")), cell, pair, charges, points, {}, cancel),
                       "cancelled", Error);
}
