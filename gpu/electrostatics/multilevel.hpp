// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "electrostatics/multilevel/multilevel_plan.hpp"
#include "gpu/electrostatics/charge_cells.hpp"
#include "gpu/electrostatics/device_blocks.hpp"

namespace ionwell::gpu {

/// Steps of a multilevel sum, in their order.
enum class MultilevelStage { sort, assign, restrict, convolve, prolong, interpolate, short_range, count };

const char* to_string(MultilevelStage stage);

/// Device time [ms] of each stage, by CUDA events.
using MultilevelTimes = std::array<float, std::size_t(MultilevelStage::count)>;

/// A multilevel sum on the current device: every stage of MultilevelSum, from the plan that the host made.
/// Results are the same from run to run. Device memory is taken when it is made.
class DeviceMultilevel {
 public:
  /// For at most `most_charges` charges. With `short_range` false only points farther than the cutoff from
  /// every charge come out right.
  DeviceMultilevel(const LatticeGeometry& lattice, const MultilevelPlan& plan, std::int64_t most_charges,
                   bool short_range, cudaStream_t stream);
  ~DeviceMultilevel();
  DeviceMultilevel(const DeviceMultilevel&) = delete;
  DeviceMultilevel& operator=(const DeviceMultilevel&) = delete;

  /// Takes the charges (device memory) and computes the long-range grid. Adds to `times` unless that is null;
  /// then it waits for the device.
  void set_charges(std::span<const PointCharge> charges_d, MultilevelTimes* times);

  /// values += the multilevel sum, for blocks of the lattice; any number of times once set_charges is done,
  /// on any streams.
  void add_to(const DeviceBlocks& blocks, cudaStream_t stream, MultilevelTimes* times) const;

  /// What a sum at points off the lattice is made of, once set_charges is done on its stream.
  struct Parts {
    const MultilevelPlan& plan;
    const ChargeCells& cells;
    const float* long_range_kT_e;  // on the finest grid of the plan, less the constant
    const double* total_charge_e;
  };
  Parts parts() const;

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace ionwell::gpu
