# SPDX-License-Identifier: BSD-3-Clause
# What every file includes, compiled once for a target: the standard library's headers are a third of what a usual file
# of lib takes. A compiler launcher such as ccache cannot see through it and works without, and so does the
# debug build, where a file that includes too little is found out.
option(IONWELL_PRECOMPILE "Precompile the standard library's headers (not under a compiler launcher)" OFF)

if(IONWELL_PRECOMPILE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  foreach(target ionwell_lib ionwell_gpu ionwell_program cionize ionwell_bench unit_tests cli_tests)
    if(NOT TARGET ${target} OR (IONWELL_UNITY AND target MATCHES "program|cionize"))  # two files do not pay for it
      continue()
    endif()
    set(headers <algorithm> <array> <cmath> <cstdint> <functional> <limits> <memory> <optional> <span> <sstream>
      <string> <string_view> <utility> <vector>)
    if(target MATCHES "program|cionize|bench")
      list(APPEND headers <boost/program_options.hpp>)
    elseif(target MATCHES "tests")
      list(APPEND headers <doctest/doctest.h>)
    elseif(target STREQUAL ionwell_gpu AND IONWELL_HAVE_CUDA)
      list(APPEND headers <cuda_runtime.h>)
    endif()
    list(TRANSFORM headers REPLACE "(.+)" "$<$<COMPILE_LANGUAGE:CXX>:\\1>")
    target_precompile_headers(${target} PRIVATE ${headers})
    # GCC 12: false alarms in its own std::string, which it no longer takes for a system's header.
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-stringop-overflow;-Wno-stringop-overread;-Wno-array-bounds>")
  endforeach()
endif()
