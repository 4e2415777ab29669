// SPDX-License-Identifier: BSD-3-Clause
#include <cstring>
#include <exception>
#include <iostream>

#include "support/backends.hpp"
#include "support/skip.hpp"

/// Tests of the GPU backend are skipped before they begin where there is no GPU.
int main(int argc, char** argv) {
  using namespace ionwell::test;
  bool lists_only = false;
  for (int i = 1; i < argc; ++i)
    lists_only = lists_only || std::strstr(argv[i], "list-test-cases") != nullptr;
  try {
    if (testing_gpu() && !lists_only && !have_gpu()) return all_skipped;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return run_test_cases(argc, argv);
}
