// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/simd/simd_level.hpp"

#include "core/error.hpp"
#include "electrostatics/simd/direct_kernels.hpp"
#include "electrostatics/simd/grid_kernels.hpp"
#include "electrostatics/simd/kernel_tables.hpp"
#include "electrostatics/simd/simd_features.hpp"

namespace ionwell {

IONWELL_KERNEL_TABLES(DirectKernels, direct_kernels)
IONWELL_KERNEL_TABLES(GridKernels, grid_kernels)

extern const std::uint32_t features_baseline;
#ifdef IONWELL_X86_SIMD
extern const std::uint32_t features_avx2, features_avx512;
#endif

std::string_view to_string(SimdLevel level) {
  switch (level) {
    case SimdLevel::automatic:
      return "auto";
    case SimdLevel::baseline:
      return "baseline";
    case SimdLevel::avx2:
      return "avx2";
    case SimdLevel::avx512:
      return "avx512";
  }
  return "unknown";
}

namespace {

/// What the level's kernels were compiled for; null when this build has none.
const std::uint32_t* features_of(SimdLevel level) {
  switch (level) {
    case SimdLevel::baseline:
      return &features_baseline;
#ifdef IONWELL_X86_SIMD
    case SimdLevel::avx2:
      return &features_avx2;
    case SimdLevel::avx512:
      return &features_avx512;
#endif
    default:
      return nullptr;
  }
}

bool supported(SimdLevel level) {
  static const std::uint32_t present = processor_features();
  return level == SimdLevel::baseline || runs_on(level, present);  // the baseline is the whole program's
}

}  // namespace

bool runs_on(SimdLevel level, std::uint32_t features) {
  const std::uint32_t* const needed = features_of(level);
  return needed != nullptr && (*needed & ~features) == 0;
}

SimdLevel best_simd_level() {
  for (const SimdLevel level : {SimdLevel::avx512, SimdLevel::avx2})
    if (supported(level)) return level;
  return SimdLevel::baseline;
}

SimdLevel usable_simd_level(SimdLevel level) {
  if (level == SimdLevel::automatic) return best_simd_level();
  if (!supported(level))
    fail<UsageError>("this processor has no ", to_string(level), " instructions; use --tune simd=auto");
  return level;
}

}  // namespace ionwell
