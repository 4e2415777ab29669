// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "electrostatics/simd/simd_level.hpp"

namespace ionwell {

/// The functions of one kind, compiled for each level; null where this build has none.
template <typename Kernels>
struct KernelTables {
  const Kernels *baseline, *avx2, *avx512;

  /// Throws what usable_simd_level throws.
  const Kernels& at(SimdLevel level) const {
    switch (usable_simd_level(level)) {
      case SimdLevel::avx512:
        return *avx512;
      case SimdLevel::avx2:
        return *avx2;
      default:
        return *baseline;
    }
  }
};

/// Declares the tables `name`_baseline, `name`_avx2, ... and defines const Kernels& name(SimdLevel).
#ifdef IONWELL_X86_SIMD
#define IONWELL_KERNEL_TABLES(Kernels, name)                                                       \
  extern const Kernels name##_baseline, name##_avx2, name##_avx512;                                \
  const Kernels& name(SimdLevel level) {                                                           \
    static constexpr KernelTables<Kernels> tables{&name##_baseline, &name##_avx2, &name##_avx512}; \
    return tables.at(level);                                                                       \
  }
#else
#define IONWELL_KERNEL_TABLES(Kernels, name)                                           \
  extern const Kernels name##_baseline;                                                \
  const Kernels& name(SimdLevel level) {                                               \
    static constexpr KernelTables<Kernels> tables{&name##_baseline, nullptr, nullptr}; \
    return tables.at(level);                                                           \
  }
#endif

}  // namespace ionwell
