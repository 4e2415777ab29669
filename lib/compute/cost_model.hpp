// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "compute/backend.hpp"
#include "compute/summation_options.hpp"
#include "core/lattice.hpp"

/// What a run takes, in seconds and bytes, and what is chosen by that: method, backend, layout. The functions
/// keep no state, and several threads may call them; none takes more than O(charges), besides starting
/// devices.
namespace ionwell {

/// A potential to be summed, and how.
struct Summation {
  const LatticeGeometry& lattice;
  const Structure& structure;
  const PairPotential& pair;
  SummationOptions options;
  FieldOptions field;
  bool is_of_sites = false;  // a part of a site model's energies
  std::int64_t frames = 1;   // of a trajectory, each with the structure's charges, that are summed together
  double sums = 1.0;         // such as this one that are to come
  const LatticeGeometry* whole = nullptr;  // of which ranks have `lattice` each; null: that is all of it
};

/// Rates of one thread of the CPU.
SummationRates cpu_rates(const PairPotential& pair, SimdLevel simd);

/// Seconds that a sum over `charges` takes at these rates, by the direct or the multilevel method.
double predicted_seconds(Method method, const LatticeGeometry& lattice, std::size_t charges,
                         const SummationRates& rates);

/// The method that is faster at these rates; the direct one where the lattice's spacings differ by axis.
Method faster_method(const LatticeGeometry& lattice, std::size_t charges, const SummationRates& rates);

/// The method that `sum` stands for where it is computed. Throws UsageError for multilevel options that do
/// not go with its lattice or potential.
SummationOptions choose_method(const Summation& sum, const BackendChoice& backend);

/// Seconds that a sum is likely to take at these rates for a structure in a file of this size, with a lattice
/// of the default kind: a guess from before it is read. 0 for a file that is not there.
double likely_seconds(Method method, const std::string& structure_path, const SummationRates& rates);

/// By the multilevel method on the CPU.
double likely_cpu_seconds(const std::string& structure_path, int threads);

/// Whether work that takes the CPU so long pays for starting a device.
bool is_worth_starting(const DeviceBackend& backend, double cpu_s);

/// What a field on a device is to hold.
struct FieldDemand {
  LatticeGeometry lattice;
  std::size_t charges = 0;
  std::int64_t grid_bytes = 0;  // of multilevel summation, on each device; 0 for the direct sum
  bool imported = false;        // a map in double precision stands for the charges
  bool is_of_sites = false;     // of a site model
  // Of Poisson-Boltzmann equations that are on the device, too: how many, and of all of them together.
  std::int64_t equations = 0, equation_points = 0, equation_atoms = 0;
  double sum_s = 0.0;  // that one device takes for what several of them would share
};

/// Whether there are the devices that the options ask for, and they work, but have not the memory.
bool lacks_memory(const DeviceBackend& backend, const BackendOptions& options, const FieldDemand& demand);

/// Memory of a device that holds the whole lattice, at most.
std::int64_t device_field_bytes(const FieldDemand& demand, const DeviceMemory& memory);

/// Memory for the grids of multilevel summation on a device, at most.
std::int64_t device_grid_bytes(const LatticeGeometry& lattice, std::span<const PointCharge> charges,
                               const MultilevelOptions& options, const DeviceMemory& memory);

/// The first of device, devices and host that fits in the devices' free memory; not host for a map, of which
/// nothing is left to sum, and only the first device for a site model.
FieldLayout choose_layout(const FieldDemand& demand, const std::vector<Device>& devices,
                          const DeviceMemory& memory);

/// Decides; `cpu_s` is how long the CPU would take. Throws Error when a backend is requested and there is no
/// device that works or has the memory, UsageError for a device that does not exist, and where there is none
/// but its number or its memory is given.
BackendChoice choose_backend(const BackendOptions& options, double cpu_s, const FieldDemand& demand,
                             const Backends& backends);

/// The same for a sum.
BackendChoice choose_backend(const BackendOptions& options, const Summation& sum, const Backends& backends);

/// Seconds that the CPU takes to place `ions` in a map.
double placing_in_map_s(const LatticeGeometry& lattice, std::int64_t ions, int threads);

/// The same for `ions` that are placed in a map.
BackendChoice choose_backend_for_map(const BackendOptions& options, const LatticeGeometry& lattice,
                                     std::int64_t ions, int threads, const Backends& backends);

/// Host memory of a sum: the field, a copy of its values where all are wanted, the grids of multilevel
/// summation. Its method is no longer automatic.
std::int64_t host_bytes(const Summation& sum, const BackendChoice& backend);

/// Throws Error with both numbers, and the options that would help, when a lattice needs more memory than
/// there is.
void require_memory(std::int64_t needed_bytes, const LatticeGeometry& lattice);

}  // namespace ionwell
