#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstring>
#include <exception>
#include <iostream>

#include "support/backends.hpp"

/// Tests of the GPU backend are skipped before they begin where there is no GPU.
int main(int argc, char** argv) {
  bool lists_only = false;
  for (int i = 1; i < argc; ++i)
    lists_only = lists_only || std::strstr(argv[i], "list-test-cases") != nullptr;
  try {
    if (ionwell::test::testing_gpu() && !lists_only && !ionwell::test::have_gpu()) return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return doctest::Context(argc, argv).run();
}
