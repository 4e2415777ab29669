// SPDX-License-Identifier: BSD-3-Clause
#include "core/lattice.hpp"

#include <cmath>

#include "core/error.hpp"
#include "core/text/count_text.hpp"

namespace ionwell {
namespace {

constexpr double largest_point_count = 0x1p40;  // 4 TB of values: more than any machine this runs on

/// How an extent that is no multiple of the spacing is filled.
enum class Fill { inside, nearest };

std::int64_t points_along(const char* axis, double lowest_A, double highest_A, double spacing_A, Fill fill) {
  const double extent_A = highest_A - lowest_A;
  if (!(extent_A >= 0.0))
    fail<UsageError>("the corners of the box are in the wrong order: it goes from ", lowest_A, " to ",
                     highest_A, " A in ", axis, "; give the lower corner first: x0,y0,z0,x1,y1,z1");
  constexpr double same_point = 1e-6;  // of a step: 10 / 0.1 and the like are not exact
  const double steps = extent_A / spacing_A;
  const double count = (fill == Fill::nearest ? std::round(steps) : std::floor(steps + same_point)) + 1.0;
  if (!(count <= largest_point_count))
    fail<UsageError>("a lattice of ", extent_A, " A in ", axis, " with a spacing of ", spacing_A,
                     " A has too many points; use a larger --spacing, or a smaller --border or --box");
  return static_cast<std::int64_t>(count);
}

LatticeGeometry filled(const Box& box, double spacing_A, Fill fill) {
  if (!(spacing_A > 0.0 && std::isfinite(spacing_A)))
    fail<UsageError>("the lattice spacing is ", spacing_A, " A (it must be greater than 0); 0.5 is common");
  LatticeGeometry lattice{box.lowest_A, {spacing_A, spacing_A, spacing_A}, {}};
  lattice.counts = {points_along("x", box.lowest_A.x, box.highest_A.x, spacing_A, fill),
                    points_along("y", box.lowest_A.y, box.highest_A.y, spacing_A, fill),
                    points_along("z", box.lowest_A.z, box.highest_A.z, spacing_A, fill)};
  const double points = double(lattice.counts.x) * double(lattice.counts.y) * double(lattice.counts.z);
  if (points > largest_point_count)
    fail<UsageError>("a lattice of ", points, " points (", grouped(lattice.counts.x), " x ",
                     grouped(lattice.counts.y), " x ", grouped(lattice.counts.z),
                     ") is too large; use a larger --spacing, or a smaller --border or --box");
  return lattice;
}

}  // namespace

LatticeGeometry lattice_in_box(const Box& box, double spacing_A) {
  return filled(box, spacing_A, Fill::inside);
}

LatticeGeometry enclosing_lattice(std::span<const Atom> atoms, const LatticeOptions& options) {
  if (!(options.border_A >= 0.0 && std::isfinite(options.border_A)))
    fail<UsageError>("the border around the solute is ", options.border_A, " A (it must not be negative)");
  Box box = bounding_box(atoms);
  const Vec3<double> border{options.border_A, options.border_A, options.border_A};
  return filled({box.lowest_A - border, box.highest_A + border}, options.spacing_A, Fill::nearest);
}

}  // namespace ionwell
