// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace ionwell::gpu {

/// PbCoefficients (lib's) of a whole lattice in device memory.
struct FaceArrays {
  float *eps_x = nullptr, *eps_y = nullptr, *eps_z = nullptr, *accessibility = nullptr;
};

}  // namespace ionwell::gpu
