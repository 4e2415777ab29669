#include "electrostatics/simd/block_kernels.hpp"

#include "core/error.hpp"
#include "electrostatics/simd/grid_kernels.hpp"
#include "electrostatics/simd/simd_features.hpp"

namespace ionwell {

extern const BlockKernels block_kernels_baseline;
extern const GridKernels grid_kernels_baseline;
#ifdef IONWELL_X86_SIMD
extern const BlockKernels block_kernels_avx2;
extern const BlockKernels block_kernels_avx512;
extern const GridKernels grid_kernels_avx2;
extern const GridKernels grid_kernels_avx512;
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

/// Null when this build has none.
const BlockKernels* kernels_of(SimdLevel level) {
  switch (level) {
    case SimdLevel::baseline:
      return &block_kernels_baseline;
#ifdef IONWELL_X86_SIMD
    case SimdLevel::avx2:
      return &block_kernels_avx2;
    case SimdLevel::avx512:
      return &block_kernels_avx512;
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
  const BlockKernels* kernels = kernels_of(level);
  return kernels != nullptr && (kernels->features & ~features) == 0;
}

SimdLevel best_simd_level() {
  for (const SimdLevel level : {SimdLevel::avx512, SimdLevel::avx2})
    if (supported(level)) return level;
  return SimdLevel::baseline;
}

namespace {

SimdLevel usable(SimdLevel level) {
  if (level == SimdLevel::automatic) return best_simd_level();
  if (!supported(level))
    fail<UsageError>("this processor has no ", to_string(level), " instructions; use --simd auto");
  return level;
}

}  // namespace

const BlockKernels& block_kernels(SimdLevel level) {
  return *kernels_of(usable(level));
}

const GridKernels& grid_kernels(SimdLevel level) {
  switch (usable(level)) {
#ifdef IONWELL_X86_SIMD
    case SimdLevel::avx512:
      return grid_kernels_avx512;
    case SimdLevel::avx2:
      return grid_kernels_avx2;
#endif
    default:
      return grid_kernels_baseline;
  }
}

}  // namespace ionwell
