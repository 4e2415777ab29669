// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "files/output_file.hpp"
#include "maps/map.hpp"

/// UHBD's grid files (.grd), as text: x fastest, six values to a line, one spacing for all axes; the origin
/// in the file is the first point less the spacing.
namespace ionwell {

/// Writes a map with six digits; the caller commits. The title names the unit, and all digits of the geometry
/// where they fit into its 72 columns. Throws Error for spacings that differ, and for values that are not
/// finite.
void write_uhbd(OutputFile& file, const MapHeader& header, const MapValues& values, int threads,
                const MapProgress& progress);

/// What a file says before its values.
struct UhbdHeader : MapHeader {
  std::size_t data = 0;  // where the first plane begins
};

/// Reads the lines before the values. Throws Error, with the line, for what is no number in its columns.
UhbdHeader read_uhbd_header(std::string_view file, const std::string& path);

/// Reads a whole file; i is fastest in the result. Throws Error as above, and for a file that is cut.
Map read_uhbd(std::string_view file, const std::string& path, int threads);

}  // namespace ionwell
