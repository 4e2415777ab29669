// SPDX-License-Identifier: BSD-3-Clause
#include "solvation/cell_shape.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace ionwell {
namespace {

constexpr double sqrt2 = std::numbers::sqrt2, sqrt3 = std::numbers::sqrt3;
constexpr double sqrt6 = sqrt2 * sqrt3;

constexpr Vec3<double> x_axis{1, 0, 0}, y_axis{0, 1, 0}, z_axis{0, 0, 1};

constexpr FacePair cube_faces[] = {{x_axis, 0, 1}, {y_axis, 0, 1}, {z_axis, 0, 1}};
constexpr FacePair rectangular_faces[] = {{x_axis, 0, 1}, {y_axis, 1, 1}, {z_axis, 2, 1}};

// Rhombs towards a, b, c, c - a, c - b, c - a - b.
constexpr FacePair dodecahedron_faces[] = {{x_axis, 0, 1},
                                           {y_axis, 0, 1},
                                           {{0.5, 0.5, sqrt2 / 2}, 0, 1},
                                           {{-0.5, 0.5, sqrt2 / 2}, 0, 1},
                                           {{0.5, -0.5, sqrt2 / 2}, 0, 1},
                                           {{-0.5, -0.5, sqrt2 / 2}, 0, 1}};

// Hexagons towards a, b, c and a - b + c; squares towards a + c, b - c and a - b, 2/sqrt(3) as far.
constexpr FacePair octahedron_faces[] = {{x_axis, 0, 1},
                                         {{1.0 / 3, 2 * sqrt2 / 3, 0}, 0, 1},
                                         {{-1.0 / 3, sqrt2 / 3, sqrt6 / 3}, 0, 1},
                                         {{1.0 / 3, -sqrt2 / 3, sqrt6 / 3}, 0, 1},
                                         {{sqrt3 / 3, sqrt6 / 6, sqrt2 / 2}, 0, 2 / sqrt3},
                                         {{sqrt3 / 3, sqrt6 / 6, -sqrt2 / 2}, 0, 2 / sqrt3},
                                         {{sqrt3 / 3, -sqrt6 / 3, 0}, 0, 2 / sqrt3}};

// Towards a, b, b - a and c.
constexpr FacePair hexagonal_faces[] = {
    {x_axis, 0, 1}, {{0.5, sqrt3 / 2, 0}, 0, 1}, {{-0.5, sqrt3 / 2, 0}, 0, 1}, {z_axis, 1, 1}};

}  // namespace

std::string_view to_string(CellShape shape) {
  constexpr std::string_view words[] = {"cube", "rectangular", "dodecahedron", "octahedron", "hexagonal"};
  return words[std::size_t(shape)];
}

std::span<const FacePair> face_pairs(CellShape shape) {
  switch (shape) {
    case CellShape::cube:
      return cube_faces;
    case CellShape::rectangular:
      return rectangular_faces;
    case CellShape::dodecahedron:
      return dodecahedron_faces;
    case CellShape::octahedron:
      return octahedron_faces;
    case CellShape::hexagonal:
      return hexagonal_faces;
  }
  return {};
}

CellVectors cell_of(CellShape shape, const CellSizes& sizes) {
  const auto& [d, e, f] = sizes.A;
  switch (shape) {
    case CellShape::cube:
      return {{d, 0, 0}, {0, d, 0}, {0, 0, d}};
    case CellShape::rectangular:
      return {{d, 0, 0}, {0, e, 0}, {0, 0, f}};
    case CellShape::dodecahedron:
      return {{d, 0, 0}, {0, d, 0}, {d / 2, d / 2, d * sqrt2 / 2}};
    case CellShape::octahedron:
      return {{d, 0, 0}, {d / 3, d * 2 * sqrt2 / 3, 0}, {-d / 3, d * sqrt2 / 3, d * sqrt6 / 3}};
    case CellShape::hexagonal:
      return {{d, 0, 0}, {d / 2, d * sqrt3 / 2, 0}, {0, 0, e}};
  }
  return {};
}

double volume_A3(CellShape shape, const CellSizes& sizes) {
  const CellVectors v = cell_of(shape, sizes);  // lower triangular
  return v.a.x * v.b.y * v.c.z;
}

CellSizes sizes_around(CellShape shape, std::span<const double> extents_A, double padding_A) {
  CellSizes sizes;
  const std::span<const FacePair> faces = face_pairs(shape);
  for (std::size_t n = 0; n < faces.size(); ++n) {
    double& size_A = sizes.A[faces[n].size];
    size_A = std::max(size_A, (extents_A[n] + 2 * padding_A) / faces[n].distance);
  }
  return sizes;
}

}  // namespace ionwell
