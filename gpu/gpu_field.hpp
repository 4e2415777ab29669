#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gpu/lattice/layout.hpp"
#include "placement/host_field.hpp"

/// The CUDA backend as the rest of the program sees it; no CUDA header is needed to use it.
namespace ionwell {

/// A device as the driver describes it.
struct GpuDevice {
  int number = 0;  // as users count: 0, 1 ... of the GPUs that CUDA is shown
  std::string name;
  int major = 0, minor = 0;  // compute capability
  int multiprocessors = 0;
  std::int64_t memory_bytes = 0;
  std::int64_t free_bytes = 0;  // when it was looked at: see started_gpu
};

/// What can be computed on, or why nothing can.
struct GpuDevices {
  std::vector<GpuDevice> devices;
  std::string problem;  // why there is none: not built in, no driver, a driver too old, no device
};

/// Looks for devices when it is called for the first time, which takes a few tenths of a second: 0.15 s for
/// each GPU that CUDA is shown (H200). Starts none of them, and says nothing of free memory.
const GpuDevices& gpu_devices();

/// Starts a device of gpu_devices, which takes 0.13 s and some of its memory, and sees how much is free and
/// whether it runs this build's kernels. Throws Error, with the reason, when it cannot be used.
GpuDevice started_gpu(const GpuDevice& device);

/// Seconds that this process has spent in starting CUDA and devices.
double gpu_start_up_s();

/// For a program, before it calls anything else here: lets CUDA see these GPUs alone (none named: the first),
/// by setting CUDA_VISIBLE_DEVICES. They keep their numbers. On a node of four a program that needs one of
/// them starts in 0.3 s instead of 0.7 s so. Does nothing when there is no GPU of such a number.
void use_only_gpus(std::vector<int> numbers);

/// A lattice whose values are on the first of `devices` (numbers as in gpu_devices; empty: the first there
/// is); the others help with the potential. Throws Error when there is no such device or not enough memory.
std::unique_ptr<MaskedLattice> make_gpu_lattice(const LatticeGeometry& lattice, const PairPotential& pair,
                                                const FieldOptions& options, const std::vector<int>& devices);

/// A lattice laid out as `layout` says. The ions do not depend on it; values differ by fp32 rounding at most.
std::unique_ptr<MaskedLattice> make_lattice(const GpuLayout& layout, const LatticeGeometry& lattice,
                                            const PairPotential& pair, const FieldOptions& options);

}  // namespace ionwell
