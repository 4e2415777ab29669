#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/gpu_field.hpp"
#include "run/solver.hpp"

namespace ionwell {

/// Where the field is kept and computed. `automatic` takes a GPU when there is one and the work pays for
/// starting it.
enum class Backend { automatic, cpu, gpu };

/// "auto", "cpu", "gpu": as the command line and the report call it.
std::string_view to_string(Backend backend);

struct BackendOptions {
  Backend backend = Backend::automatic;
  std::vector<int> devices;       // for the GPU; empty: the first one
  std::int64_t memory_bytes = 0;  // of each GPU that may be used; 0: what is free
};

/// What `automatic` came to.
struct BackendChoice {
  Backend backend = Backend::cpu;  // no longer automatic
  std::vector<GpuDevice> devices;  // of the GPU backend
  GpuLayout layout;                // where the lattice goes then
  std::string reason;              // why no GPU is used, though one was not ruled out; may be empty
};

/// Starting CUDA takes 0.2 to 0.4 s (H200, CUDA 13): when the CPU needs less than twice that a GPU does not
/// pay.
constexpr double worth_a_gpu_s = 0.8;

/// Decides; `cpu_s` is how long the CPU would take. Throws Error when a GPU is asked for and there is none
/// that works or has the memory, UsageError for a device that does not exist, and where there is no GPU but
/// its number or its memory is given.
BackendChoice choose_backend(const BackendOptions& options, double cpu_s, const GpuDemand& demand);

/// The faster method on a GPU, for a lattice with equal spacings.
Method faster_on_gpu(const LatticeGeometry& lattice, std::size_t charges, const PairPotential& pair);

std::unique_ptr<MaskedLattice> make_lattice(const BackendChoice& choice, const LatticeGeometry& lattice,
                                            const PairPotential& pair, const FieldOptions& options);

}  // namespace ionwell
