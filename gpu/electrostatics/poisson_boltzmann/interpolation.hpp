// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>

#include "core/host_device.hpp"
#include "electrostatics/poisson_boltzmann/solver/axis_coarsening.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_level.hpp"

/// From a coarser level of a V-cycle to the next finer one: the transpose of what is collected
/// (CollectedPoints), else conjugate gradients have a preconditioner that is not symmetric. Plain C++.
namespace ionwell::gpu {

/// How one level becomes the next, as kernels take it.
struct LevelAxes {
  AxisCoarsening x, y, z;
};

inline LevelAxes level_axes(const std::array<AxisCoarsening, 3>& axes) {
  return {axes[0], axes[1], axes[2]};
}

/// Where a fine point lies between coarse ones.
struct Between {
  int low;
  float low_weight, high_weight;
};

IONWELL_HD inline Between between(const AxisCoarsening& axis, int i) {
  const int low = axis.coarse_below(i);
  if (!axis.between(i)) return {low, 1.0f, 0.0f};
  return {low, axis.high_weight(low), axis.low_weight()};
}

/// Coarse values at the two points of a thread's pair, for one plane after the other: trilinear, from coarse
/// planes that are read once.
class InterpolatedPair {
 public:
  /// Of the points i, which is odd, and i + 1 in row j, from plane `first` on.
  IONWELL_HD InterpolatedPair(const LevelAxes& axes, const PbLevel& coarse, const float* values, int i, int j,
                              int first)
      : z_(axes.z),
        x_(between(axes.x, i)),
        y_(between(axes.y, j)),
        next_row_(y_.high_weight != 0.0f ? coarse.row_stride() : 0),
        plane_(coarse.plane_stride()),
        at_(values + x_.low + y_.low * coarse.row_stride() + z_.coarse_below(first) * plane_) {
    if (z_.halved) read();
  }

  /// At point n of the pair in plane k, the next one.
  IONWELL_HD float at(int n, int k) {
    const bool is_between = z_.between(k);
    if (is_between || !z_.halved) read();
    const float high = n == 0 ? high_[0] : high_[1];
    if (!is_between) return high;
    return z_.high_weight(z_.coarse_below(k)) * (n == 0 ? low_[0] : low_[1]) + z_.low_weight() * high;
  }

 private:
  IONWELL_HD void read() {
    low_[0] = high_[0];
    low_[1] = high_[1];
    const float* const next = at_ + next_row_;
    high_[1] = y_.low_weight * at_[1] + y_.high_weight * next[1];
    high_[0] =
        x_.low_weight * (y_.low_weight * at_[0] + y_.high_weight * next[0]) + x_.high_weight * high_[1];
    at_ += plane_;
  }

  AxisCoarsening z_;
  Between x_, y_;
  std::int64_t next_row_, plane_;
  const float* at_;                   // of the coarse plane after the last one
  float low_[2] = {}, high_[2] = {};  // of the last coarse plane but one, and of the last
};

}  // namespace ionwell::gpu
