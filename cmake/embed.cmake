# SPDX-License-Identifier: BSD-3-Clause
# Writes a C++ source that has the bytes of files as functions that a header of lib declares:
#   cmake -DOUTPUT=FILE.cpp -DHEADER=output/views/page_files.hpp "-DPARTS=page_style=a.css,b.css|page_script=a.js" -P embed.cmake
# A function's files are joined in their order.
set(text "// Made by cmake/embed.cmake of the files that are named below.\n#include \"${HEADER}\"\n\nnamespace ionwell {\n")
string(REPLACE "|" ";" PARTS "${PARTS}")
foreach(part IN LISTS PARTS)
  string(REGEX MATCH "^([a-z_]+)=(.*)$" matched "${part}")
  set(name ${CMAKE_MATCH_1})
  string(REPLACE "," ";" files "${CMAKE_MATCH_2}")
  set(bytes "")
  foreach(file IN LISTS files)
    file(READ "${file}" hex HEX)
    string(APPEND bytes "${hex}")
  endforeach()
  # Numbers, since compilers have limits for literals.
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND text "\nstatic constexpr unsigned char ${name}_bytes[] = {\n${bytes}\n};\n"
    "std::string ${name}() {\n"
    "  return {reinterpret_cast<const char*>(${name}_bytes), sizeof ${name}_bytes};\n}\n")
endforeach()
string(APPEND text "\n}  // namespace ionwell\n")
file(WRITE "${OUTPUT}" "${text}")
