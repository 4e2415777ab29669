// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "files/output_file.hpp"
#include "maps/map.hpp"

/// CCP4 and MRC maps, which ChimeraX, PyMOL and Coot read.
namespace ionwell {

/// Where a file says that its map begins. No header is read at the right place by all programs: NSTART has
/// whole steps only, those made for crystals (gemmi, Coot, PyMOL for .ccp4) know nothing of ORIGIN, and some
/// (GridDataFormats) add the two.
enum class Ccp4Convention {
  mrc,  // in ORIGIN, as MRC2014 has it: in place in ChimeraX, PyMOL for .mrc, GridDataFormats
  ccp4  // the nearest whole steps in NSTART, the rest in the skew translation, which only PyMOL reads: in
        // place there, and within half a step in all others
};

/// How far programs that read NSTART alone show such a lattice off, along the worst axis; 0 where its origin
/// is at whole steps.
double ccp4_misplacement_A(const LatticeGeometry& lattice);

/// Writes a map in single precision (mode 2), x fastest, with the cell as long as the points; the caller
/// commits. Labels have the unit, the provenance and all digits of the geometry, which single precision would
/// round. Values elsewhere come twice, first for their range and mean. Throws Error for values that are not
/// finite.
void write_ccp4(OutputFile& file, const MapHeader& header, const MapValues& values, Ccp4Convention convention,
                const MapProgress& progress);

/// Where a file's values are, in which order, and what it says before them.
struct Ccp4Header : MapHeader {
  Vec3<int> axis;            // which of x, y, z (0, 1, 2) column, row and section run along
  Vec3<std::int64_t> order;  // numbers of columns, rows and sections
  int mode = 2;
  bool swapped = false;  // of the other byte order
  std::size_t data = 0, bytes_each = 4;
};

/// A skew transformation that only moves the map is applied. Throws Error for cells that are not rectangular,
/// or turned, and for modes that are no real numbers.
Ccp4Header read_ccp4_header(std::string_view file, const std::string& path);

/// Reads a whole file, whatever the order of its axes; i is fastest in the result. `threads` 0: all there
/// are. Throws Error as above, and for a file that is cut.
Map read_ccp4(std::string_view file, const std::string& path, int threads);

/// Whether the bytes at the start of a file are those of a CCP4 or MRC map.
bool is_ccp4(std::string_view head);

}  // namespace ionwell
