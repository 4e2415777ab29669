// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>

#include "core/lattice.hpp"

namespace ionwell {

/// One of the six sides of a lattice: the points whose index along `axis` is the first or the last. A side's
/// own axes u and v are the other two, in order. Of a slab the sides are those of the whole lattice, of which
/// it has some rows of v.
class LatticeFace {
 public:
  LatticeFace(const LatticeGeometry& lattice, int axis, bool is_last)
      : whole_(lattice.whole()), slab_(lattice), axis_(axis), u_(axis == 0 ? 1 : 0), v_(axis == 2 ? 1 : 2) {
    level_ = is_last ? along(whole_.counts, axis) - 1 : 0;
  }

  std::int64_t count_u() const { return along(whole_.counts, u_); }
  std::int64_t count_v() const { return along(whole_.counts, v_); }

  /// The rows that are here: of v from the first to before the last.
  std::int64_t first_v() const { return v_ == 2 ? slab_.first_plane : 0; }
  std::int64_t end_v() const {
    if (v_ == 2) return slab_.first_plane + slab_.counts.z;
    return level_ >= slab_.first_plane && level_ < slab_.first_plane + slab_.counts.z ? count_v() : 0;
  }
  double spacing_u_A() const { return along(whole_.spacing_A, u_); }
  double spacing_v_A() const { return along(whole_.spacing_A, v_); }

  /// In the slab, of a point that it has.
  std::int64_t index(std::int64_t u, std::int64_t v) const {
    const std::array<std::int64_t, 3> p = point(u, v);
    return slab_.index(p[0], p[1], p[2] - slab_.first_plane);
  }

  /// Also between points.
  Vec3<double> position_A(double u, double v) const {
    std::array<double, 3> p{};
    p[std::size_t(axis_)] = double(level_);
    p[std::size_t(u_)] = u;
    p[std::size_t(v_)] = v;
    return whole_.origin_A +
           Vec3<double>{whole_.spacing_A.x * p[0], whole_.spacing_A.y * p[1], whole_.spacing_A.z * p[2]};
  }

  /// How far a position is from the side's plane, signed.
  double height_A(const Vec3<double>& position_A) const {
    return along(position_A, axis_) - along(whole_.origin_A, axis_) -
           along(whole_.spacing_A, axis_) * double(level_);
  }

  /// Whether a point counts as this side's: one on an edge belongs to the side of the lowest axis.
  bool owns(std::int64_t u, std::int64_t v) const {
    const std::array<std::int64_t, 3> p = point(u, v);
    const std::array<std::int64_t, 3> n{whole_.counts.x, whole_.counts.y, whole_.counts.z};
    for (std::size_t a = 0; a < std::size_t(axis_); ++a)
      if (p[a] == 0 || p[a] == n[a] - 1) return false;
    return true;
  }

 private:
  template <typename T>
  static T along(const Vec3<T>& v, int axis) {
    return axis == 0 ? v.x : (axis == 1 ? v.y : v.z);
  }

  std::array<std::int64_t, 3> point(std::int64_t u, std::int64_t v) const {
    std::array<std::int64_t, 3> p{};
    p[std::size_t(axis_)] = level_;
    p[std::size_t(u_)] = u;
    p[std::size_t(v_)] = v;
    return p;
  }

  LatticeGeometry whole_, slab_;
  int axis_, u_, v_;
  std::int64_t level_;
};

/// Calls visit(face) for the sides of a lattice, or of the lattice that it is a slab of: six, or one along an
/// axis with a single point.
template <typename Visit>
void for_each_face(const LatticeGeometry& lattice, const Visit& visit) {
  const Vec3<std::int64_t> counts = lattice.whole().counts;
  const std::array<std::int64_t, 3> n{counts.x, counts.y, counts.z};
  for (int axis = 0; axis < 3; ++axis) {
    visit(LatticeFace(lattice, axis, false));
    if (n[std::size_t(axis)] > 1) visit(LatticeFace(lattice, axis, true));
  }
}

}  // namespace ionwell
