# cmake --install: program, library, headers, and what find_package(ionwell) needs.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ionwell)

install(TARGETS ionwell_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS ionwell_lib ionwell_gpu EXPORT ionwell ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/lib/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ionwell
  FILES_MATCHING PATTERN "*.hpp"
  PATTERN "hdf5_handle.hpp" EXCLUDE  # needs HDF5's headers, which users of the library do not;
  PATTERN "json_parts.hpp" EXCLUDE)  # likewise those of nlohmann_json
install(FILES ${PROJECT_SOURCE_DIR}/gpu/backend.hpp ${PROJECT_SOURCE_DIR}/gpu/gpu_field.hpp
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ionwell/gpu)
install(FILES ${PROJECT_SOURCE_DIR}/gpu/lattice/layout.hpp
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ionwell/gpu/lattice)
install(EXPORT ionwell NAMESPACE ionwell:: FILE ionwellTargets.cmake DESTINATION ${package_dir})

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/ionwellConfig.cmake.in
  ${PROJECT_BINARY_DIR}/ionwellConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ionwellConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/ionwellConfig.cmake ${PROJECT_BINARY_DIR}/ionwellConfigVersion.cmake
  DESTINATION ${package_dir})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
