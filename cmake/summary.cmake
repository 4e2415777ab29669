# SPDX-License-Identifier: BSD-3-Clause
# What this build is made of, at the end of every configure run.
if(IONWELL_TESTS)
  set(tests "yes, doctest ${doctest_VERSION}")
else()
  set(tests "no")
endif()
if(IONWELL_SANITIZE)
  set(sanitizers "${IONWELL_SANITIZE}")
else()
  set(sanitizers "none")
endif()
if(IONWELL_MPI)
  set(mpi "${MPI_C_VERSION}")
else()
  set(mpi "no")
endif()
if(IONWELL_PYTHON)
  get_target_property(python ionwell_python IONWELL_INTERPRETER)
else()
  set(python "no")
endif()
message(STATUS "ionwell ${PROJECT_VERSION}
     compiler    ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} for ${CMAKE_SYSTEM_PROCESSOR}, ${CMAKE_BUILD_TYPE}
     OpenMP      ${OpenMP_CXX_VERSION}
     Boost       ${Boost_VERSION}
     GPU         ${IONWELL_CUDA_SUMMARY}
     json        ${nlohmann_json_VERSION}
     zlib        ${ZLIB_VERSION_STRING}
     HDF5        ${HDF5_VERSION}
     NetCDF      ${NetCDF_VERSION}
     Python      ${python}
     MPI         ${mpi}
     tests       ${tests}
     sanitizers  ${sanitizers}")
