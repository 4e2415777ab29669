# SPDX-License-Identifier: BSD-3-Clause
# The sources of a room, in tests of a folder, compiled as one file: headers and templates are most of what a file costs
# here, and a fresh build takes half as long. Whoever works on the code wants the contrary, files that compile alone and a compiler cache:
# so not under a compiler launcher.
option(IONWELL_UNITY "Compile the sources of a folder together (not under a compiler launcher)" OFF)

# Those whose own names are another file's of their folder, too; and of NetCDF, which a test compiles otherwise.
set(apart
  lib/core/chemistry/ion_radius lib/core/chemistry/ion_table
  lib/maps/map_header
  lib/programs/pdb2pqr[.] lib/programs/apbs[.]
  lib/structures/pdb/pqr_record
  lib/structures/amber/amber_netcdf lib/structures/amber/netcdf_library
  lib/structures/charmm/charmm_crd lib/structures/charmm/psf lib/structures/charmm/xsc
  lib/structures/engines/vmd_files lib/structures/gromacs/xtc
  gpu/electrostatics/multilevel[.]
  tests/cli/ tests/fuzz/ tests/structures/
  tests/electrostatics/periodic/ tests/gpu/test_gpu_layout tests/placement/at_points/test_scattered_points
  tests/jobs/place/test_pb_own tests/jobs/place/test_report tests/jobs/place/test_run
  tests/solvation/test_fill_with_water tests/solvation/test_water_model
)
list(JOIN apart "|" apart)  # one expression

set(rooms "^(compute|core|electrostatics|ionwell|jobs|output|placement|potential|solvation)/.*")  # with the folders in them

function(compile_folders_together target)
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
  foreach(source IN LISTS sources)
    if(NOT source MATCHES "^[a-z].*[.]cpp$" OR "${folder}/${source}" MATCHES "^(${apart})")
      continue()
    endif()
    cmake_path(GET source PARENT_PATH group)
    if(NOT folder STREQUAL "tests")
      list(TRANSFORM group REPLACE "${rooms}" "\\1")
      list(TRANSFORM group REPLACE "^(core|files|parallel|lattice)$" "core")
      list(TRANSFORM group REPLACE "^structures/(amber|charmm|gromacs)$" "topologies")
      list(TRANSFORM group REPLACE "^structures/(engines|writers)$" "writers")
      list(TRANSFORM group REPLACE "^structures/.*" "structures")
    endif()
    string(MAKE_C_IDENTIFIER "in_${group}" group)
    set_property(SOURCE ${PROJECT_SOURCE_DIR}/${folder}/${source} DIRECTORY ${PROJECT_SOURCE_DIR}/${folder}
      PROPERTY UNITY_GROUP ${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP
    # What a name hides may be another file's.
    UNITY_BUILD_CODE_BEFORE_INCLUDE "#pragma GCC diagnostic ignored \"-Wshadow\"")
endfunction()

if(IONWELL_UNITY AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  foreach(target ionwell_lib ionwell_gpu ionwell_command_line ionwell_program cionize unit_tests)
    if(TARGET ${target})
      compile_folders_together(${target})
    endif()
  endforeach()
endif()
