// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "files/output_file.hpp"
#include "maps/map.hpp"

/// Maps in HDF5: an openPMD mesh (/data/0/meshes/potential, z,y,x order) whose group has what ChimeraX looks
/// for in a .cmap file (step, origin, name).
namespace ionwell {

/// Writes a map in chunks, compressed, slab by slab; the caller commits. Single precision, or double where
/// single would lose digits. Unit, temperature and provenance become attributes. Throws Error for values that
/// are not finite, and for an output that is no regular file.
void write_hdf5(OutputFile& file, const MapHeader& header, const MapValues& values,
                const MapProgress& progress);

/// Reads a file of write_hdf5, another openPMD mesh with axes along x, y and z, or a .cmap; of several data
/// sets of three dimensions the largest. i is fastest in the result. Throws Error for a file that holds none
/// or is damaged.
Map read_hdf5(const std::string& path);

/// The same for a file that is in memory already, as of a pipe, which HDF5 cannot read; `path` is for
/// messages.
Map read_hdf5_image(std::string_view bytes, const std::string& path);

/// By the mark at the start.
bool is_hdf5(std::string_view head);

}  // namespace ionwell
