// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/electrostatics/forces/packed_nodes.hpp"

#include <algorithm>

#include "gpu/runtime/check.hpp"
#include "gpu/runtime/launch.hpp"

namespace ionwell::gpu {
namespace {

/// Packs nodes in fours, i fastest.
__global__ void pack_quads(const float* nodes, std::int64_t nx, std::int64_t ny, std::int64_t quads_y,
                           std::int64_t quads, float4* to) {
  const std::int64_t q = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (q >= quads) return;
  const std::int64_t i = q % nx, j = q / nx % quads_y, k = q / (nx * quads_y);
  const float* const at = nodes + i + nx * (j + ny * k);
  to[q] = {at[0], at[nx], at[nx * ny], at[nx * ny + nx]};
}

}  // namespace

PackedNodes::PackedNodes(std::span<const float> nodes, const Vec3<std::int64_t>& counts, cudaStream_t stream)
    : row_(counts.x),
      plane_(counts.x * (counts.y - 1)),
      quads_(std::size_t(plane_ * (counts.z - 1)), "the potential") {
  const DeviceBuffer<float> plain(nodes, stream, "the potential");
  const auto count = std::int64_t(quads_.size());
  pack_quads<<<blocks_for(count), usual_threads, 0, stream>>>(plain.data(), counts.x, counts.y, counts.y - 1,
                                                              count, quads_.data());
  check_launch("packing a potential");
  check(cudaStreamSynchronize(stream), "packing a potential");
}

CellFrame cell_frame(const LatticeGeometry& lattice) {
  const Vec3<double>&origin = lattice.origin_A, &spacing = lattice.spacing_A;
  const Vec3<std::int64_t>& n = lattice.counts;
  const auto slope = [](std::int64_t count, double spacing_A) {
    return count > 1 ? float(1.0 / spacing_A) : 0.0f;
  };
  const auto last_cell = [](std::int64_t count) { return int(std::max<std::int64_t>(count - 2, 0)); };
  return {{origin.x, origin.y, origin.z},
          {1.0 / spacing.x, 1.0 / spacing.y, 1.0 / spacing.z},
          {double(n.x - 1), double(n.y - 1), double(n.z - 1)},
          {slope(n.x, spacing.x), slope(n.y, spacing.y), slope(n.z, spacing.z)},
          {last_cell(n.x), last_cell(n.y), last_cell(n.z)}};
}

}  // namespace ionwell::gpu
