// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "compute/backend.hpp"
#include "compute/poisson_boltzmann/solute_pb.hpp"
#include "core/error.hpp"
#include "electrostatics/at_points/device_points.hpp"
#include "electrostatics/interpolated/interpolated_forces.hpp"
#include "electrostatics/periodic/periodic_sum.hpp"
#include "electrostatics/poisson_boltzmann/solver/host_vectors.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_levels.hpp"
#include "lattice/frame_maps.hpp"
#include "placement/crystal_sites/site_field.hpp"
#include "placement/host_field.hpp"
#include "sampling/host_chains.hpp"
#include "support/plain_estimates.hpp"

namespace ionwell::test {

/// Vectors that the host has, with the last solution where a device would have it.
class StandInVectors final : public PbVectors {
 public:
  StandInVectors(const PbSystem& system, std::unique_ptr<PbVectors> vectors)
      : system_(system), vectors_(std::move(vectors)) {}

  void update(const PointBox& changed) override { vectors_->update(changed); }
  double load() override { return vectors_->load(); }
  double compute_residual() override { return vectors_->compute_residual(); }
  void linearise() override { vectors_->linearise(); }
  void start_gradients() override { vectors_->start_gradients(); }
  double iterate(bool is_followed) override { return vectors_->iterate(is_followed); }
  double add_correction() override { return vectors_->add_correction(); }
  double add_newton_step() override { return vectors_->add_newton_step(); }
  std::int64_t points_beyond_cap() override { return vectors_->points_beyond_cap(); }
  void store() override {
    vectors_->store();
    values_kT_e_.assign(system_.boundary_kT_e.begin(), system_.boundary_kT_e.end());
  }
  std::optional<DeviceValues> values_on_device() const override {
    return DeviceValues{0, values_kT_e_.data()};
  }

 private:
  const PbSystem& system_;
  std::unique_ptr<PbVectors> vectors_;
  std::vector<double> values_kT_e_;
};

/// Devices made of memory sizes; what they are to compute the CPU does.
class StandInBackend final : public DeviceBackend {
 public:
  mutable std::atomic<int> starts = 0;
  std::int64_t driver_free_bytes = 0;  // what show_only hears of; 0: it hides nothing
  int searches = -1;                   // of a run, before a device fails at one; -1: it never does

  explicit StandInBackend(const std::vector<std::int64_t>& memory_bytes) {
    for (const std::int64_t bytes : memory_bytes)
      list_.devices.push_back(
          {.number = int(list_.devices.size()), .name = "stand-in", .memory_bytes = bytes});
    if (memory_bytes.empty()) list_.problem = "there is no stand-in";
  }

  Backend kind() const override { return Backend::gpu; }
  bool may_have_device() const override { return true; }
  const DeviceList& devices() const override { return list_; }
  void show_only(const std::vector<int>& numbers, std::int64_t free_bytes) const override {
    if (driver_free_bytes < free_bytes) return;
    std::erase_if(list_.devices, [&](const Device& device) {
      const bool is_hidden = std::count(numbers.begin(), numbers.end(), device.number) == 0;
      if (is_hidden) list_.hidden.push_back(device.number);
      return is_hidden;
    });
  }
  Device started(const Device& device) const override {
    ++starts;
    Device result = device;
    result.free_bytes = device.memory_bytes;
    return result;
  }
  double start_up_s() const override { return 0.25; }
  double expected_start_s() const override { return 0.4; }
  double further_start_s() const override { return 0.1; }
  SummationRates rates(const PairPotential&) const override { return {1e12, 0.01, 1e-7, 1e-11}; }
  DeviceMemory memory() const override {
    return {.block_values = 2048,
            .block_listed = 64,
            .block_search = 64,
            .charge = 32,
            .charge_sorting = 64,
            .working = 1'000'000,
            .lane_block = 2048,
            .lanes = 4,
            .usual_direct_blocks = 2048,
            .usual_multilevel_blocks = 8192,
            .grid_point = 20.0,
            .grids = 1'000'000,
            .grid_axis_points = 128,
            .site_point = 9,
            .equation_point = 54,
            .equation_atom = 3000,
            .equation = 1'000'000};
  }
  std::unique_ptr<MaskedLattice> make_lattice(const FieldLayout&, const LatticeGeometry& lattice,
                                              const PairPotential& pair,
                                              const FieldOptions& options) const override {
    return make_host_lattice(lattice, pair, options);
  }
  std::vector<double> periodic_potential(int, const PeriodicCell& cell, const PairPotential& pair,
                                         std::span<const PointCharge> charges,
                                         std::span<const Vec3<double>> points_A,
                                         const PeriodicSumOptions& options,
                                         const Progress& progress) const override {
    return ionwell::periodic_potential(cell, pair, charges, points_A, options, progress);
  }
  std::unique_ptr<PointEstimates> point_estimates(int, const PairPotential& pair,
                                                  const ImagePolynomials* images,
                                                  const EstimatedPoints& points) const override {
    return std::make_unique<PlainEstimates>(pair, images, points, searches);
  }
  DevicePointRates point_rates(const PairPotential&) const override { return {2e12, 0.01, 1e-8, 1e-8, 1e-9}; }
  std::unique_ptr<DevicePoints> make_points(int, std::int64_t, std::span<const PointCharge>,
                                            const PairPotential&) const override {
    fail("the stand-in has no points");
  }
  std::unique_ptr<FrameMaps> make_frame_maps(int, const FrameMapsOptions&) const override {
    fail("the stand-in has no maps of frames");
  }
  std::unique_ptr<PbVectors> pb_vectors(const std::vector<int>&, PbSystem& system,
                                        bool is_nonlinear) const override {
    return host_vectors(system, is_nonlinear, SimdLevel::automatic, 1);
  }
  std::unique_ptr<SolutePb> solute_pb(int, const OwnPbCalculation&, std::span<const Atom>) const override {
    return nullptr;  // by pb_vectors
  }
  PlaneShares share_planes(const LatticeGeometry& lattice, int ranks) const override {
    return ionwell::share_planes(lattice.counts, plan_coarsening(lattice.counts, lattice.spacing_A), ranks);
  }
  std::unique_ptr<PbVectors> shared_pb_vectors(int, PbSystem& system, bool is_nonlinear,
                                               RankGroup& group) const override {
    return std::make_unique<StandInVectors>(
        system, shared_host_vectors(system, is_nonlinear, SimdLevel::automatic, 1, group));
  }
  std::unique_ptr<SiteField> make_site_field(int, const SiteProblem& problem,
                                             const Progress& progress) const override {
    return make_host_site_field(problem, progress);
  }
  std::unique_ptr<InterpolatedForces> interpolated_forces(int, const PotentialOnLattice& potential,
                                                          ForceInterpolation interpolation) const override {
    return make_host_forces(potential, {.interpolation = interpolation});
  }
  DeviceChainRates chain_rates() const override {
    return {1e-6, 1e-9, 1e-9, 1e-11, 1e-6, 1e-8, 1e-10, 1e-12, 3.0, 3.0};
  }
  std::unique_ptr<DeviceChains> make_chains(int, ChainProblem problem) const override {
    return std::make_unique<HostChains>(std::move(problem));
  }
  void copy_to_host(int, const void* from, std::span<std::byte> to) const override {
    std::memcpy(to.data(), from, to.size());
  }

 private:
  mutable DeviceList list_;
};

}  // namespace ionwell::test
