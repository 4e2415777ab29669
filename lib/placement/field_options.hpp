// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/instruction_set.hpp"

namespace ionwell {

/// How a field is computed; the ions do not depend on it, but for `refine`.
struct FieldOptions {
  bool every_point = false;  // also compute where no ion can go: a map is to be saved
  bool refine = true;        // decide on fp64 sums
  int threads = 0;           // 0: all the machine has (OMP_NUM_THREADS is honoured)
  SimdLevel simd = SimdLevel::automatic;
};

}  // namespace ionwell
