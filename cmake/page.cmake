# SPDX-License-Identifier: BSD-3-Clause
# The files of a report's page, built into the library, with 3Dmol.js, which draws its 3-D view.
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
# By itself: half a megabyte that does not change.
set(viewer ${page_folder}/3dmol)
set(IONWELL_VIEWER_LICENCE ${viewer}/LICENSE PARENT_SCOPE)
add_custom_command(OUTPUT ${view_source}
  COMMAND ${CMAKE_COMMAND} -DOUTPUT=${view_source} -DHEADER=output/views/page_files.hpp
    "-DPARTS=viewer_script=${viewer}/3Dmol-min.js|viewer_licence=${viewer}/LICENSE" -P ${embed}
  DEPENDS ${embed} ${viewer}/3Dmol-min.js ${viewer}/LICENSE
  COMMENT "Embedding 3Dmol.js" VERBATIM)
target_sources(ionwell_lib PRIVATE ${page_source} ${view_source})
set_source_files_properties(${page_source} ${view_source} PROPERTIES SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
