# Run by cpack: Debian has manual pages and changelogs compressed.
if(CPACK_GENERATOR STREQUAL "DEB")
  file(GLOB_RECURSE documents "${CPACK_TEMPORARY_DIRECTORY}/*.1" "${CPACK_TEMPORARY_DIRECTORY}/changelog")
  if(documents)
    execute_process(COMMAND gzip -9n ${documents} COMMAND_ERROR_IS_FATAL ANY)
  endif()
endif()
