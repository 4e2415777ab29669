// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <netcdf.h>
#include <netcdf_mem.h>

#include <string>

namespace ionwell {

/// The functions of NetCDF that are used here: those that the program is linked with, or, in a portable build
/// (IONWELL_PORTABLE), those of the system's library, which is loaded when it is first requested.
struct NetcdfLibrary {
  decltype(&nc_open_mem) open_mem;
  decltype(&nc_close) close;
  decltype(&nc_strerror) message;
  decltype(&nc_inq_varid) variable_id;
  decltype(&nc_inq_vartype) variable_type;
  decltype(&nc_inq_varndims) variable_rank;
  decltype(&nc_inq_vardimid) variable_dimensions;
  decltype(&nc_inq_dimlen) dimension_length;
  decltype(&nc_inq_att) attribute;
  decltype(&nc_get_att_text) attribute_text;
  decltype(&nc_get_att_double) attribute_number;
  decltype(&nc_get_vara_double) read;
};

/// Throws Error where it is to be loaded and is not there; `path` is the file that needs it.
const NetcdfLibrary& netcdf_library(const std::string& path);

}  // namespace ionwell
