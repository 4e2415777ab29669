// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/lattice.hpp"
#include "electrostatics/poisson_boltzmann/solver/point_box.hpp"
#include "gpu/electrostatics/poisson_boltzmann/model/accessible_parts.hpp"

/// Points of a lattice in bricks, each of which a thread block works at with what lies near it.
namespace ionwell::gpu {

/// Some points, and the bricks that have them, of which numbers begin with `first_brick`. Bricks begin at
/// multiples of their edge: what is computed at a point does not depend on the box that it is in.
struct BrickBox {
  int low[3], high[3];  // both included
  int first[3];         // point of the first brick
  int bricks[3];
  std::int64_t first_brick;
};

/// A brick: its first point, and which of its points are asked for.
struct BrickPlace {
  int first[3], low[3], high[3];

  __device__ bool has(int i, int j, int k) const {
    return i >= low[0] && j >= low[1] && k >= low[2] && i <= high[0] && j <= high[1] && k <= high[2];
  }
};

/// Bricks as kernels take them.
struct BricksView {
  const BrickBox* boxes = nullptr;
  int box_count = 0, edge = 0;
  std::int64_t count = 0;
  Vec3<double> origin_A, spacing_A;
  int nx = 0, ny = 0, nz = 0;  // of the lattice

  __device__ BrickPlace at(std::int64_t brick) const {
    int b = 0;
    while (b + 1 < box_count && boxes[b + 1].first_brick <= brick) ++b;
    const BrickBox& box = boxes[b];
    const std::int64_t n = brick - box.first_brick;
    const int at[3] = {int(n % box.bricks[0]), int(n / box.bricks[0] % box.bricks[1]),
                       int(n / (std::int64_t(box.bricks[0]) * box.bricks[1]))};
    BrickPlace place;
    for (int a = 0; a < 3; ++a) {
      place.first[a] = box.first[a] + at[a] * edge;
      const int last = place.first[a] + edge - 1;
      place.low[a] = place.first[a] > box.low[a] ? place.first[a] : box.low[a];
      place.high[a] = last < box.high[a] ? last : box.high[a];
    }
    return place;
  }

  __device__ Vec3<double> position_A(int i, int j, int k) const {
    return {origin_A.x + spacing_A.x * double(i), origin_A.y + spacing_A.y * double(j),
            origin_A.z + spacing_A.z * double(k)};
  }
  /// Of a brick's first point.
  __device__ Vec3<double> origin_of(const BrickPlace& place) const {
    return position_A(place.first[0], place.first[1], place.first[2]);
  }

  __device__ std::int64_t index(int i, int j, int k) const {
    return i + std::int64_t(nx) * (j + std::int64_t(ny) * k);
  }
};

/// Where the places of what lies near a brick are among all.
struct NearRange {
  std::uint32_t begin, end;

  __device__ int count() const { return int(end - begin); }
};

/// What lies near each brick: places of balls or arcs.
struct NearView {
  const std::uint32_t* places = nullptr;
  const NearRange* ranges = nullptr;  // by brick
};

/// The bricks of some boxes of points, on the current device. Keeps its memory.
class Bricks {
 public:
  /// Points along an edge: about 4 A.
  static int edge_for(const Vec3<double>& spacing_A);

  /// All points of the bricks that have some points, and the ones after the last; some may be beyond a
  /// lattice.
  static PointBox all_of_bricks(const PointBox& box, int edge);

  BricksView cut(const LatticeGeometry& lattice, std::span<const PointBox> boxes, cudaStream_t stream);

 private:
  DeviceBuffer<BrickBox> boxes_;
};

/// Finds what lies near each brick. Keeps its memory.
class NearLists {
 public:
  /// Balls, larger by `reach_A`, that meet the box from a brick's first point to the one after its last: of
  /// all its points, asked for or not.
  NearView balls(const BricksView& bricks, const BallView& balls, double reach_A, cudaStream_t stream);

  /// The same of the balls around arcs.
  NearView arcs(const BricksView& bricks, const PartsView& parts, double reach_A, cudaStream_t stream);

 private:
  template <typename Items>
  NearView list(const BricksView& bricks, const Items& items, const CellGrid& grid, double largest_A,
                double reach_A, cudaStream_t stream);

  /// Makes a buffer larger where it is too small; what it held is lost then.
  template <typename T>
  void grow(DeviceBuffer<T>& buffer, std::size_t size);

  DeviceBuffer<NearRange> ranges_;
  DeviceBuffer<std::uint32_t> places_, used_{1};  // used_: of places_, or more than there are
  std::vector<std::shared_ptr<void>> outgrown_;   // to free them would be to wait for the device
};

}  // namespace ionwell::gpu
