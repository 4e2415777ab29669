#pragma once

#include <algorithm>
#include <cstddef>

#include "core/large_array.hpp"

namespace ionwell {

/// The vectors of an equation that hold nothing between two solves: equations that are solved one after the
/// other may share them. On a machine whose memory was in other hands, a page that is touched first costs
/// more than what is computed on it.
class HostWorkspace {
 public:
  /// For lattices of at most so many points, as far as that is known.
  explicit HostWorkspace(std::size_t points = 0) : points_(points) {}

  /// For so many points, too: an array that is too small has new memory when it is asked for again.
  void fit(std::size_t points) { points_ = std::max(points_, points); }

  LargeArray<double>& potential() { return made(potential_); }
  LargeArray<float>& residual() { return made(residual_); }
  LargeArray<float>& correction() { return made(correction_); }
  LargeArray<float>& direction() { return made(direction_); }
  LargeArray<float>& preconditioned() { return made(preconditioned_); }

 private:
  template <typename T>
  LargeArray<T>& made(LargeArray<T>& array) const {
    if (array.size() < points_) {
      array = {};
      array = LargeArray<T>(points_);
    }
    return array;
  }

  std::size_t points_;
  LargeArray<double> potential_;
  LargeArray<float> residual_, correction_, direction_, preconditioned_;
};

}  // namespace ionwell
