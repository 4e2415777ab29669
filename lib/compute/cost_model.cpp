// SPDX-License-Identifier: BSD-3-Clause
#include "compute/cost_model.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <numeric>
#include <system_error>

#include "compute/accurate_sum.hpp"
#include "compute/started_devices.hpp"
#include "core/available_memory.hpp"
#include "core/block.hpp"
#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/text/text_stream.hpp"
#include "parallel/thread_count.hpp"
#include "placement/host_field.hpp"

namespace ionwell {
namespace {

// Of placing in a map on one thread of a 2023 server processor: its values and their bounds, and an ion.
constexpr double assigned_point_s = 13e-9, placed_ion_s = 2e-4;

// Of PQR files of nucleic acids and proteins at the default lattice; a guess that is wrong costs a start for
// nothing, or the tenth of a second that the start could have been earlier.
constexpr double bytes_per_atom = 75.0, zipped_bytes_per_atom = 15.0, points_per_atom = 600.0;

bool has_equal_spacings(const LatticeGeometry& lattice) {
  const Vec3<double>& h = lattice.spacing_A;
  return h.x == h.y && h.y == h.z;
}

/// Pairs per second of the direct sum on one core of a 2023 server processor (`ionwell-bench direct`,
/// `crossover`).
double direct_pairs_per_s(const PairPotential& pair, SimdLevel simd) {
  if (simd == SimdLevel::automatic) simd = best_simd_level();
  const bool screened = pair.kind == PairPotential::Kind::debye_hueckel;
  if (simd == SimdLevel::avx512) return screened ? 2.6e9 : 13.5e9;
  if (simd == SimdLevel::avx2) return screened ? 1.7e9 : 11e9;
  return screened ? 0.6e9 : 4.5e9;
}

std::size_t charges_at_once(const Summation& sum) {
  return sum.structure.atoms.size() * std::size_t(sum.frames);
}

/// Those of the set that an accuracy has chosen.
SummationRates rates_of(const SummationOptions& options, SummationRates rates) {
  if (const MeasuredSet* const set = chosen_set(options)) rates.multilevel_point_s *= set->cost;
  return rates;
}

/// The method asked for; for `automatic` the faster one at these rates, for one process, however many ranks
/// there are: the values must not depend on that.
Method method_at(const Summation& sum, const SummationRates& rates, bool on_device) {
  if (sum.options.method != Method::automatic) return sum.options.method;
  const MeasuredSet* const set = chosen_set(sum.options);
  if (set != nullptr && on_device && !set->on_devices) return Method::direct;
  return faster_method(sum.whole != nullptr ? *sum.whole : sum.lattice, charges_at_once(sum),
                       rates_of(sum.options, rates));
}

/// What `blocks` of a field take of a device.
std::int64_t device_bytes(std::int64_t blocks, const FieldDemand& demand, const DeviceMemory& memory) {
  const std::int64_t charges = std::int64_t(demand.charges);
  const std::int64_t sum = demand.grid_bytes > 0 ? demand.grid_bytes + memory.charge_sorting * charges : 0;
  const std::int64_t map = demand.imported ? blocks * block_points * std::int64_t{sizeof(double)} : 0;
  const std::int64_t sites = demand.is_of_sites ? blocks * block_points * memory.site_point : 0;
  const std::int64_t equations = memory.equation * demand.equations +
                                 memory.equation_point * demand.equation_points +
                                 memory.equation_atom * demand.equation_atoms;
  return map + sites + equations + blocks * (memory.block_values + memory.block_listed) +
         memory.charge * charges + memory.working + std::max(sum, blocks * memory.block_search);
}

std::string gigabytes(std::int64_t bytes) {
  TextStream text;
  text.precision(3);
  text << double(bytes) / 1e9 << " GB";
  return text.str();
}

/// Block planes for each device, in proportion to what it has room for; empty when there is too little.
std::vector<std::int64_t> shares(const FieldDemand& demand, const std::vector<Device>& devices,
                                 const DeviceMemory& memory) {
  const BlockGrid grid(demand.lattice);
  const std::int64_t plane_blocks = grid.counts.x * grid.counts.y, planes = grid.counts.z;
  std::vector<std::int64_t> room;
  for (const Device& device : devices) {
    std::int64_t fit = 0;
    // device_bytes grows with the blocks: bisect.
    for (std::int64_t low = 0, high = planes + 1; high - low > 1; fit = low) {
      const std::int64_t middle = low + (high - low) / 2;
      (device_bytes(middle * plane_blocks, demand, memory) <= device.free_bytes ? low : high) = middle;
    }
    room.push_back(fit);
  }
  const std::int64_t all = std::accumulate(room.begin(), room.end(), std::int64_t{0});
  if (all < planes) return {};
  std::vector<std::int64_t> result;
  std::int64_t given = 0, room_before = 0;
  for (const std::int64_t fit : room) {
    room_before += fit;
    const std::int64_t upto = planes * room_before / all;  // rounds down, so no device gets more than it has
    result.push_back(std::min(fit, upto - given));
    given += result.back();
  }
  // What rounding has left over goes wherever there is room.
  for (std::size_t d = 0; given < planes; d = (d + 1) % room.size())
    if (result[d] < room[d]) {
      ++result[d];
      ++given;
    }
  return result;
}

/// Options that have a meaning for GPUs only.
bool is_about_gpus(const BackendOptions& options) {
  return !options.devices.empty() || options.memory_bytes > 0;
}

/// What a backend's devices are to hold.
using DemandOf = std::function<FieldDemand(const DeviceBackend&)>;

/// The backend's devices when they are to be used; otherwise the CPU, and why.
BackendChoice choose_devices(const DeviceBackend& backend, const BackendOptions& options, double cpu_s,
                             const DemandOf& demand_of) {
  const bool required = options.backend != Backend::automatic;
  const bool may_be_had = backend.may_have_device();
  if (!required && !is_worth_starting(backend, cpu_s) && (may_be_had || !is_about_gpus(options)))
    return {.reason = may_be_had ? "starting a GPU would take longer than the run" : ""};
  const FieldDemand demand = demand_of(backend);
  const DeviceList& known = devices_for(backend, options, demand);
  if (known.devices.empty()) {
    if (required)
      fail("--backend ", to_string(backend.kind()), " is not available: ", known.problem,
           "; use --backend cpu");
    if (is_about_gpus(options))
      fail<UsageError>(options.devices.empty() ? "--tune gpu-memory is for GPUs" : "--devices names GPUs",
                       ", but none is available: ", known.problem, "; leave it out");
    return {.reason = known.problem};
  }
  std::vector<Device> devices;
  try {
    devices = started_devices(backend, options, demand);
  } catch (const UsageError&) {
    throw;
  } catch (const Error& error) {
    if (required) fail(error.what(), "; use another one (--devices), or --backend cpu");
    return {.reason = error.what()};
  }
  const FieldLayout layout = choose_layout(demand, devices, backend.memory());
  if (layout.problem.empty())
    return {backend.kind(), &backend, devices, layout,
            devices.size() < options.devices.size() ? "more GPUs would not take less time" : ""};
  if (required)
    fail(layout.problem, "; use --backend cpu", demand.grid_bytes > 0 ? " or --method direct" : "");
  return {.reason = layout.problem};
}

BackendChoice choose_among(const Backends& backends, const BackendOptions& options, double cpu_s,
                           const DemandOf& demand_of) {
  if (options.backend == Backend::cpu) return {};
  if (backends.empty() && is_about_gpus(options))
    fail<UsageError>(options.devices.empty() ? "--tune gpu-memory is for GPUs" : "--devices names GPUs",
                     ", but this program was built without GPU support; leave it out");
  BackendChoice cpu;
  for (const DeviceBackend* const backend : backends) {
    if (options.backend != Backend::automatic && options.backend != backend->kind()) continue;
    BackendChoice choice = choose_devices(*backend, options, cpu_s, demand_of);
    if (choice.owner != nullptr) return choice;
    if (cpu.reason.empty()) cpu.reason = choice.reason;
  }
  if (options.backend != Backend::automatic)
    fail("--backend ", to_string(options.backend),
         " is not available: this program was built without it; use --backend cpu");
  return cpu;
}

}  // namespace

SummationRates cpu_rates(const PairPotential& pair, SimdLevel simd) {
  // Fitted to ionwell-bench crossover: the two meet at 700 charges on 0.66 million points, 250 on 3.5
  // million.
  return {.direct_pairs_per_s = direct_pairs_per_s(pair, simd),
          .multilevel_start_s = 0.020,
          .multilevel_charge_s = 0.0,
          .multilevel_point_s = 16e-9};
}

double predicted_seconds(Method method, const LatticeGeometry& lattice, std::size_t charges,
                         const SummationRates& rates) {
  const double points = double(lattice.size());
  if (method == Method::multilevel)
    return rates.multilevel_start_s + rates.multilevel_charge_s * double(charges) +
           rates.multilevel_point_s * points;
  return points * double(charges) / rates.direct_pairs_per_s;
}

Method faster_method(const LatticeGeometry& lattice, std::size_t charges, const SummationRates& rates) {
  if (!has_equal_spacings(lattice)) return Method::direct;
  const double direct_s = predicted_seconds(Method::direct, lattice, charges, rates);
  const double multilevel_s = predicted_seconds(Method::multilevel, lattice, charges, rates);
  return direct_s <= multilevel_s ? Method::direct : Method::multilevel;
}

SummationOptions choose_method(const Summation& sum, const BackendChoice& backend) {
  SummationOptions chosen = sum.options;
  const bool on_device = backend.owner != nullptr;
  chosen.method = method_at(
      sum, on_device ? backend.owner->rates(sum.pair) : cpu_rates(sum.pair, sum.field.simd), on_device);
  if (chosen.method == Method::multilevel) check_multilevel(sum.lattice, sum.pair, chosen.multilevel);
  return chosen;
}

double likely_seconds(Method method, const std::string& structure_path, const SummationRates& rates) {
  std::error_code no_such_file;
  const auto bytes = std::filesystem::file_size(structure_path, no_such_file);
  if (no_such_file) return 0.0;
  const double atoms =
      double(bytes) / (structure_path.ends_with(".gz") ? zipped_bytes_per_atom : bytes_per_atom);
  const auto points = std::int64_t(points_per_atom * atoms);
  return predicted_seconds(method, {{}, {1, 1, 1}, {points, 1, 1}}, std::size_t(atoms), rates);
}

double likely_cpu_seconds(const std::string& structure_path, int threads) {
  return likely_seconds(Method::multilevel, structure_path,
                        cpu_rates(pair_potential({}), SimdLevel::automatic)) /
         double(threads);
}

bool is_worth_starting(const DeviceBackend& backend, double cpu_s) {
  constexpr double starts_that_pay = 2.0;
  return cpu_s >= starts_that_pay * backend.expected_start_s();
}

bool lacks_memory(const DeviceBackend& backend, const BackendOptions& options, const FieldDemand& demand) {
  if (devices_for(backend, options, demand).devices.empty()) return false;
  try {
    return !choose_layout(demand, started_devices(backend, options, demand), backend.memory())
                .problem.empty();
  } catch (const Error&) {
    return false;  // choose_backend tells of it
  }
}

std::int64_t device_field_bytes(const FieldDemand& demand, const DeviceMemory& memory) {
  return device_bytes(BlockGrid(demand.lattice).size(), demand, memory);
}

std::int64_t device_grid_bytes(const LatticeGeometry& lattice, std::span<const PointCharge> charges,
                               const MultilevelOptions& options, const DeviceMemory& memory) {
  const LatticeGeometry grid = finest_grid(lattice.whole(), charges, options);
  return std::int64_t(memory.grid_point * double(grid.size())) + memory.grids +
         memory.grid_axis_points * (lattice.counts.x + lattice.counts.y + lattice.counts.z);
}

FieldLayout choose_layout(const FieldDemand& demand, const std::vector<Device>& devices,
                          const DeviceMemory& memory) {
  FieldLayout layout;
  for (const Device& device : devices) layout.devices.push_back(device.number);
  if (device_field_bytes(demand, memory) <= devices.front().free_bytes) return layout;
  if (devices.size() > 1 && !demand.is_of_sites) {
    layout.planes = shares(demand, devices, memory);
    layout.lattice_on = LatticeOn::devices;
    if (!layout.planes.empty()) return layout;
  }
  if (demand.imported || demand.is_of_sites) {
    layout.problem =
        (demand.imported ? "the lattice and its map need " : "the lattice of a site model needs ") +
        gigabytes(device_field_bytes(demand, memory)) + " of GPU memory, and GPU " +
        std::to_string(devices.front().number) + " has " + gigabytes(devices.front().free_bytes) +
        " free or allowed";
    return layout;
  }
  layout.lattice_on = LatticeOn::host;
  const auto least = std::min_element(devices.begin(), devices.end(), [](const auto& a, const auto& b) {
    return a.free_bytes < b.free_bytes;
  });
  const bool multilevel = demand.grid_bytes > 0;
  const std::int64_t lane_bytes = memory.lanes * memory.lane_block;
  const std::int64_t per_charge = memory.charge + (multilevel ? memory.charge_sorting : 0);
  // Half of what the grids leave is for charges, the rest for blocks; sums of parts of the charges are
  // rounded once for each part, for which the error bounds have room up to this number.
  constexpr std::int64_t most_parts = 16, fewest_blocks = 64;
  const std::int64_t room = least->free_bytes - demand.grid_bytes;
  const std::int64_t charges = std::max<std::int64_t>(1, std::int64_t(demand.charges));
  layout.charges_at_once = std::min(charges, room / 2 / per_charge);
  layout.blocks_at_once = std::min((room - layout.charges_at_once * per_charge) / lane_bytes,
                                   multilevel ? memory.usual_multilevel_blocks : memory.usual_direct_blocks);
  if (layout.blocks_at_once >= fewest_blocks && layout.charges_at_once * most_parts >= charges) return layout;
  const std::int64_t needed =
      demand.grid_bytes +
      std::max((charges + most_parts - 1) / most_parts * per_charge, fewest_blocks * lane_bytes) * 2;
  layout.problem = "even in parts the " + std::string(multilevel ? "multilevel" : "direct") + " sum of " +
                   std::to_string(demand.charges) + " charges needs " + gigabytes(needed) +
                   " of GPU memory, and GPU " + std::to_string(least->number) + " has " +
                   gigabytes(least->free_bytes) + " free or allowed";
  return layout;
}

BackendChoice choose_backend(const BackendOptions& options, double cpu_s, const FieldDemand& demand,
                             const Backends& backends) {
  return choose_among(backends, options, cpu_s, [&](const DeviceBackend&) { return demand; });
}

BackendChoice choose_backend(const BackendOptions& options, const Summation& sum, const Backends& backends) {
  const std::size_t charges = charges_at_once(sum);
  const SummationRates rates = cpu_rates(sum.pair, sum.field.simd);
  const double cpu_s =
      sum.sums *
      predicted_seconds(method_at(sum, rates, false), sum.lattice, charges, rates_of(sum.options, rates)) /
      thread_count(sum.field.threads);
  return choose_among(backends, options, cpu_s, [&](const DeviceBackend& backend) {
    FieldDemand demand{sum.lattice, charges};
    demand.is_of_sites = sum.is_of_sites;
    const SummationRates of_device = backend.rates(sum.pair);
    const Method method = method_at(sum, of_device, true);
    if (!sum.is_of_sites)
      demand.sum_s =
          sum.sums * predicted_seconds(method, sum.lattice, charges, rates_of(sum.options, of_device));
    if (method == Method::multilevel)
      demand.grid_bytes = device_grid_bytes(sum.lattice, corner_charges(sum.structure.atoms),
                                            sum.options.multilevel, backend.memory());
    return demand;
  });
}

double placing_in_map_s(const LatticeGeometry& lattice, std::int64_t ions, int threads) {
  return (assigned_point_s * double(lattice.size()) + placed_ion_s * double(ions)) / double(threads);
}

BackendChoice choose_backend_for_map(const BackendOptions& options, const LatticeGeometry& lattice,
                                     std::int64_t ions, int threads, const Backends& backends) {
  return choose_backend(options, placing_in_map_s(lattice, ions, threads),
                        {.lattice = lattice, .imported = true}, backends);
}

std::int64_t host_bytes(const Summation& sum, const BackendChoice& backend) {
  const LatticeGeometry& lattice = sum.lattice;
  const std::int64_t copy = sum.field.every_point ? lattice.size() * std::int64_t{sizeof(float)} : 0;
  if (backend.owner != nullptr && backend.layout.lattice_on != LatticeOn::host) return copy;
  std::int64_t bytes = host_field_bytes(lattice, charges_at_once(sum)) + copy;
  if (sum.options.method == Method::multilevel && backend.owner == nullptr)
    bytes += multilevel_bytes(lattice, corner_charges(sum.structure.atoms), sum.pair, sum.options.multilevel);
  return bytes;
}

void require_memory(std::int64_t needed_bytes, const LatticeGeometry& lattice) {
  const std::int64_t available = available_memory_bytes();
  if (needed_bytes > available)
    fail("a lattice of ", count_of(lattice.size(), "point"), " needs ", describe_bytes(needed_bytes),
         " of memory, but only ", describe_bytes(available),
         " are free; use a larger --spacing, a smaller --border or a smaller --box");
}

}  // namespace ionwell
