# SPDX-License-Identifier: BSD-3-Clause
# The files of a report's page, built into the library; and 3Dmol.js, which draws its 3-D view, where
# scripts/install-packages --with-view has put it.
set(view_version 2.5.5)
set(view_sha256 f7cc78921ae72e7623e89cdd111434f58c2efddd2ffda1cd212644b406fb8016)
set(view_cache "$ENV{XDG_CACHE_HOME}")
if(view_cache STREQUAL "")
  set(view_cache "$ENV{HOME}/.cache")
endif()
find_file(IONWELL_3DMOL 3Dmol-min.js PATHS "${view_cache}/ionwell/3dmol-${view_version}" NO_DEFAULT_PATH
  DOC "3Dmol.js ${view_version} for the 3-D view of reports, its LICENSE beside it")
set(view_script "")
set(view_licence "")
set(IONWELL_VIEW_SUMMARY "no 3-D view; scripts/install-packages --with-view fetches 3Dmol.js")
if(IONWELL_3DMOL)
  cmake_path(GET IONWELL_3DMOL PARENT_PATH view_folder)
  file(SHA256 "${IONWELL_3DMOL}" found_sha256)
  if(NOT found_sha256 STREQUAL view_sha256)
    message(FATAL_ERROR "${IONWELL_3DMOL} is not the 3Dmol-min.js of version ${view_version} (SHA-256 ${found_sha256}, not "
      "${view_sha256}); remove it and run scripts/install-packages --with-view, or configure with -DIONWELL_3DMOL=OFF")
  elseif(NOT EXISTS "${view_folder}/LICENSE")
    message(FATAL_ERROR "${view_folder} has no LICENSE, which goes with 3Dmol.js; run scripts/install-packages --with-view, "
      "or configure with -DIONWELL_3DMOL=OFF")
  endif()
  set(view_script "${IONWELL_3DMOL}")
  set(view_licence "${view_folder}/LICENSE")
  set(IONWELL_VIEW_SUMMARY "3Dmol.js ${view_version}")
endif()

set(IONWELL_VIEW_SUMMARY "${IONWELL_VIEW_SUMMARY}" PARENT_SCOPE)
set(IONWELL_VIEW_LICENCE "${view_licence}" PARENT_SCOPE)

set(page_folder ${PROJECT_SOURCE_DIR}/lib/output/views/page)
set(page_source ${CMAKE_CURRENT_BINARY_DIR}/page_files.cpp)
set(view_source ${CMAKE_CURRENT_BINARY_DIR}/view_files.cpp)
set(embed ${PROJECT_SOURCE_DIR}/cmake/embed.cmake)
add_custom_command(OUTPUT ${page_source}
  COMMAND ${CMAKE_COMMAND} -DOUTPUT=${page_source} -DHEADER=output/views/page_files.hpp
    "-DPARTS=page_template=${page_folder}/report.html|page_style=${page_folder}/report.css|page_script=${page_folder}/charts.js,${page_folder}/report.js,${page_folder}/view.js"
    -P ${embed}
  DEPENDS ${embed} ${page_folder}/report.html ${page_folder}/report.css ${page_folder}/charts.js
    ${page_folder}/report.js ${page_folder}/view.js
  COMMENT "Embedding the page of reports" VERBATIM)
# Half a megabyte by itself: it does not change. Written when configured, so that a build without it is made again.
execute_process(COMMAND ${CMAKE_COMMAND} -DOUTPUT=${view_source}.new -DHEADER=output/views/page_files.hpp
    "-DPARTS=viewer_script=${view_script}|viewer_licence=${view_licence}" -P ${embed}
  COMMAND_ERROR_IS_FATAL ANY)
file(COPY_FILE ${view_source}.new ${view_source} ONLY_IF_DIFFERENT)
file(REMOVE ${view_source}.new)
target_sources(ionwell_lib PRIVATE ${page_source} ${view_source})
set_source_files_properties(${page_source} ${view_source} PROPERTIES SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
