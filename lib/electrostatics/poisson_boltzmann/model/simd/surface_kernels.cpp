// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/poisson_boltzmann/model/simd/surface_kernels.hpp"

#include "electrostatics/simd/kernel_tables.hpp"

namespace ionwell {

IONWELL_KERNEL_TABLES(SurfaceKernels, surface_kernels)

}  // namespace ionwell
