// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "electrostatics/poisson_boltzmann/solver/red_black/red_black_lattice.hpp"

namespace ionwell {

/// The last few planes of a half lattice that a thread has come to, zero at the lattice's sides.
class PlaneRing {
 public:
  PlaneRing(const RedBlackLattice& lattice, int planes)
      : nz_(lattice.nz),
        planes_(planes),
        stride_(lattice.plane_stride()),
        values_(std::size_t(stride_ * (planes + 1))) {}

  /// Plane k, in place of plane k - planes.
  float* at(int k) {
    const bool is_inner = k > 0 && k < nz_ - 1;
    return values_.data() + stride_ * (is_inner ? k % planes_ : planes_);
  }

  /// Planes k - 1 to k + 1.
  RedBlackPlanes around(int k) { return {at(k - 1), at(k), at(k + 1)}; }

 private:
  int nz_, planes_;
  std::int64_t stride_;
  std::vector<float> values_;
};

/// A slab of planes of a half lattice that is changed in place, with copies of `beside` planes before and
/// after it: what other threads do to theirs is not seen.
class PlaneSlab {
 public:
  PlaneSlab(const RedBlackLattice& lattice, int beside)
      : lattice_(lattice),
        beside_(beside),
        copies_(std::size_t(2 * beside * lattice.plane_stride())),
        zeros_(std::size_t(lattice.plane_stride())) {}

  /// The slab from `begin` to before `end` of `values`.
  void take(float* values, int begin, int end) {
    values_ = values;
    begin_ = begin;
    end_ = end;
  }

  /// Calls fill(k, copy) for the inner planes beside it.
  template <typename Fill>
  void fill_beside(const Fill& fill) {
    for (int k = begin_ - beside_; k < end_ + beside_; k = k == begin_ - 1 ? end_ : k + 1)
      if (k > 0 && k < lattice_.nz - 1) fill(k, at(k));
  }

  /// Plane k, at most `beside` away.
  float* at(int k) {
    if (k <= 0 || k >= lattice_.nz - 1) return zeros_.data();
    if (k >= begin_ && k < end_) return values_ + k * lattice_.plane_stride();
    return copies_.data() +
           (k < begin_ ? k - begin_ + beside_ : k - end_ + beside_) * lattice_.plane_stride();
  }
  RedBlackPlanes around(int k) { return {at(k - 1), at(k), at(k + 1)}; }

 private:
  RedBlackLattice lattice_;
  int beside_;
  std::vector<float> copies_, zeros_;
  float* values_ = nullptr;
  int begin_ = 0, end_ = 0;
};

/// Into how many slabs so many planes of a lattice are best cut: a few more planes are done for each.
inline int slab_count(int planes, int threads) {
  constexpr int planes_a_slab = 8;
  const int most = planes / planes_a_slab;
  return most < 1 ? 1 : (most < threads ? most : threads);
}

}  // namespace ionwell
