#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "lattice/block_summer.hpp"
#include "placement/field.hpp"

namespace ionwell {

/// Instruction sets the inner loops are compiled for; `automatic` takes the best one this processor has.
enum class SimdLevel { automatic, baseline, avx2, avx512 };

std::string_view to_string(SimdLevel level);

/// The level that `automatic` stands for here.
SimdLevel best_simd_level();

struct FieldOptions {
  bool every_point = false;  // also compute where no ion can go: a map is to be saved
  bool refine = true;        // decide on fp64 sums
  int threads = 0;           // 0: all the machine has (OMP_NUM_THREADS is honoured)
  SimdLevel simd = SimdLevel::automatic;
};

/// Host memory that a CpuField takes at most.
std::int64_t cpu_field_bytes(const LatticeGeometry& lattice, std::size_t charges);

/// With a `summer` the solute's potential is its business, and everything else the CPU's. Throws UsageError
/// when this processor lacks the instructions that `options.simd` asks for.
std::unique_ptr<PotentialField> make_cpu_field(const LatticeGeometry& lattice, const PairPotential& pair,
                                               const FieldOptions& options,
                                               std::unique_ptr<BlockSummer> summer = {});

}  // namespace ionwell
