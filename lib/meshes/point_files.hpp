// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "files/output_file.hpp"
#include "meshes/point_set.hpp"

/// Points and meshes in any of their formats: which one, reading decides by the bytes and then by the name,
/// writing by the name.
namespace ionwell {

/// Reads points (XYZ, CSV, PDB, PQR) or a mesh (PLY, OBJ, VTK), also gzipped, also from a pipe ("-": standard
/// input). Throws Error, with the line where there are lines, for what is none of them, is damaged, or holds
/// no point.
PointSet read_points(const std::string& path);

/// The same of bytes; `path` is for messages and the format of what has no mark of its own.
PointSet read_points(FileBytes bytes, const std::string& path);

/// The format that a name asks for; "-" is CSV. Throws UsageError for a name that does not end in one of
/// .csv, .txt, .xyz, .pdb, .pqr, .ply, .obj, .vtk, .pml, .h5.
PointFormat point_format_of(const std::string& path);

/// Throws UsageError when points that were read from a file of format `from` cannot be written as `to`: PDB
/// and PQR records need those they come from. A surface made here has no file.
void check_point_formats(std::optional<PointFormat> from, PointFormat to, const std::string& path);

/// What goes into a file besides the points.
struct PointValues {
  std::span<const double> potential_kT_e;  // NaN where there is none
  std::span<const double> areas_A2;        // empty for points without triangles
  double colour_limit_kT_e = 1.0;          // where colours are full
  /// For HDF5: what it is and how it was made.
  std::vector<std::pair<std::string, std::string>> provenance;
};

/// Writes points and values in the format of the file's name; the caller commits. See point_rows.hpp and
/// mesh_files.hpp for what goes where. HDF5 has data sets points_A [n,3], potential_kT_e [n], and for
/// surfaces triangles [m,3] and areas_A2 [n].
void write_points(OutputFile& file, const PointSet& points, const PointValues& values);

}  // namespace ionwell
