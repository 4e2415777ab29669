// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "maps/map.hpp"

/// Maps in any of the formats: which one, reading decides by the bytes, writing by the name.
namespace ionwell {

class InputFile;
class OutputFile;

/// Throws UsageError for a name that does not end in one of .dx, .dx.gz, .dxbin, .h5, .cmap, .ccp4, .mrc,
/// .map, .cube, .grd.
void check_map_name(const std::string& path);

/// Whether a file is a map, by its first bytes or by its name, also with .gz after it.
bool is_map(const InputFile& file);

/// What to tell the user of a map to be written under this name: that other programs will show it beside its
/// place, and which format they show in place.
std::optional<std::string> placement_warning(const std::string& path, const LatticeGeometry& lattice);

/// Writes a map in the format that the name of `file` asks for; the caller commits. `threads` 0: all there
/// are.
void write_map(OutputFile& file, const MapHeader& header, const MapValues& values, int threads,
               const MapProgress& progress);

/// The same to a file of this name.
void write_map(const std::string& path, const MapHeader& header, const MapValues& values, int threads = 0);

/// Reads a map, also gzipped, also from a pipe ("-": standard input). A compressed file is unpacked only as
/// far as its header says that values go. Throws Error for a file that is not a map, is truncated, or has
/// axes other than x, y and z, and for values that are not finite. i is fastest in the result, eight bytes
/// for each point; `threads` 0: all there are.
Map read_map(const std::string& path, int threads = 0);
Map read_map(InputFile file, int threads = 0);

/// The unit that the user names, for a map that does not say its own. Throws UsageError when it says another
/// one.
void state_unit(Map& map, std::optional<MapUnit> unit);

/// Converts the values to `unit`. A map whose unit is not known must be given one before; `temperature_K` is
/// that of kT where the map names none.
void convert_unit(Map& map, MapUnit unit, double temperature_K);

}  // namespace ionwell
