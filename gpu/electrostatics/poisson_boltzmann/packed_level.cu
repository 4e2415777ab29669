// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/electrostatics/poisson_boltzmann/packed_level.hpp"

#include <cuda_bf16.h>

#include "gpu/runtime/check.hpp"
#include "gpu/runtime/launch.hpp"

namespace ionwell::gpu {
namespace {

/// The first in bf16, below what makes the whole word, read as fp32, come nearest to the second. Neither is
/// negative.
__device__ unsigned packed(float first, float second) {
  const unsigned low = __bfloat16_as_ushort(__float2bfloat16_rn(first));
  return ((__float_as_uint(second) - low + 0x8000u) & 0xffff0000u) + low;
}

__global__ void pack_kernel(PbLevel level, int first_pair, std::int64_t pairs_along, std::int64_t rows,
                            std::int64_t first_row, PointBox box, uint4* to) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= pairs_along * rows * (box.high.z - box.low.z + 1)) return;
  const int q = first_pair + int(n % pairs_along);
  const int j = int(first_row + n / pairs_along % rows), k = int(box.low.z + n / (pairs_along * rows));
  const std::int64_t row = j * level.row_stride() + k * level.plane_stride();
  const bool has_first = q > 0, has_second = 2 * q < level.nx;
  const auto of = [&](const float* values, float factor) {
    return packed(has_first ? factor * values[row + 2 * q - 1] : 0.0f,
                  has_second ? factor * values[row + 2 * q] : 0.0f);
  };
  to[q + (level.nx / 2 + 1) * (j + std::int64_t(level.ny) * k)] = {
      of(level.face_x, level.factor_x), of(level.face_y, level.factor_y), of(level.face_z, level.factor_z),
      of(level.reaction, level.reaction_factor)};
}

}  // namespace

void pack_level(const PbLevel& level, const PointBox& box, uint4* pairs, cudaStream_t stream) {
  const int first = int(box.low.x + 1) / 2;
  const std::int64_t along = (box.high.x + 1) / 2 - first + 1, rows = box.high.y - box.low.y + 1;
  const std::int64_t count = along * rows * (box.high.z - box.low.z + 1);
  if (count <= 0) return;
  pack_kernel<<<blocks_for(count), usual_threads, 0, stream>>>(level, first, along, rows, box.low.y, box,
                                                               pairs);
  check_launch("packing a level");
}

}  // namespace ionwell::gpu
