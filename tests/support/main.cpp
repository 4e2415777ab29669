// SPDX-License-Identifier: BSD-3-Clause
#include "support/skip.hpp"

int main(int argc, char** argv) {
  return ionwell::test::run_test_cases(argc, argv);
}
