# SPDX-License-Identifier: BSD-3-Clause
# Run by cpack: Debian has manual pages and changelogs compressed, and a changelog of the package beside that of the program.
if(CPACK_GENERATOR STREQUAL "DEB")
  set(version ${CPACK_PACKAGE_VERSION})
  if(CPACK_DEBIAN_PACKAGE_RELEASE)
    string(APPEND version "-${CPACK_DEBIAN_PACKAGE_RELEASE}")
  endif()
  string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
  file(GLOB_RECURSE changelogs "${CPACK_TEMPORARY_DIRECTORY}/*/changelog")
  foreach(changelog IN LISTS changelogs)
    cmake_path(GET changelog PARENT_PATH folder)
    cmake_path(GET folder FILENAME package)
    file(WRITE "${changelog}.Debian" "${package} (${version}) unstable; urgency=medium

  * What is new in the program is in changelog.gz.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
  endforeach()

  file(GLOB_RECURSE documents "${CPACK_TEMPORARY_DIRECTORY}/*.1" "${CPACK_TEMPORARY_DIRECTORY}/changelog"
    "${CPACK_TEMPORARY_DIRECTORY}/changelog.Debian")
  if(documents)
    execute_process(COMMAND gzip -9n ${documents} COMMAND_ERROR_IS_FATAL ANY)
  endif()
endif()
