// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/interpolated/simd/force_kernels.hpp"

#include "electrostatics/simd/kernel_tables.hpp"

namespace ionwell {

IONWELL_KERNEL_TABLES(ForceKernels, force_kernels)

}  // namespace ionwell
