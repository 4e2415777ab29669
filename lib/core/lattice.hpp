// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "core/structure.hpp"
#include "core/vec3.hpp"

namespace ionwell {

/// Rectangular lattice; point (i,j,k) is at origin_A + spacing_A * (i,j,k) by axis, and i runs fastest in
/// memory. The only code that converts an index to a position. The lattice may be a slab, which is some
/// planes of a larger lattice: then k counts from the first plane of the slab, origin_A is that of the larger
/// lattice, and the positions of points are bit for bit those in the larger lattice.
struct LatticeGeometry {
  Vec3<double> origin_A;         // in the frame of the input structure
  Vec3<double> spacing_A;        // by axis: an imported map need not have equal ones
  Vec3<std::int64_t> counts;     // points, not cells
  std::int64_t first_plane = 0;  // of a slab: plane of the whole lattice
  std::int64_t all_planes = 0;   // of the whole lattice, when this is a slab

  IONWELL_HD constexpr std::int64_t size() const { return counts.x * counts.y * counts.z; }
  IONWELL_HD constexpr std::int64_t index(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return i + counts.x * (j + counts.y * k);
  }
  IONWELL_HD constexpr Vec3<std::int64_t> point(std::int64_t index) const {
    return {index % counts.x, index / counts.x % counts.y, index / (counts.x * counts.y)};
  }
  IONWELL_HD constexpr Vec3<double> position_A(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return {origin_A.x + spacing_A.x * double(i), origin_A.y + spacing_A.y * double(j),
            origin_A.z + spacing_A.z * double(first_plane + k)};
  }
  IONWELL_HD constexpr Vec3<double> position_A(std::int64_t index) const {
    const Vec3<std::int64_t> p = point(index);
    return position_A(p.x, p.y, p.z);
  }
  IONWELL_HD constexpr Vec3<double> first_point_A() const { return position_A(0, 0, 0); }

  /// Its planes [first, first + planes).
  constexpr LatticeGeometry slab(std::int64_t first, std::int64_t planes) const {
    return {origin_A, spacing_A, {counts.x, counts.y, planes}, first_plane + first, whole().counts.z};
  }
  /// The lattice that this is a slab of, or this lattice if it is not a slab.
  constexpr LatticeGeometry whole() const {
    return {origin_A, spacing_A, {counts.x, counts.y, all_planes > 0 ? all_planes : counts.z}};
  }

  friend constexpr bool operator==(const LatticeGeometry&, const LatticeGeometry&) = default;
};

struct LatticeOptions {
  double spacing_A = 0.5;
  double border_A = 10.0;  // beyond the solute's atoms, on every side
};

/// The points in a box: origin = lowest corner of `box`, floor(extent / spacing) + 1 points per axis: all are
/// inside the box. Throws UsageError for a spacing that is not positive, a box whose corners are swapped, or
/// more than 2^40 points.
LatticeGeometry lattice_in_box(const Box& box, double spacing_A);

/// The lattice around all atoms with a border on every side: origin = their lowest coordinates minus the
/// border, round(extent / spacing) + 1 points per axis (Stone et al. 2007), so the border may differ by half
/// a spacing on the far sides. Throws as above; there must be at least one atom.
LatticeGeometry enclosing_lattice(std::span<const Atom> atoms, const LatticeOptions& options);

}  // namespace ionwell
