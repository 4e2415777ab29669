// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>

#include "core/large_array.hpp"
#include "core/vec3.hpp"
#include "electrostatics/periodic/fourier_kernels.hpp"

namespace ionwell {

/// Where the points of a periodic grid lie in memory: x fastest, rows and planes padded, so that a window of
/// `overhang` points that begins in a row can run over its end without wrapping.
struct FourierLayout {
  Vec3<int> points;
  int overhang = 0;

  /// Numbers from one row to the next: a multiple of 8, so that rows begin on a cache line, but not of 512,
  /// which would send all rows to the same lines of a cache.
  std::int64_t row() const {
    const std::int64_t least = (std::max<std::int64_t>(points.x + overhang, points.x + 2) + 7) / 8 * 8;
    return least % 512 == 0 ? least + 8 : least;
  }
  std::int64_t plane() const { return row() * points.y; }
  std::int64_t size() const { return plane() * points.z; }
};

/// The smallest number from `least` up that has a fast Fourier transform: even, of prime factors to 7.
int fast_fourier_points(double least);

/// Real values on a periodic grid that can be filtered by wave vector. The transforms are of planes and
/// lines, each by one thread: the bits do not depend on the number of threads.
class FourierGrid {
 public:
  /// Of zeros. The numbers of points are those that fast_fourier_points() gives. Throws std::bad_alloc.
  FourierGrid(const FourierLayout& layout, int threads, const FourierKernels& kernels);

  const FourierLayout& layout() const { return layout_; }
  double* values() { return values_.data(); }
  const double* values() const { return values_.data(); }

  static std::int64_t bytes(const FourierLayout& layout) {
    return layout.size() * std::int64_t(sizeof(double));
  }

  /// Adds what was spread over the overhang to the points that it stands for.
  void fold_overhang();

  /// Copies the points to the overhang that stands for them.
  void fill_overhang();

  /// Replaces the values v(m) by the sum over wave vectors h of factor(h) V(h) exp(2 pi i h m / points), with
  /// V(h) the sum of v(m) exp(-2 pi i h m / points). factor(row, h_y, h_z) writes the factors of h_x = 0 to
  /// points.x / 2 to `row`; h_y and h_z are from -points / 2 to points / 2 - 1. It is called by several
  /// threads at a time.
  void filter(const std::function<void(double* row, int h_y, int h_z)>& factor);

 private:
  class Transforms;

  FourierLayout layout_;
  int threads_;
  const FourierKernels& kernels_;
  LargeArray<double> values_;
};

}  // namespace ionwell
