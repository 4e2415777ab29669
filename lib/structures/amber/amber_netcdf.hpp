// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "structures/coordinates.hpp"
#include "structures/frame_reader.hpp"

namespace ionwell {

/// One frame of an AMBER NetCDF trajectory, or a NetCDF restart file: coordinates [A] with their scale
/// factor, and the cell; of the classic formats of NetCDF and of NetCDF-4, which is HDF5. A frame counts when
/// its last coordinate and its cell are in the file: the last of a run that was stopped may not be. Throws
/// Error for no such file and for a frame that it does not have. O(atoms); the bytes, all of the file, are
/// not copied, but NetCDF-4 is free to. libnetcdf and the HDF5 below it may have been built without locks:
/// one thread at a time. https://ambermd.org/netcdf/nctraj.xhtml
Coordinates read_amber_netcdf(std::string_view bytes, const std::string& path, FrameChoice frame = {});

/// The same for all frames of a file that is opened once.
std::unique_ptr<FrameReader> open_amber_netcdf(std::string_view bytes, const std::string& path);

/// Whether a file that begins so is one: NetCDF, and the word AMBER in its conventions.
bool is_amber_netcdf(std::string_view head);

}  // namespace ionwell
