// SPDX-License-Identifier: BSD-3-Clause
#include "sampling/simd/ion_kernels.hpp"

#include "electrostatics/simd/kernel_tables.hpp"

namespace ionwell {

IONWELL_KERNEL_TABLES(IonKernels, ion_kernels)

}  // namespace ionwell
