// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

/// Which instructions a source was compiled for, and which a processor has. A source for x86-64-v3 may hold
/// any of that level's instructions, used on purpose or by the compiler's choice, so all of them must be
/// there.
namespace ionwell {

/// A bit for each extension that the levels x86-64-v2 to v4 consist of.
enum SimdFeature : std::uint32_t {
  feature_sse3 = 1u << 0,
  feature_ssse3 = 1u << 1,
  feature_sse41 = 1u << 2,
  feature_sse42 = 1u << 3,
  feature_popcnt = 1u << 4,
  feature_cx16 = 1u << 5,
  feature_lahf = 1u << 6,
  feature_avx = 1u << 7,
  feature_avx2 = 1u << 8,
  feature_bmi = 1u << 9,
  feature_bmi2 = 1u << 10,
  feature_f16c = 1u << 11,
  feature_fma = 1u << 12,
  feature_lzcnt = 1u << 13,
  feature_movbe = 1u << 14,
  feature_avx512f = 1u << 15,
  feature_avx512bw = 1u << 16,
  feature_avx512cd = 1u << 17,
  feature_avx512dq = 1u << 18,
  feature_avx512vl = 1u << 19,
};

/// Those of this processor that the system lets programs use; 0 when it is no x86-64.
std::uint32_t processor_features();

namespace {

/// Those that the source which includes this is compiled for, by the compiler's own word.
constexpr std::uint32_t compiled_features = 0
#ifdef __SSE3__
                                            | feature_sse3
#endif
#ifdef __SSSE3__
                                            | feature_ssse3
#endif
#ifdef __SSE4_1__
                                            | feature_sse41
#endif
#ifdef __SSE4_2__
                                            | feature_sse42
#endif
#ifdef __POPCNT__
                                            | feature_popcnt
#endif
#ifdef __GCC_HAVE_SYNC_COMPARE_AND_SWAP_16
                                            | feature_cx16
#endif
#ifdef __LAHF_SAHF__
                                            | feature_lahf
#endif
#ifdef __AVX__
                                            | feature_avx
#endif
#ifdef __AVX2__
                                            | feature_avx2
#endif
#ifdef __BMI__
                                            | feature_bmi
#endif
#ifdef __BMI2__
                                            | feature_bmi2
#endif
#ifdef __F16C__
                                            | feature_f16c
#endif
#ifdef __FMA__
                                            | feature_fma
#endif
#ifdef __LZCNT__
                                            | feature_lzcnt
#endif
#ifdef __MOVBE__
                                            | feature_movbe
#endif
#ifdef __AVX512F__
                                            | feature_avx512f
#endif
#ifdef __AVX512BW__
                                            | feature_avx512bw
#endif
#ifdef __AVX512CD__
                                            | feature_avx512cd
#endif
#ifdef __AVX512DQ__
                                            | feature_avx512dq
#endif
#ifdef __AVX512VL__
                                            | feature_avx512vl
#endif
    ;

}  // namespace
}  // namespace ionwell
