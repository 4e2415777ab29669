# SPDX-License-Identifier: BSD-3-Clause
# Manual pages and completion, which the programs print themselves: not where they were built for another machine, nor
# under a sanitizer, which a build's container may forbid.
if(CMAKE_CROSSCOMPILING OR IONWELL_SANITIZE)
  return()
endif()
set(manual ${PROJECT_BINARY_DIR}/manual)
add_custom_command(OUTPUT ${manual}/written
  COMMAND ${CMAKE_COMMAND} -D OUTPUT=${manual} -D IONWELL=$<TARGET_FILE:ionwell_program> -D CIONIZE=$<TARGET_FILE:cionize>
    -D HELP=${PROJECT_SOURCE_DIR}/examples/help -P ${CMAKE_CURRENT_LIST_DIR}/write_manual.cmake
  COMMAND ${CMAKE_COMMAND} -E touch ${manual}/written
  DEPENDS ionwell_program cionize ${CMAKE_CURRENT_LIST_DIR}/write_manual.cmake
  COMMENT "Writing manual pages and completion" VERBATIM)
add_custom_target(ionwell_manual ALL DEPENDS ${manual}/written)

install(DIRECTORY ${manual}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT runtime)
install(DIRECTORY ${manual}/completion/bash/ DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
  COMPONENT runtime)
install(DIRECTORY ${manual}/completion/zsh/ DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT runtime)
install(DIRECTORY ${manual}/completion/fish/ DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
  COMPONENT runtime)
