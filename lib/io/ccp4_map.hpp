#pragma once

#include <string>
#include <string_view>

#include "io/map.hpp"
#include "io/output_file.hpp"

/// CCP4 and MRC maps, which ChimeraX, PyMOL and Coot read.
namespace ionwell {

/// The NSTART words of a file whose origin is in its ORIGIN words.
enum class Ccp4Start {
  whole_steps,  // the nearest whole step to the origin: for programs that know nothing of ORIGIN (gemmi,
                // Coot, PyMOL for .ccp4)
  zero          // as MRC2014 has it: for programs that add both (GridDataFormats)
};

/// Writes a map in single precision (mode 2), x fastest, with the cell as long as the points; the caller
/// commits. Labels have the unit, the provenance and all digits of the geometry, which single precision would
/// round. Throws Error for values that are not finite.
void write_ccp4(OutputFile& file, const MapHeader& header, const MapValues& values, Ccp4Start start,
                const MapProgress& progress);

struct Ccp4Header : MapHeader {
  Vec3<int> axis;            // which of x, y, z (0, 1, 2) column, row and section run along
  Vec3<std::int64_t> order;  // numbers of columns, rows and sections
  int mode = 2;
  bool swapped = false;  // of the other byte order
  std::size_t data = 0, bytes_each = 4;
};

/// Throws Error for cells that are not rectangular and for modes that are no real numbers.
Ccp4Header read_ccp4_header(std::string_view file, const std::string& path);

Map read_ccp4(std::string_view file, const std::string& path, int threads);

/// Whether the bytes at the start of a file are those of a CCP4 or MRC map.
bool is_ccp4(std::string_view head);

}  // namespace ionwell
