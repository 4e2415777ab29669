#include "gpu/backend.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "gpu/runtime/gpu_presence.hpp"

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
constexpr double multilevel_start_s = 0.0135;   // charges, coarse grids, measuring the error
constexpr double multilevel_charge_s = 1.2e-7;  // host and device
constexpr double multilevel_point_s = 3e-11;    // a lattice point, with its share of the grids

std::vector<GpuDevice> chosen(const std::vector<GpuDevice>& known, const std::vector<int>& numbers) {
  if (numbers.empty()) return {known.front()};
  std::vector<GpuDevice> devices;
  for (const int number : numbers) {
    const auto device =
        std::find_if(known.begin(), known.end(), [&](const GpuDevice& d) { return d.number == number; });
    if (device == known.end())
      fail<UsageError>("--devices names GPU ", number, ", but there ", known.size() == 1 ? "is" : "are",
                       " only ", known.size(), ", counted from 0; 'ionwell info' lists them");
    if (std::count(numbers.begin(), numbers.end(), number) > 1)
      fail<UsageError>("--devices names GPU ", number, " twice");
    devices.push_back(*device);
  }
  return devices;
}

/// Options that have a meaning for GPUs only.
bool is_about_gpus(const BackendOptions& options) {
  return !options.devices.empty() || options.memory_bytes > 0;
}

}  // namespace

std::string_view to_string(Backend backend) {
  switch (backend) {
    case Backend::automatic:
      return "auto";
    case Backend::cpu:
      return "cpu";
    case Backend::gpu:
      return "gpu";
  }
  return "unknown";
}

BackendChoice choose_backend(const BackendOptions& options, double cpu_s, const GpuDemand& demand) {
  if (options.backend == Backend::cpu) return {};
  const bool required = options.backend == Backend::gpu;
  const bool may_be_had = may_have_gpu();
  if (!required && cpu_s < worth_a_gpu_s && (may_be_had || !is_about_gpus(options)))
    return {.reason = may_be_had ? "starting a GPU would take longer than the run" : ""};
  const GpuDevices& known = gpu_devices();
  if (known.devices.empty()) {
    if (required) fail("--backend gpu cannot be had: ", known.problem, "; use --backend cpu");
    if (is_about_gpus(options))
      fail<UsageError>(options.devices.empty() ? "--gpu-memory is for GPUs" : "--devices names GPUs",
                       ", but none can be had: ", known.problem, "; leave it out");
    return {.reason = known.problem};
  }
  std::vector<GpuDevice> devices = chosen(known.devices, options.devices);
  try {
    for (GpuDevice& device : devices) device = started_gpu(device);
  } catch (const Error& error) {
    if (required) fail(error.what(), "; use another one (--devices), or --backend cpu");
    return {.reason = error.what()};
  }
  if (options.memory_bytes > 0)
    for (GpuDevice& device : devices) device.free_bytes = std::min(device.free_bytes, options.memory_bytes);
  const GpuLayout layout = gpu_layout(demand, devices);
  if (layout.problem.empty()) return {Backend::gpu, devices, layout, {}};
  if (required)
    fail(layout.problem, "; use --backend cpu", demand.grid_bytes > 0 ? " or --method direct" : "");
  return {.reason = layout.problem};
}

Method faster_on_gpu(const LatticeGeometry& lattice, std::size_t charges, const PairPotential& pair) {
  const double points = double(lattice.size());
  const double direct_s = points * double(charges) / direct_pairs_per_s(pair.kind);
  const double multilevel_s =
      multilevel_start_s + multilevel_charge_s * double(charges) + multilevel_point_s * points;
  return direct_s <= multilevel_s ? Method::direct : Method::multilevel;
}

std::unique_ptr<MaskedLattice> make_lattice(const BackendChoice& choice, const LatticeGeometry& lattice,
                                            const PairPotential& pair, const FieldOptions& options) {
  if (choice.backend != Backend::gpu) return make_host_lattice(lattice, pair, options);
  return make_lattice(choice.layout, lattice, pair, options);
}

}  // namespace ionwell
