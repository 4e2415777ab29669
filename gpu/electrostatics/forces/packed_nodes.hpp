// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "electrostatics/interpolated/interpolation_nodes.hpp"
#include "gpu/electrostatics/forces/force_interpolation.cuh"
#include "gpu/runtime/device_buffer.hpp"

namespace ionwell::gpu {

/// Nodes in fours on the device: 16 bytes each.
class PackedNodes {
 public:
  /// Nothing.
  PackedNodes() = default;

  /// `nodes`: i fastest, at least 2 along each axis. Waits for the copy.
  PackedNodes(std::span<const float> nodes, const Vec3<std::int64_t>& counts, cudaStream_t stream);

  PackedQuads quads() const { return {quads_.data(), int(row_), int(plane_)}; }

 private:
  std::int64_t row_ = 0, plane_ = 0;
  DeviceBuffer<float4> quads_;
};

CellFrame cell_frame(const LatticeGeometry& lattice);

}  // namespace ionwell::gpu
