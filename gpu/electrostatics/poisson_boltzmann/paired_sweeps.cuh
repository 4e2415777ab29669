// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <type_traits>

#include "core/host_device.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_sweeps.hpp"
#include "electrostatics/poisson_boltzmann/solver/plane_shares.hpp"
#include "gpu/electrostatics/poisson_boltzmann/march.cuh"
#include "gpu/electrostatics/poisson_boltzmann/packed_level.hpp"

/// Two sweeps of a V-cycle in one pass: each plane of a column is read once, and goes through four steps
/// of Gauss and Seidel, of one colour each, one plane behind the other. A warp has a row of a tile and what
/// is around it, a thread a pair of points along x, so that neighbours along x are in the next threads, those
/// along z in its own registers, and those along y in shared memory.
namespace ionwell::gpu {

/// Points around a tile that are read and computed for its sake: a point's step needs its neighbours' step
/// before.
constexpr int tile_halo = 4;
constexpr int swept_x = 2 * march_x - 2 * tile_halo;  // points of a tile along x
constexpr int swept_at_once = 132;                    // blocks that an H100 works at

/// Rows of a block, those around its tile among them: most is done twice where there are few, but GPUs before
/// 8.0 have not the shared memory for more.
constexpr int usual_rows = 20, fewest_rows = 12;

/// Along y.
IONWELL_HD constexpr int tile_rows(int rows) {
  return rows - 2 * tile_halo;
}

/// A plane, as a thread has it.
struct PlanePair {
  float x[2];
  unsigned faces_x, faces_y, faces_z;
  unsigned faces_y_before;  // of the row before
};

constexpr int ring_planes = 6;  // that a thread has

/// The place in a ring that had a plane so many before that of `slot`.
IONWELL_HD constexpr int plane_before(int slot, int planes) {
  return (slot + ring_planes - planes) % ring_planes;
}

/// Of the points of a pair, the one of a colour in the plane at `slot`, where `parity` is that of the row's
/// and the first plane's numbers together: the first point of a pair has an odd number.
IONWELL_HD constexpr int point_of(PointColour colour, int parity, int slot) {
  return ((parity + slot) % 2 == 1) == (colour == PointColour::even) ? 0 : 1;
}

/// A point's right side, and the inverse of its diagonal, 0 where there is no equation: of a thread's own, in
/// shared memory, where there is more room than among its registers.
struct alignas(8) Equation {
  float right_side, inverse;
};

/// What a block shares of a plane.
template <int rows>
struct SharedPlane {
  float x[2][rows][march_x];
  Equation equations[2][rows][march_x];
};

/// Of a block.
IONWELL_HD constexpr int swept_bytes(int rows) {
  return ring_planes * 2 * 3 * int(sizeof(float)) * rows * march_x;
}
static_assert(swept_bytes(usual_rows) == ring_planes * sizeof(SharedPlane<usual_rows>));

/// __syncthreads() that rows of one parity may come to elsewhere than those of the other.
__device__ inline void wait_for_block() {
  asm volatile("barrier.sync 0;" ::: "memory");
}

/// A thread of a block that sweeps.
template <int rows>
class PairSweeper {
 public:
  /// `equations`: planes here that have some.
  __device__ PairSweeper(const PackedLevel& level, const float* b, const PlaneSpan& equations,
                         int first_plane, SharedPlane<rows>* shared)
      : level_(level),
        first_equation_(equations.begin),
        last_equation_(equations.end - 1),
        pair_(int(blockIdx.x) * (swept_x / 2) - tile_halo / 2 + 1 + int(threadIdx.x)),
        j_(1 + int(blockIdx.y) * tile_rows(rows) - tile_halo + int(threadIdx.y)),
        mine_(&shared->x[0][threadIdx.y][threadIdx.x]),
        equations_(&shared->equations[0][threadIdx.y][threadIdx.x]),
        row_before_(threadIdx.y > 0 ? -march_x : 0),
        row_behind_(int(threadIdx.y) < rows - 1 ? march_x : 0),
        b_(b),
        pair_at_(level.pair_at(pair_, j_, first_plane - 1)),
        point_at_(point(0, first_plane - 1)) {
    is_here_ = pair_ >= 0 && pair_ < level.pairs_of_row() && j_ >= 0 && j_ < level.ny;
    const bool has_row = j_ > 0 && j_ < level.ny - 1 && pair_ > 0;
    is_first_inner_ = has_row && 2 * pair_ - 1 < level.nx - 1;
    is_second_inner_ = has_row && 2 * pair_ < level.nx - 1;
#pragma unroll
    for (int n = 0; n < ring_planes; ++n) {
      ring_[n] = {};
      x<0>(n) = x<1>(n) = 0.0f;
      equation<0>(n) = equation<1>(n) = {};
    }
    fetch(first_plane - 1);
    take<ring_planes - 1>(first_plane - 1);
    fetch(first_plane);
    __syncthreads();
  }

  /// Begins to read a plane, the next one.
  __device__ void fetch(int k) {
    next_ = {};
    next_x_before_ = next_y_before_ = 0;
    next_b_[0] = next_b_[1] = 0.0f;
    if (is_here_ && k >= first_equation_ - 1 && k <= last_equation_) {
      const uint4* const pairs = level_.pairs + pair_at_;
      next_ = __ldg(pairs);
      if (is_first_inner_ && k >= first_equation_) {
        next_y_before_ = __ldg(&(pairs - level_.pairs_of_row())->y);
        if (threadIdx.x == 0) next_x_before_ = __ldg(&(pairs - 1)->x);
        next_b_[0] = __ldg(b_ + point_at_);
        if (is_second_inner_) next_b_[1] = __ldg(b_ + point_at_ + 1);
      }
    }
    pair_at_ += PackedLevel::pairs_of_plane(level_.nx, level_.ny);
    point_at_ += level_.plane_stride();
  }

  /// What was fetched last is plane k, and has place `slot` in the ring.
  template <int slot>
  __device__ void take(int k) {
    PlanePair& at = ring_[slot];
    const unsigned below = ring_[plane_before(slot, 1)].faces_z;
    at.x[0] = at.x[1] = 0.0f;
    at.faces_x = next_.x;
    at.faces_y = next_.y;
    at.faces_z = next_.z;
    at.faces_y_before = next_y_before_;

    unsigned x_before = __shfl_up_sync(all, next_.x, 1);
    if (threadIdx.x == 0) x_before = next_x_before_;
    const float between = first_of(next_.x);
    const float first = ((second_of(x_before) + between) + (first_of(next_y_before_) + first_of(next_.y))) +
                        ((first_of(below) + first_of(next_.z)) + first_of(next_.w));
    const float second = ((between + second_of(next_.x)) + (second_of(next_y_before_) + second_of(next_.y))) +
                         ((second_of(below) + second_of(next_.z)) + second_of(next_.w));
    const bool has_plane = k >= first_equation_ && k <= last_equation_;
    equation<0>(slot) = {next_b_[0], has_plane && is_first_inner_ ? __fdividef(1.0f, first) : 0.0f};
    equation<1>(slot) = {next_b_[1], has_plane && is_second_inner_ ? __fdividef(1.0f, second) : 0.0f};
  }

  /// The solution at a point of the plane, from which it starts.
  template <int slot, int n>
  __device__ void set(float value) {
    ring_[slot].x[n] = value;
    x<n>(slot) = value;
  }

  /// A step from zero.
  template <int slot, int n>
  __device__ void begin() {
    const Equation of = equation<n>(slot);
    set<slot, n>(of.right_side * of.inverse);
  }

  template <int slot, int n>
  __device__ void relax() {
    const Equation of = equation<n>(slot);
    set<slot, n>((of.right_side + inflow_to<slot, n>()) * of.inverse);
  }

  /// What is left of a point's equation.
  template <int slot, int n>
  __device__ float residual() const {
    const Equation of = equation<n>(slot);
    const float inflow = inflow_to<slot, n>();  // of all threads, for some shuffle for others
    return of.inverse == 0.0f ? 0.0f : (of.right_side + inflow) - __fdividef(ring_[slot].x[n], of.inverse);
  }

  template <int n>
  __device__ Equation& equation(int slot) const {
    return equations_[int(sizeof(SharedPlane<rows>) / sizeof(Equation)) * slot + points * n];
  }

  template <int slot>
  __device__ const PlanePair& plane() const {
    return ring_[slot];
  }

  __device__ bool is_in_tile() const {
    return int(threadIdx.x) >= tile_halo / 2 && int(threadIdx.x) < march_x - tile_halo / 2 &&
           int(threadIdx.y) >= tile_halo && int(threadIdx.y) < rows - tile_halo;
  }
  /// Whether points of a pair are not outermost ones of their plane.
  __device__ bool is_inner(int n) const {
    return n == 0 ? is_first_inner_ : is_second_inner_;
  }
  __device__ int j() const {
    return j_;
  }
  /// Of the first point of a pair, so many planes before the next one to be fetched.
  __device__ std::int64_t point_before(int planes) const {
    return point_at_ - planes * level_.plane_stride();
  }
  __device__ std::int64_t point(int n, int k) const {
    return 2 * pair_ - 1 + n + j_ * level_.row_stride() + k * level_.plane_stride();
  }

 private:
  static constexpr unsigned all = 0xffffffffu;
  static constexpr int points = rows * march_x;  // of a block's plane, of each pair

  template <int n>
  __device__ float& x(int slot) const {
    return mine_[int(sizeof(SharedPlane<rows>) / sizeof(float)) * slot + points * n];
  }

  template <int slot, int n>
  __device__ float inflow_to() const {
    const PlanePair& at = ring_[slot];
    const PlanePair &below = ring_[plane_before(slot, 1)],
                    &above = ring_[plane_before(slot, ring_planes - 1)];
    const auto part = [](unsigned pair) { return n == 0 ? first_of(pair) : second_of(pair); };
    const float x_low = n == 0 ? __shfl_up_sync(all, at.x[1], 1) : at.x[0],
                x_high = n == 0 ? at.x[1] : __shfl_down_sync(all, at.x[0], 1),
                face_low = n == 0 ? second_of(__shfl_up_sync(all, at.faces_x, 1)) : first_of(at.faces_x);
    const float* const here = &x<n>(slot);
    return ((face_low * x_low + part(at.faces_x) * x_high) +
            (part(at.faces_y_before) * here[row_before_] + part(at.faces_y) * here[row_behind_])) +
           (part(below.faces_z) * below.x[n] + part(at.faces_z) * above.x[n]);
  }

  const PackedLevel& level_;
  int first_equation_, last_equation_, pair_, j_;
  float* mine_;
  Equation* equations_;
  int row_before_, row_behind_;
  const float* b_;
  std::int64_t pair_at_, point_at_;  // of the next plane
  bool is_here_, is_first_inner_, is_second_inner_;
  PlanePair ring_[ring_planes];
  uint4 next_;
  unsigned next_x_before_, next_y_before_;
  float next_b_[2];
};

/// Calls step(slot, k) for planes `first` to `last`, in order, each with its place in the ring, and lets the
/// threads of a block wait for each other after each.
template <typename Step>
__device__ void over_planes(int first, int last, const Step& step) {
  for (int k = first; k <= last; k += ring_planes) {
    step(std::integral_constant<int, 0>{}, k);
    wait_for_block();
    if (k + 1 > last) break;
    step(std::integral_constant<int, 1>{}, k + 1);
    wait_for_block();
    if (k + 2 > last) break;
    step(std::integral_constant<int, 2>{}, k + 2);
    wait_for_block();
    if (k + 3 > last) break;
    step(std::integral_constant<int, 3>{}, k + 3);
    wait_for_block();
    if (k + 4 > last) break;
    step(std::integral_constant<int, 4>{}, k + 4);
    wait_for_block();
    if (k + 5 > last) break;
    step(std::integral_constant<int, 5>{}, k + 5);
    wait_for_block();
  }
}

}  // namespace ionwell::gpu
