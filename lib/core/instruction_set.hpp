// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace ionwell {

/// Instruction sets the inner loops are compiled for; `automatic` takes the best one this processor has.
enum class SimdLevel { automatic, baseline, avx2, avx512 };

/// "auto", "baseline", "avx2", "avx512": as the command line and the report call it.
std::string_view to_string(SimdLevel level);

/// The level that `automatic` stands for here.
SimdLevel best_simd_level();

}  // namespace ionwell
