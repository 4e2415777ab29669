// SPDX-License-Identifier: BSD-3-Clause
#include "structures/amber/netcdf_library.hpp"

#ifdef IONWELL_LOADS_NETCDF

#include <dlfcn.h>

#include "core/error.hpp"

namespace ionwell {
namespace {

/// Debian 13 has 22; Debian 12, Ubuntu 22.04 and 24.04 have 19; the last is there where programs are built.
constexpr const char* library_names[] = {"libnetcdf.so.22", "libnetcdf.so.19", "libnetcdf.so.18",
                                         "libnetcdf.so"};

void* opened_netcdf(const std::string& path) {
  for (const char* name : library_names)
    if (void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
  fail(path,
       ": this build of ionwell reads NetCDF with the library of the system, which was not found "
       "(libnetcdf.so.19 or .22); install it (Debian 12: libnetcdf19, Debian 13: libnetcdf22, Ubuntu 24.04: "
       "libnetcdf19t64), or write the trajectory as DCD with cpptraj");
}

template <typename Function>
void find_function(void* library, const char* name, const std::string& path, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr)
    fail(path, ": the NetCDF library of the system has no ", name, "; install NetCDF 4.7 or later");
}

NetcdfLibrary loaded_netcdf(const std::string& path) {
  void* const library = opened_netcdf(path);  // it stays loaded
  NetcdfLibrary found{};
  find_function(library, "nc_open_mem", path, found.open_mem);
  find_function(library, "nc_close", path, found.close);
  find_function(library, "nc_strerror", path, found.message);
  find_function(library, "nc_inq_varid", path, found.variable_id);
  find_function(library, "nc_inq_vartype", path, found.variable_type);
  find_function(library, "nc_inq_varndims", path, found.variable_rank);
  find_function(library, "nc_inq_vardimid", path, found.variable_dimensions);
  find_function(library, "nc_inq_dimlen", path, found.dimension_length);
  find_function(library, "nc_inq_att", path, found.attribute);
  find_function(library, "nc_get_att_text", path, found.attribute_text);
  find_function(library, "nc_get_att_double", path, found.attribute_number);
  find_function(library, "nc_get_vara_double", path, found.read);
  return found;
}

}  // namespace

const NetcdfLibrary& netcdf_library(const std::string& path) {
  static const NetcdfLibrary library = loaded_netcdf(path);
  return library;
}

}  // namespace ionwell

#else

namespace ionwell {

const NetcdfLibrary& netcdf_library(const std::string&) {
  static constexpr NetcdfLibrary library{.open_mem = nc_open_mem,
                                         .close = nc_close,
                                         .message = nc_strerror,
                                         .variable_id = nc_inq_varid,
                                         .variable_type = nc_inq_vartype,
                                         .variable_rank = nc_inq_varndims,
                                         .variable_dimensions = nc_inq_vardimid,
                                         .dimension_length = nc_inq_dimlen,
                                         .attribute = nc_inq_att,
                                         .attribute_text = nc_get_att_text,
                                         .attribute_number = nc_get_att_double,
                                         .read = nc_get_vara_double};
  return library;
}

}  // namespace ionwell

#endif
