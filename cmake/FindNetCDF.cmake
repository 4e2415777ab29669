# SPDX-License-Identifier: BSD-3-Clause
# The C library of NetCDF, as the target netCDF::netcdf: other systems have a netCDFConfig.cmake, Debian has netcdf.pc,
# some have neither.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(PC_NETCDF QUIET netcdf)
endif()
find_path(NetCDF_INCLUDE_DIR netcdf_mem.h HINTS ${PC_NETCDF_INCLUDE_DIRS})
find_library(NetCDF_LIBRARY netcdf HINTS ${PC_NETCDF_LIBRARY_DIRS})
mark_as_advanced(NetCDF_INCLUDE_DIR NetCDF_LIBRARY)
if(NetCDF_INCLUDE_DIR AND EXISTS ${NetCDF_INCLUDE_DIR}/netcdf_meta.h)
  file(STRINGS ${NetCDF_INCLUDE_DIR}/netcdf_meta.h netcdf_version REGEX "#define NC_VERSION ")
  string(REGEX MATCH "[0-9]+\\.[0-9.]*[0-9]" NetCDF_VERSION "${netcdf_version}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(NetCDF REQUIRED_VARS NetCDF_LIBRARY NetCDF_INCLUDE_DIR VERSION_VAR NetCDF_VERSION
  REASON_FAILURE_MESSAGE "Debian and Ubuntu have it as libnetcdf-dev")
if(NetCDF_FOUND AND NOT TARGET netCDF::netcdf)
  add_library(netCDF::netcdf UNKNOWN IMPORTED)
  set_target_properties(netCDF::netcdf PROPERTIES
    IMPORTED_LOCATION ${NetCDF_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${NetCDF_INCLUDE_DIR})
endif()
