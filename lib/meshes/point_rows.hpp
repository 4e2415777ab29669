// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>

#include "files/output_file.hpp"
#include "meshes/point_set.hpp"

/// Points in text with a line for each: XYZ, tables (CSV), PDB and PQR.
namespace ionwell {

/// `path` is for messages, which name the line. Throws Error for text that holds no point, for what is no
/// position, and for more points than memory. A table has its columns between commas, semicolons, tabs or
/// blanks; those called x, y and z in its first line, or else the first three. Lines that are empty or begin
/// with # do not count.
PointSet read_table(FileBytes bytes, const std::string& path);

/// XYZ as programs of molecules write it (a count, a comment, then a name and x, y, z to a line), and as bare
/// rows of x, y, z. One frame.
PointSet read_xyz(FileBytes bytes, const std::string& path);

/// ATOM and HETATM records of the first model.
PointSet read_pdb_points(FileBytes bytes, const std::string& path);
PointSet read_pqr_points(FileBytes bytes, const std::string& path);

/// Writes points with their values [kT/e], NaN where there is none. Where the points have text of this format
/// it is written again, with the value as the last column of a table or of XYZ, as the B-factor of a PDB
/// record (columns 61-66, with as many decimals as fit), or in the place of a PQR record's charge. Throws
/// Error for a PDB or PQR file without such text, and for a value that does not fit its columns.
void write_point_rows(OutputFile& file, const PointSet& points, std::span<const double> values_kT_e,
                      PointFormat format);

/// A value as all formats have it: eight digits, "nan" where there is none.
void append_value(std::string& text, double value);

/// A coordinate [A], with as many digits as it takes.
void append_coordinate(std::string& text, double x_A);

}  // namespace ionwell
