# SPDX-License-Identifier: BSD-3-Clause
# IONWELL_PORTABLE, for programs that other Linux systems run as they are (scripts/package tarball): all is linked from
# static libraries but the C library; NetCDF, which Debian has no static library of, is loaded when a file needs it.
option(IONWELL_PORTABLE "Link static libraries and load NetCDF when a file needs it: programs for other Linux systems" OFF)
if(NOT IONWELL_PORTABLE)
  return()
endif()
if(IONWELL_PYTHON)
  message(FATAL_ERROR "IONWELL_PORTABLE is ON, which is for programs, and so is IONWELL_PYTHON; leave one of them out")
endif()
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
set(Boost_USE_STATIC_LIBS ON)
add_link_options(-static-libgcc -static-libstdc++
  LINKER:-Map=${PROJECT_BINARY_DIR}/$<TARGET_PROPERTY:NAME>.map)  # which tells what was linked, for its licences

# Not FindHDF5: all that its compiler names (libcurl and what that needs) is for files on servers. What the library itself
# needs depends on how it was configured: szip and libaec, if it is there.
find_path(IONWELL_HDF5_HEADERS hdf5.h PATH_SUFFIXES hdf5/serial REQUIRED)
find_library(IONWELL_HDF5_ARCHIVE NAMES hdf5_serial hdf5 PATH_SUFFIXES hdf5/serial REQUIRED)
find_library(IONWELL_SZIP_ARCHIVE sz)
find_library(IONWELL_AEC_ARCHIVE aec)
mark_as_advanced(IONWELL_HDF5_HEADERS IONWELL_HDF5_ARCHIVE IONWELL_SZIP_ARCHIVE IONWELL_AEC_ARCHIVE)
file(STRINGS ${IONWELL_HDF5_HEADERS}/H5public.h HDF5_VERSION REGEX "#define H5_VERS_INFO")
string(REGEX MATCH "[0-9]+\\.[0-9.]*[0-9]" HDF5_VERSION "${HDF5_VERSION}")
find_package(ZLIB REQUIRED)
add_library(hdf5::hdf5 UNKNOWN IMPORTED)
set_target_properties(hdf5::hdf5 PROPERTIES IMPORTED_LOCATION ${IONWELL_HDF5_ARCHIVE}
  INTERFACE_INCLUDE_DIRECTORIES ${IONWELL_HDF5_HEADERS})
foreach(archive ${IONWELL_SZIP_ARCHIVE} ${IONWELL_AEC_ARCHIVE} ZLIB::ZLIB ${CMAKE_DL_LIBS} m)
  if(archive)
    target_link_libraries(hdf5::hdf5 INTERFACE ${archive})
  endif()
endforeach()

find_path(NetCDF_INCLUDE_DIR netcdf_mem.h REQUIRED)
add_library(netCDF::netcdf INTERFACE IMPORTED)
target_include_directories(netCDF::netcdf INTERFACE ${NetCDF_INCLUDE_DIR})
target_link_libraries(netCDF::netcdf INTERFACE ${CMAKE_DL_LIBS})
set(NetCDF_VERSION "loaded when a file needs it")
