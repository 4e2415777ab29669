# FFTW in double precision, as the target FFTW3::fftw3: its own FFTW3Config.cmake is missing or broken on most systems.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(PC_FFTW3 QUIET fftw3)
endif()
find_path(FFTW3_INCLUDE_DIR fftw3.h HINTS ${PC_FFTW3_INCLUDE_DIRS})
find_library(FFTW3_LIBRARY fftw3 HINTS ${PC_FFTW3_LIBRARY_DIRS})
mark_as_advanced(FFTW3_INCLUDE_DIR FFTW3_LIBRARY)
set(FFTW3_VERSION ${PC_FFTW3_VERSION})  # the header does not tell
if(FFTW3_LIBRARY AND NOT FFTW3_VERSION)
  set(FFTW3_VERSION 3.3)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(FFTW3 REQUIRED_VARS FFTW3_LIBRARY FFTW3_INCLUDE_DIR VERSION_VAR FFTW3_VERSION
  REASON_FAILURE_MESSAGE "Debian and Ubuntu have it as libfftw3-dev")
if(FFTW3_FOUND AND NOT TARGET FFTW3::fftw3)
  add_library(FFTW3::fftw3 UNKNOWN IMPORTED)
  set_target_properties(FFTW3::fftw3 PROPERTIES
    IMPORTED_LOCATION ${FFTW3_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${FFTW3_INCLUDE_DIR})
endif()
