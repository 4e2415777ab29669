// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "files/output_file.hpp"
#include "maps/map.hpp"

/// OpenDX maps, as APBS, VMD, ChimeraX, PyMOL and NAMD read and write them.
namespace ionwell {

/// How the values are written; gzip is text, packed.
enum class DxKind { text, gzip, binary };

/// Writes a map as OpenDX; the caller commits. The file has z fastest; text has three values to a line, seven
/// digits, and what is below 1e-30 as 0; binary is double precision, as APBS's .dxbin. Parallel; takes 32 MB,
/// or the memory of sixteen planes of the lattice where that is more; half as much again for values
/// elsewhere. Throws Error for values that are not
/// finite.
void write_dx(OutputFile& file, const MapHeader& header, const MapValues& values, DxKind kind, int threads,
              const MapProgress& progress);

/// Where a file's values are and what it says before them.
struct DxHeader : MapHeader {
  std::size_t data = 0;  // where the values begin
  bool is_binary = false;
  bool swapped = false;  // binary, of the other byte order
};

/// Reads everything before the values, by words, as any of the programs above writes it. Throws Error, with
/// the line, for axes that are not along x, y and z, and for counts that contradict each other.
DxHeader read_dx_header(std::string_view file, const std::string& path);

/// Reads a file of text, or of single or double precision: how many bytes are left decides between the two.
/// i is fastest in the result. Throws Error as above, and for a file that is cut.
Map read_dx(std::string_view file, const std::string& path, int threads);

}  // namespace ionwell
