// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "files/output_file.hpp"
#include "meshes/point_set.hpp"

/// Points and triangles in PLY (ASCII, or binary with the lowest byte first), Wavefront OBJ and legacy VTK
/// (ASCII, POLYDATA or UNSTRUCTURED_GRID). Of a file only positions and faces count; polygons become
/// triangles that share their first corner.
namespace ionwell {

bool is_ply(std::string_view head);
bool is_vtk(std::string_view head);
bool is_obj(std::string_view head);

/// `path` is for messages. Throws Error for what is cut or damaged, for faces of points that are not there,
/// for coordinates that are none, and for what is not read: binary with the highest byte first, binary VTK.
PointSet read_ply(std::string_view bytes, const std::string& path);
PointSet read_obj(std::string_view text, const std::string& path);
PointSet read_vtk(std::string_view text, const std::string& path);

/// A mesh with a value [kT/e, NaN where there is none] for each point, and a colour: red where the value is
/// -limit_kT_e or below, white at 0, blue at the limit or above, grey where there is none.
struct ValuedMesh {
  const PointSet& points;
  std::span<const double> values_kT_e;
  double limit_kT_e;
};

/// Binary, with x, y, z and potential_kT_e in single precision, red, green, blue in bytes.
void write_ply(OutputFile& file, const ValuedMesh& mesh);

/// `v x y z r g b`, colours from 0 to 1 (as MeshLab and ChimeraX read them), and the value as a texture
/// coordinate of one number (`vt`).
void write_obj(OutputFile& file, const ValuedMesh& mesh);

/// POLYDATA with the scalars potential_kT_e and the colours `colour`.
void write_vtk(OutputFile& file, const ValuedMesh& mesh);

/// A script for PyMOL that shows the triangles in their colours, or without triangles a ball for each point.
void write_pml(OutputFile& file, const ValuedMesh& mesh);

// Parts that the readers and writers share.

struct Rgb {
  std::uint8_t red, green, blue;
};
Rgb potential_colour(double value_kT_e, double limit_kT_e);

/// Adds a polygon as triangles. Throws Error with `place()` for a corner that is none of `points`.
template <typename Place>
void add_polygon(std::vector<Triangle>& triangles, std::span<const std::int64_t> corners, std::size_t points,
                 const Place& place);

/// Throws Error when there is no memory for so many points and triangles.
void require_mesh_memory(std::int64_t points, std::int64_t triangles, const std::string& path);

/// Tokens of a text with the line that they are on, for messages.
class MeshTokens {
 public:
  MeshTokens(std::string_view text, std::size_t begin, const std::string& path)
      : text_(text), at_(begin), path_(path) {}

  /// Empty at the end.
  std::string_view next();
  std::string_view peek();

  /// Throw Error: for the end, and for what is not a number.
  double coordinate(std::size_t axis);
  std::int64_t whole_number(const char* what);

  std::size_t left() const { return text_.size() - at_; }
  std::string place() const;

 private:
  std::string_view text_;
  std::size_t at_, token_ = 0;
  const std::string& path_;
};

[[noreturn]] void fail_for_corner(std::int64_t corner, std::size_t points, const std::string& place);

template <typename Place>
void add_polygon(std::vector<Triangle>& triangles, std::span<const std::int64_t> corners, std::size_t points,
                 const Place& place) {
  for (const std::int64_t corner : corners)
    if (corner < 0 || corner >= std::int64_t(points)) fail_for_corner(corner, points, place());
  for (std::size_t n = 2; n < corners.size(); ++n)
    triangles.push_back(
        {std::uint32_t(corners[0]), std::uint32_t(corners[n - 1]), std::uint32_t(corners[n])});
}

}  // namespace ionwell
