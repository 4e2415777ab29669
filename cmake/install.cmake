# SPDX-License-Identifier: BSD-3-Clause
# cmake --install: program, library, headers, and what find_package(ionwell) needs.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ionwell)

install(TARGETS ionwell_program cionize RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime)
install(FILES ${PROJECT_SOURCE_DIR}/apps/vmd/ionwell.tcl ${PROJECT_SOURCE_DIR}/apps/vmd/pkgIndex.tcl
  DESTINATION ${CMAKE_INSTALL_DATADIR}/ionwell/vmd COMPONENT runtime)
install(TARGETS ionwell_lib ionwell_gpu EXPORT ionwell ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  COMPONENT development)

# What a user of the library needs: read a structure, describe a job, run it, read and write maps. With what these
# include they are all that is installed; tests/package counts them.
set(public_headers
  api/lattice_job.hpp
  api/read_solute.hpp
  core/error.hpp
  core/version.hpp
  gpu/backend.hpp
  maps/map_file.hpp)
install(CODE "
  set(public_headers ${public_headers})
  set(header_roots ${PROJECT_SOURCE_DIR}/lib ${PROJECT_SOURCE_DIR})
  set(header_destination ${CMAKE_INSTALL_INCLUDEDIR}/ionwell)" COMPONENT development)
install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/install_headers.cmake COMPONENT development)
install(EXPORT ionwell NAMESPACE ionwell:: FILE ionwellTargets.cmake DESTINATION ${package_dir}
  COMPONENT development)

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/ionwellConfig.cmake.in
  ${PROJECT_BINARY_DIR}/ionwellConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ionwellConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/ionwellConfig.cmake ${PROJECT_BINARY_DIR}/ionwellConfigVersion.cmake
  DESTINATION ${package_dir} COMPONENT development)
install(FILES ${IONWELL_VIEWER_LICENCE} DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME LICENSE.3Dmol COMPONENT runtime)
