// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/structure.hpp"
#include "files/file_bytes.hpp"

namespace ionwell {

/// Formats of points that potentials are requested. All are read but HDF5 and PyMOL's scripts.
enum class PointFormat { xyz, csv, pdb, pqr, ply, obj, vtk, hdf5, pml };

/// "XYZ", "CSV", ...: what messages and reports call it.
std::string_view to_string(PointFormat format);

/// Numbers of three points, anticlockwise as seen from outside.
using Triangle = std::array<std::uint32_t, 3>;

/// A part of a file's text.
struct TextPart {
  std::size_t begin = 0;
  std::uint32_t length = 0;
};

/// The text that points were read from, a line for each, so that their values can be put beside them and all
/// else stays as it is.
struct PointText {
  FileBytes bytes;
  std::vector<TextPart> rows;        // by point, in the order of the text; without line ends
  std::optional<TextPart> headline;  // names of columns
  char separator = ' ';              // of columns

  std::string_view operator[](const TextPart& part) const {
    return bytes.text().substr(part.begin, part.length);
  }
};

/// Points anywhere in space, and the triangles of a surface where they have them.
struct PointSet {
  std::string path;  // as messages call it
  PointFormat format = PointFormat::csv;
  std::vector<Vec3<double>> positions_A;
  std::vector<Triangle> triangles;
  std::shared_ptr<const PointText> text;  // null for meshes, and for points that are of no file
};

/// What of the surface is nearest to each point: a third of each of its triangles [A^2]. Empty where there
/// are no triangles.
std::vector<double> point_areas_A2(const PointSet& points);

/// Whether it is one: finite, and not beyond 1e5 A.
bool is_position(const Vec3<double>& position_A);

/// Throws Error for what is none.
[[noreturn]] void fail_for_position(const Vec3<double>& position_A, const std::string& place);

}  // namespace ionwell
