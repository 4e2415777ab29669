// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace ionwell {

/// Whether the header of a classic NetCDF file ("CDF" and 1, 2 or 5) can be given to libnetcdf, which follows
/// what a damaged one says out of its memory: every list lies in the file, every variable has dimensions that
/// there are, and begins in the file. O(header).
/// https://docs.unidata.ucar.edu/netcdf-c/current/file_format_specifications.html
bool is_sound_netcdf_header(std::string_view bytes);

}  // namespace ionwell
