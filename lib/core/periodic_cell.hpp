// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cmath>

#include "core/host_device.hpp"
#include "core/structure.hpp"
#include "core/unit_cell.hpp"

namespace ionwell {

/// A cell that repeats in all directions, of any shape. What it tells of distances is exact: the shortest of
/// all images, also where the cell is skewed so much that no program would lay it so.
class PeriodicCell {
 public:
  /// Of any three vectors, whatever their directions. Throws Error when they span no volume.
  explicit PeriodicCell(const CellVectors& vectors);

  /// As given.
  const CellVectors& vectors() const { return vectors_; }

  double volume_A3() const { return volume_A3_; }

  /// The vectors g_a, g_b, g_c with g_i . v_j = 1 for i = j, otherwise 0 [1/A]; without the factor 2 pi.
  const CellVectors& reciprocal() const { return reciprocal_; }

  /// Distances between opposite faces, along the reciprocal vectors.
  Vec3<double> widths_A() const;

  /// Half the distance to the nearest image of a point: spheres of this radius around the images touch. All
  /// that is nearer than this to a point is nearer to it than to any of its images.
  IONWELL_HD double inscribed_radius_A() const { return inscribed_radius_A_; }

  /// No point is farther than this from the nearest image of another: an upper bound.
  double farthest_A() const;

  /// The cell by its three shortest vectors (Minkowski reduced), which span the same lattice.
  const CellVectors& reduced() const { return reduced_; }

  /// Multiples of the vectors.
  IONWELL_HD Vec3<double> fractional(const Vec3<double>& position_A) const {
    return {dot(reciprocal_.a, position_A), dot(reciprocal_.b, position_A), dot(reciprocal_.c, position_A)};
  }

  IONWELL_HD Vec3<double> cartesian_A(const Vec3<double>& fractional) const {
    return fractional.x * vectors_.a + fractional.y * vectors_.b + fractional.z * vectors_.c;
  }

  /// The image whose fractional coordinates are in [0, 1).
  IONWELL_HD Vec3<double> wrapped(const Vec3<double>& position_A) const {
    const Vec3<double> f = fractional(position_A);
    return cartesian_A({f.x - std::floor(f.x), f.y - std::floor(f.y), f.z - std::floor(f.z)});
  }

  /// The shortest of all images of a difference between two positions.
  IONWELL_HD Vec3<double> shortest(const Vec3<double>& difference_A) const {
    const double x = std::rint(dot(reduced_reciprocal_.a, difference_A)),
                 y = std::rint(dot(reduced_reciprocal_.b, difference_A)),
                 z = std::rint(dot(reduced_reciprocal_.c, difference_A));
    Vec3<double> best = difference_A - x * reduced_.a - y * reduced_.b - z * reduced_.c;
    double best_A2 = dot(best, best);
    if (best_A2 <= inscribed_radius_A_ * inscribed_radius_A_) return best;
    const Vec3<double> first = best;
    for (int k = -1; k <= 1; ++k)
      for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i) {
          const Vec3<double> image =
              first + double(i) * reduced_.a + double(j) * reduced_.b + double(k) * reduced_.c;
          const double image_A2 = dot(image, image);
          if (image_A2 < best_A2) {
            best = image;
            best_A2 = image_A2;
          }
        }
    return best;
  }

  /// Whether the planes of the cell show that all images of a difference are longer than `distance_A`: sooner
  /// seen than which is shortest. Where it is false they may still be.
  IONWELL_HD bool is_surely_longer(const Vec3<double>& difference_A, double distance_A) const {
    const auto between_planes = [&](const Vec3<double>& normal) {
      const double f = dot(normal, difference_A), part = f - std::rint(f);
      return part * part > distance_A * distance_A * dot(normal, normal);
    };
    return between_planes(reduced_reciprocal_.a) || between_planes(reduced_reciprocal_.b) ||
           between_planes(reduced_reciprocal_.c);
  }

  IONWELL_HD double distance_squared_A2(const Vec3<double>& a_A, const Vec3<double>& b_A) const {
    const Vec3<double> d = shortest(a_A - b_A);
    return dot(d, d);
  }

 private:
  CellVectors vectors_, reciprocal_, reduced_, reduced_reciprocal_;
  double volume_A3_ = 0.0, inscribed_radius_A_ = 0.0;
};

}  // namespace ionwell
