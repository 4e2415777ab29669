// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "files/output_file.hpp"
#include "maps/map.hpp"

/// Gaussian's cube files: lengths in bohr (in Angstrom where the counts are negative), z fastest.
namespace ionwell {

/// Writes a map with six digits; the caller commits. The second line has all digits of the geometry, which
/// bohr would round. One ghost atom (number 0, no charge) stands in the middle: VMD's and PyMOL's reader
/// takes a file without atoms for orbitals. Throws Error for values that are not finite.
void write_cube(OutputFile& file, const MapHeader& header, const MapValues& values, int threads,
                const MapProgress& progress);

/// What a file says before its values.
struct CubeHeader : MapHeader {
  std::size_t atoms_begin = 0;  // where the lines of the atoms begin; the values follow them
  std::int64_t atoms = 0;
};

/// Reads the six lines before the atoms. Throws Error for axes that are not along x, y and z, and for files
/// of orbitals.
CubeHeader read_cube_header(std::string_view file, const std::string& path);

/// Reads a whole file; i is fastest in the result. Throws Error as above, with the line, and for a file that
/// is cut.
Map read_cube(std::string_view file, const std::string& path, int threads);

}  // namespace ionwell
