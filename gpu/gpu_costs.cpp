// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/gpu_costs.hpp"

#include "electrostatics/at_points/device_points.hpp"
#include "gpu/placement/layout.hpp"
#include "sampling/device_chains.hpp"

namespace ionwell::gpu {
namespace {

// Fitted to `ionwell-bench crossover --backend gpu` on an H100: direct and multilevel summation meet at
// 21,000 charges on 12 million points. Larger lattices have more pairs a second, coarser ones fewer.
double direct_pairs_per_s(PairPotential::Kind kind) {
  switch (kind) {
    case PairPotential::Kind::distance_dependent:
      return 1.0e13;
    case PairPotential::Kind::debye_hueckel:
      return 2.8e12;
    default:
      return 1.1e13;
  }
}

}  // namespace

SummationRates GpuCosts::rates(const PairPotential& pair) const {
  return {.direct_pairs_per_s = direct_pairs_per_s(pair.kind),
          .multilevel_start_s = 0.0175,
          .multilevel_charge_s = 1.2e-7,  // host and device
          .multilevel_point_s = 3e-11};
}

DeviceMemory GpuCosts::memory() const {
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
          .equation_point = pb_bytes_per_point,
          .equation_atom = pb_bytes_per_atom,
          .equation = pb_other_bytes};
}

// An H200: of calls with 1e6 points around 478,080 charges, which take 0.20 s, 0.31 s (Debye-Hueckel) and
// 0.009 s.
DevicePointRates GpuCosts::point_rates(const PairPotential& pair) const {
  return {.direct_pairs_per_s = pair.kind == PairPotential::Kind::debye_hueckel ? 1.5e12 : 2.4e12,
          .multilevel_start_s = 0.003,
          .multilevel_charge_s = 3e-9,
          .multilevel_point_s = 4e-9,
          .multilevel_grid_point_s = 3e-10};
}

// An H200, by `ionwell-bench gpu --only chains`.
DeviceChainRates GpuCosts::chain_rates() const {
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

}  // namespace ionwell::gpu
