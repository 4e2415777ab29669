// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "electrostatics/pair_potential.hpp"
#include "electrostatics/simd/direct_kernels.hpp"
#include "gpu/electrostatics/device_blocks.hpp"
#include "placement/candidates.hpp"
#include "placement/inflate.hpp"
#include "placement/placement_rules.hpp"

/// Lazy placement on the device (as block_search.cpp does it on the CPU): bounds for every block, a
/// best-first search that expands as few as it can, and fp64 sums for what the lattice's error leaves in the
/// running.
namespace ionwell::gpu {

constexpr int search_threads = 256;
constexpr int search_warps = search_threads / 32;

/// A placed ion, and the points that it takes away.
struct IonOnDevice {
  PointCharge charge;
  double limit_A2;    // points with d^2 <= limit_A2 are taken away
  float clearance_A;  // what is left is farther away than this
};

/// How a search ended.
enum class SearchStatus : int {
  found,
  nothing_available,
  near_degenerate,  // some multilevel blocks are better summed directly first: see near_degenerate_slots
  host_chooses,     // too many candidates for the kernel, or energies that only rounding may tell apart: they
                    // are in `candidates`, if there is room
};

/// What one search found, in memory that the host sees.
struct SearchResult {
  std::int64_t index;     // of the lattice point
  double potential_kT_e;  // there
  double device_s;        // of the whole search
  SearchStatus status;
  std::uint32_t blocks_updated, candidates, exact_sums, near_degenerate;  // how many of them
  double refinement_s;                                                    // in the fp64 sums
  volatile std::uint32_t sequence;                                        // written last
};

/// What a thread block tells the others in a round of the search.
struct PartBounds {
  double upper_kT;  // an available point has at most this energy
  float bound_kT;   // of its best cube that is not expanded
  int padding;
};

/// Counts that thread blocks add to in a search.
struct SearchControl {
  std::uint32_t candidates, near_degenerate, blocks_updated, padding;
};

constexpr int exact_parts = 256;   // of the charges, whatever the device, so that sums are the same on all
constexpr int exact_at_once = 8;   // candidates that are summed together
constexpr int most_sorted = 1024;  // candidates that the search kernel sums itself

/// Searches that share the work of inflating all bounds for good; a power of two. Measured on an H200
/// (`ionwell-bench gpu --only ion`) with 1, 2, 4 and 8: 136, 121, 108 and 112 us an ion on 1000^3 points, 58
/// to 60 us on 456^3.
constexpr std::uint32_t inflation_phases = 4;

/// Ions that a cube's bounds may lack when a search begins.
constexpr std::uint32_t most_pending = 32;

/// Device arrays that a search reads and writes. Bounds are kept by cube: the slots dealt out to the thread
/// blocks in turn, so that neighbours are expanded at the same time.
struct SearchArrays {
  DeviceBlocks blocks;
  PairPotential pair;
  InflationFrame frame;
  Vec3<std::int64_t> block_counts;            // of the lattice, by axis
  const std::int32_t* slot_of;                // by block
  std::uint64_t* mask;                        // by block
  CubeArrays cubes;                           // by cube; their centres follow from their blocks
  std::uint32_t* block_of_cube;               // by cube
  std::uint32_t* bounded;                     // by cube: how many ions its bounds contain
  float* bound_kT;                            // by cube, of this search
  std::uint32_t* expanded;                    // by cube: lists of cubes expanded, one for each thread block
  std::int64_t cubes_per_part;                // cubes of each thread block
  int parts;                                  // thread blocks
  Vec3<float> spacing_high_A, spacing_low_A;  // whose sum is the lattice's spacing to 48 bits
  float* error_kT_e;                          // by slot: |value - exact|
  std::uint32_t* ions_in;                     // by slot: how many ions the values contain
  std::uint8_t* direct;    // by slot: summed directly though the lattice is a multilevel sum
  const double* imported;  // by lattice point, in place of charges; null: there is no map
  const PointCharge* charges;
  std::int64_t charge_count;
  PointCharge* ions;
  double* ion_limit_A2;
  float* ion_clearance_A;
  Candidate* candidates;
  std::uint32_t candidate_room;
  std::int32_t* near_degenerate_slots;
  PartBounds* part_bounds;  // two sets of one for each thread block
  double* partial;          // two sets of exact_parts x exact_at_once
  SearchControl* control;
  bool refine;
  bool multilevel;

  /// Cubes of a thread block that have a slot; they come first.
  IONWELL_HD int cubes_in_part(int part) const {
    return part < blocks.count ? int((blocks.count - 1 - part) / parts + 1) : 0;
  }
  IONWELL_HD std::int64_t cube_of(std::int64_t slot) const {
    return slot % parts * cubes_per_part + slot / parts;
  }
  IONWELL_HD std::int64_t slot_of_cube(std::int64_t cube) const {
    return cube % cubes_per_part * parts + cube / cubes_per_part;
  }
};

/// What differs from one search to the next.
struct SearchTask {
  double charge_e;
  std::uint32_t masked;   // ions that the mask contains
  std::uint32_t bounded;  // ions that all bounds contain
  std::uint32_t ions;     // all of them
  std::uint32_t new_ion;  // number of `ion`, which is not in device memory yet; `ions` when there is none
  IonOnDevice ion;
  double tie_kT;                // see GpuField::loosest_tie_kT
  std::uint32_t phases, phase;  // a row in `phases` of the cubes has its bounds inflated for good; 2^n
  std::uint32_t sequence;
};

/// Thread blocks of a search on the current device.
int search_parts(PairPotential::Kind kind);

/// One search, in one cooperative launch: clears the mask around new ions, inflates all bounds by them,
/// expands blocks until none can hold a lower energy, sums candidates in fp64 and writes `result`. No bounds
/// may lack more than most_pending ions unless there is one phase only. Cost: three numbers of each cube
/// read, a phase of the cubes read and written in full, and charges + ions for each exact sum.
void launch_search(const SearchArrays& arrays, const SearchTask& task, SearchResult* result,
                   cudaStream_t stream);

/// Takes the points around ions [first, last) away from the mask.
void exclude_ions(const SearchArrays& arrays, std::uint32_t first, std::uint32_t last, cudaStream_t stream);

/// Tells the bounds where their cubes are; once.
void place_cubes(const SearchArrays& arrays, cudaStream_t stream);

/// Bounds of all blocks from their values, which contain all `ions`.
void recompute_all_bounds(const SearchArrays& arrays, std::uint32_t ions, cudaStream_t stream);

/// Adds pending ions, up to `ions` of them, to the values of all blocks and recomputes the bounds of those
/// that had any.
void bring_all_up_to_date(const SearchArrays& arrays, std::uint32_t ions, cudaStream_t stream);

/// The same for `count` slots, whose bounds are recomputed in any case.
void bring_up_to_date(const SearchArrays& arrays, const std::int32_t* slots, std::int64_t count,
                      std::uint32_t ions, cudaStream_t stream);

/// error += error_kT_e, for all slots.
void add_error(const SearchArrays& arrays, float error_kT_e, cudaStream_t stream);

/// error += what rounding the direct sum of all charges costs at most, for `count` slots (null: all). No
/// available point is within `clearance_A` of a charge.
void add_rounding_errors(const SearchArrays& arrays, const std::int32_t* slots, std::int64_t count,
                         double clearance_A, cudaStream_t stream);

/// Replaces the multilevel values of the slots by 0, before they are summed directly.
void forget_values(const SearchArrays& arrays, const std::int32_t* slots, std::int64_t count,
                   cudaStream_t stream);

/// What sums are made of: the terms, or their sizes.
enum class Summand { potential, magnitude };

/// exact[n] = fp64 potential, of all charges or the map and of the first `ions` ions, at lattice points
/// index[n], or the sum of the sizes of its terms.
void sum_exactly(const SearchArrays& arrays, const std::int64_t* index, std::int64_t count,
                 std::uint32_t ions, Summand summand, double* exact, cudaStream_t stream);

/// Available points of each slot.
void count_available(const SearchArrays& arrays, std::uint16_t* counts, cudaStream_t stream);

/// A sample: `point` becomes the first available point from there on (cyclically), `index` its lattice index
/// and `value` its value.
struct Sample {
  std::int32_t slot;
  std::int32_t point;
};
void look_at_samples(const SearchArrays& arrays, const Sample* samples, std::int64_t count,
                     std::int64_t* index, float* value, cudaStream_t stream);

}  // namespace ionwell::gpu
