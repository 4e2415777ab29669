// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "gpu/electrostatics/forces/force_interpolation.cuh"
#include "sampling/device_chains.hpp"
#include "sampling/image_table.hpp"

/// What kernels of moving ions know. Positions are relative to the middle of the box; an ion's fourth number
/// is its species.
namespace ionwell::gpu {

struct alignas(16) SpeciesOnDevice {
  float charge_e, radius_A;
  float drift_A2;  // D dt: times a force [kT/A], what it moves by in a step
  float noise_A;   // sqrt(2 D dt)
};

constexpr int image_points = ImageTable::points;

/// SaltBath, with ln(rho V) of its ions.
struct BathOnDevice {
  int cation, anion, cations, anions;
  double log_cations, log_anions, excess_kT;
};

struct ModelOnDevice {
  CellFrame frame;    // of the field's lattice
  PackedQuads field;  // null: none
  bool is_cubic, is_soft;
  PackedQuads images;  // ImageTable, of a periodic box
  float image_points_per_A[3];
  float own_images_kT_e;
  const float4* spheres;       // of the solute, with radii, cell by cell
  const std::uint32_t* first;  // by cell; null: no solute
  float spheres_low_A[3], cells_per_A[3];
  int cells[3];
  double middle_A[3];
  float half_A[3];  // of the box
  float prefactor, kappa_per_A;
  int species_count, bath_count;
  SpeciesOnDevice species[most_device_species];
  BathOnDevice baths[most_device_baths];
  std::uint32_t seed[2];
};

/// A replica between two launches.
struct ChainState {
  double energy_kT, bath_kT, drift_kT;
  std::int64_t moves;  // so far, or steps: what random numbers are counted by
  std::int64_t tried[move_kinds], accepted[move_kinds], cut_moves;
  float step_A[most_device_species];
  int shifts_tried[most_device_species], shifts_accepted[most_device_species];  // since they were adapted
  int count_of[most_device_species];
  int ions, moves_a_sweep;
  bool is_full;  // an insertion found no room
};

/// Samples of all replicas: ions at [(sample * replicas + replica) * capacity].
struct SamplesOnDevice {
  float4* ions;
  int* counts;
  double2* energies_kT;  // as it is, and beyond the bath
};

/// What a launch does: `samples` times, `each` sweeps or steps and a sample.
struct ChainPlan {
  std::int64_t each;
  int samples;
  bool adapts;  // and takes no samples
  int capacity;
  bool in_shared;  // ions are in shared memory for the launch
  int lanes;       // of dynamics: threads for an ion, a power of two up to 32
};

}  // namespace ionwell::gpu
