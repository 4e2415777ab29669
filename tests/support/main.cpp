#include "support/skip.hpp"

int main(int argc, char** argv) {
  return ionwell::test::run_test_cases(argc, argv);
}
