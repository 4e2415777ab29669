// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/simd/simd_features.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace ionwell {

std::uint32_t processor_features() {
  std::uint32_t features = 0;
#if defined(__x86_64__)
  const auto note = [&](unsigned word, int bit, std::uint32_t feature) {
    if (word >> bit & 1) features |= feature;
  };
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d)) {
    note(c, 0, feature_sse3);
    note(c, 9, feature_ssse3);
    note(c, 12, feature_fma);
    note(c, 13, feature_cx16);
    note(c, 19, feature_sse41);
    note(c, 20, feature_sse42);
    note(c, 22, feature_movbe);
    note(c, 23, feature_popcnt);
    note(c, 29, feature_f16c);
  }
  if (__get_cpuid(0x80000001, &a, &b, &c, &d)) {
    note(c, 0, feature_lahf);
    note(c, 5, feature_lzcnt);
  }
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d)) {
    note(b, 3, feature_bmi);
    note(b, 8, feature_bmi2);
  }
  // Wider registers need the system's help as well, which these know.
  if (__builtin_cpu_supports("avx")) features |= feature_avx;
  if (__builtin_cpu_supports("avx2")) features |= feature_avx2;
  if (__builtin_cpu_supports("avx512f")) {
    features |= feature_avx512f;
    note(b, 17, feature_avx512dq);
    note(b, 28, feature_avx512cd);
    note(b, 30, feature_avx512bw);
    note(b, 31, feature_avx512vl);
  }
#endif
  return features;
}

}  // namespace ionwell
