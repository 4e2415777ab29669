# SPDX-License-Identifier: BSD-3-Clause
# consumer_test(NAME SOURCE COMMAND...): configures, builds and runs SOURCE, a CMake project that finds ionwell in
# a fresh install prefix and knows nothing of this build.
set(consumer_prefix ${PROJECT_BINARY_DIR}/prefix)
add_test(NAME package/install
  COMMAND sh -c "rm -rf '${consumer_prefix}' && '${CMAKE_COMMAND}' --install '${PROJECT_BINARY_DIR}' --prefix '${consumer_prefix}'")
set_tests_properties(package/install PROPERTIES FIXTURES_SETUP installed LABELS package)

function(consumer_test name source)
  set(flags "")
  if(IONWELL_SANITIZE)
    set(flags "-fsanitize=${IONWELL_SANITIZE} -no-pie")  # a static library leaves its runtime to whoever links it
  endif()
  add_test(NAME ${name}
    COMMAND ${CMAKE_CTEST_COMMAND} --build-and-test ${source} ${PROJECT_BINARY_DIR}/consumer/${name}
      --build-generator ${CMAKE_GENERATOR} --build-noclean
      --build-options -DCMAKE_PREFIX_PATH=${consumer_prefix} -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}
        -DCMAKE_CXX_FLAGS=${flags} -DCMAKE_BUILD_TYPE=${CMAKE_BUILD_TYPE}
      --test-command ${ARGN})
  set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED installed LABELS package)
endfunction()
