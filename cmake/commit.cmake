# SPDX-License-Identifier: BSD-3-Clause
# Writes a header with the commit of a tree of sources; ionwell-bench records it with its measurements:
#   cmake -DSOURCE=FOLDER -DHEADER=FILE.hpp -DCOMMIT=NAME -P commit.cmake
# If COMMIT is empty and there is no git, the commit is "not recorded".
cmake_minimum_required(VERSION 3.25)
if("${COMMIT}" STREQUAL "" AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --exclude=* --abbrev=8
    OUTPUT_VARIABLE COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(failed)
    set(COMMIT "")
  endif()
endif()
if("${COMMIT}" STREQUAL "")
  set(COMMIT "not recorded")
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT "#pragma once\n\ninline constexpr const char* source_commit = \"@COMMIT@\";\n" @ONLY)
