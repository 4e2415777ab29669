// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for each instruction set (simd_level.hpp).
#include "lattice/mask_kernels.hpp"

#include "electrostatics/simd/simd.hpp"

namespace ionwell {
namespace {

bool exclude(const BlockFrame& frame, const double* centres_A, std::size_t count, double limit_A2,
             std::uint64_t* available) {
  double offset[3][edge];
  for (int axis = 0; axis < 3; ++axis)
    for (int a = 0; a < edge; ++a) offset[axis][a] = frame.first_A[axis] + frame.spacing_A[axis] * a;
  for (std::size_t c = 0; c < count; ++c) {
    double dx2[edge], dy2[edge], dz2[edge];
    for (int a = 0; a < edge; ++a) {
      dx2[a] = (offset[0][a] - centres_A[3 * c]) * (offset[0][a] - centres_A[3 * c]);
      dy2[a] = (offset[1][a] - centres_A[3 * c + 1]) * (offset[1][a] - centres_A[3 * c + 1]);
      dz2[a] = (offset[2][a] - centres_A[3 * c + 2]) * (offset[2][a] - centres_A[3 * c + 2]);
    }
    std::uint64_t left = 0;
    for (int k = 0; k < edge; ++k) {
      if (available[k] == 0) continue;
      std::uint64_t inside = 0;
      for (int j = 0; j < edge; ++j) {
        const double yz = dy2[j] + dz2[k];
        unsigned row = 0;
        for (int i = 0; i < edge; ++i) row |= unsigned(dx2[i] + yz <= limit_A2) << i;
        inside |= std::uint64_t(row) << (edge * j);
      }
      available[k] &= ~inside;
      left |= available[k];
    }
    if (left == 0) return false;
  }
  return true;
}

}  // namespace

extern const MaskKernels IONWELL_OF_LEVEL(mask_kernels);
const MaskKernels IONWELL_OF_LEVEL(mask_kernels){exclude};

}  // namespace ionwell
