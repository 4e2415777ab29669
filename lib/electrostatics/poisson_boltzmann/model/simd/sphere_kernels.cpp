// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/poisson_boltzmann/model/simd/sphere_kernels.hpp"

#include "electrostatics/simd/kernel_tables.hpp"

namespace ionwell {

IONWELL_KERNEL_TABLES(SphereKernels, sphere_kernels)

}  // namespace ionwell
