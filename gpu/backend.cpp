#include "gpu/backend.hpp"

#include "gpu/gpu_field.hpp"
#include "gpu/placement/layout.hpp"
#include "gpu/runtime/gpu_presence.hpp"
#include "placement/crystal_sites/site_field.hpp"
#include "sampling/device_chains.hpp"

namespace ionwell {
namespace {

// Measured on an H200, by `ionwell-bench gpu` and fitted to `ionwell-bench crossover --backend gpu`: direct
// and multilevel summation meet at 10,000 charges on 6 million points, 4,000 on 15 million.
double direct_pairs_per_s(PairPotential::Kind kind) {
  switch (kind) {
    case PairPotential::Kind::distance_dependent:
      return 5.4e12;
    case PairPotential::Kind::debye_hueckel:
      return 2.0e12;
    default:
      return 4.5e12;
  }
}

class GpuBackend final : public DeviceBackend {
 public:
  Backend kind() const override { return Backend::gpu; }
  bool may_have_device() const override { return may_have_gpu(); }
  const DeviceList& devices() const override { return gpu_devices(); }
  Device started(const Device& device) const override { return started_gpu(device); }
  double start_up_s() const override { return gpu_start_up_s(); }
  double expected_start_s() const override { return 0.4; }  // 0.2 to 0.4 s (H200, CUDA 13)

  SummationRates rates(const PairPotential& pair) const override {
    return {.direct_pairs_per_s = direct_pairs_per_s(pair.kind),
            .multilevel_start_s = 0.0135,
            .multilevel_charge_s = 1.2e-7,  // host and device
            .multilevel_point_s = 3e-11};
  }

  DeviceMemory memory() const override {
    return {.block_values = value_bytes_per_block,
            .block_listed = bytes_per_listed_block,
            .block_search = search_bytes_per_block,
            .charge = sizeof(PointCharge),
            .charge_sorting = sorting_bytes_per_charge,
            .working = working_bytes,
            .lane_block = value_bytes_per_block + 4,
            .lanes = block_lanes,
            .usual_direct_blocks = usual_direct_blocks,
            .usual_multilevel_blocks = usual_multilevel_blocks,
            .grid_point = bytes_per_grid_point,
            .grids = small_grid_bytes,
            .grid_axis_points = bytes_per_axis_point,
            .site_point = site_bytes_per_point,
            .equation_point = pb_bytes_per_point};
  }

  std::unique_ptr<MaskedLattice> make_lattice(const FieldLayout& layout, const LatticeGeometry& lattice,
                                              const PairPotential& pair,
                                              const FieldOptions& options) const override {
    return ionwell::make_lattice(layout, lattice, pair, options);
  }

  std::vector<double> periodic_potential(int device, const PeriodicCell& cell, const PairPotential& pair,
                                         std::span<const PointCharge> charges,
                                         std::span<const Vec3<double>> points_A,
                                         const PeriodicSumOptions& options,
                                         const Progress& progress) const override {
    return gpu_periodic_potential(device, cell, pair, charges, points_A, options, progress);
  }

  // An H200: of calls with 1e6 points around 478,080 charges, which take 0.20 s, 0.31 s (Debye-Hueckel) and
  // 0.009 s.
  DevicePointRates point_rates(const PairPotential& pair) const override {
    return {.direct_pairs_per_s = pair.kind == PairPotential::Kind::debye_hueckel ? 1.5e12 : 2.4e12,
            .multilevel_start_s = 0.003,
            .multilevel_charge_s = 3e-9,
            .multilevel_point_s = 4e-9,
            .multilevel_grid_point_s = 3e-10};
  }

  std::unique_ptr<DevicePoints> make_points(int device, std::int64_t memory_bytes,
                                            std::span<const PointCharge> charges,
                                            const PairPotential& pair) const override {
    return make_gpu_points(device, memory_bytes, charges, pair);
  }

  std::unique_ptr<FrameMaps> make_frame_maps(int device, const FrameMapsOptions& options) const override {
    return make_gpu_frame_maps(device, options);
  }

  std::unique_ptr<PbVectors> pb_vectors(const std::vector<int>& devices, PbSystem& system,
                                        bool is_nonlinear) const override {
    return gpu_pb_vectors(devices, system, is_nonlinear);
  }

  PlaneShares share_planes(const LatticeGeometry& lattice, int ranks) const override {
    return gpu_plane_shares(lattice, ranks);
  }

  std::unique_ptr<PbVectors> shared_pb_vectors(int device, PbSystem& system, bool is_nonlinear,
                                               RankGroup& group) const override {
    return shared_gpu_pb_vectors(device, system, is_nonlinear, group);
  }

  std::unique_ptr<SiteField> make_site_field(int device, const SiteProblem& problem,
                                             const Progress& progress) const override {
    return make_gpu_site_field(device, problem, progress);
  }

  std::unique_ptr<InterpolatedForces> interpolated_forces(int device, const PotentialOnLattice& potential,
                                                          ForceInterpolation interpolation) const override {
    return gpu_interpolated_forces(device, potential, interpolation);
  }

  // An H200, by `ionwell-bench gpu --only chains`.
  DeviceChainRates chain_rates() const override {
    return {.move_s = 1.5e-6,
            .move_ion_s = 1e-9,
            .full_move_s = 0.9e-9,
            .full_move_ion_s = 7e-12,
            .step_s = 2e-6,
            .step_ion_s = 1e-7,
            .step_pair_s = 2.6e-10,
            .full_pair_s = 1.6e-12,
            .move_images = 2.2,
            .step_images = 5.5};
  }

  std::unique_ptr<DeviceChains> make_chains(int device, ChainProblem problem) const override {
    return make_gpu_chains(device, std::move(problem));
  }

  void copy_to_host(int ordinal, const void* from, std::span<std::byte> to) const override {
    copy_from_gpu(ordinal, from, to);
  }
};

}  // namespace

const DeviceBackend& gpu_backend() {
  static const GpuBackend backend;
  return backend;
}

}  // namespace ionwell
