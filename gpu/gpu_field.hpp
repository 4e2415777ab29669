#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "layout.hpp"
#include "potential/cpu_field.hpp"

/// The CUDA backend as the rest of the program sees it; no CUDA header is needed to use it.
namespace ionwell {

/// A device as the driver describes it.
struct GpuDevice {
  int number = 0;  // as CUDA counts
  std::string name;
  int major = 0, minor = 0;  // compute capability
  int multiprocessors = 0;
  std::int64_t memory_bytes = 0;
  std::int64_t free_bytes = 0;
};

/// What can be computed on, or why nothing can.
struct GpuDevices {
  std::vector<GpuDevice> devices;
  std::string problem;  // why there is none: not built in, no driver, a driver too old, no device
};

/// Starts CUDA when it is called for the first time: a few tenths of a second.
const GpuDevices& gpu_devices();

/// What a field on the GPU did with its time and memory, for the report.
struct GpuUse {
  double start_up_s = 0.0;                              // starting CUDA
  std::vector<std::pair<std::string, double>> stage_s;  // device time by stage
  std::int64_t to_device_bytes = 0, to_host_bytes = 0, between_devices_bytes = 0;
  std::int64_t device_peak_bytes = 0;
};

GpuUse gpu_use();

/// A field whose values are on the first of `devices` (numbers as in gpu_devices; empty: the first there is);
/// the others help with the potential. Throws Error when there is no such device or not enough memory.
std::unique_ptr<PotentialField> make_gpu_field(const LatticeGeometry& lattice, const PairPotential& pair,
                                               const FieldOptions& options, const std::vector<int>& devices);

/// A field laid out as `layout` says. The ions do not depend on it; values differ by fp32 rounding at most.
std::unique_ptr<PotentialField> make_field(const GpuLayout& layout, const LatticeGeometry& lattice,
                                           const PairPotential& pair, const FieldOptions& options);

}  // namespace ionwell
