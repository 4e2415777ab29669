// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/at_points/simd/batch_kernels.hpp"

#include "electrostatics/simd/kernel_tables.hpp"

namespace ionwell {

IONWELL_KERNEL_TABLES(BatchKernels, batch_kernels)

}  // namespace ionwell
