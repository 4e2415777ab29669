// SPDX-License-Identifier: BSD-3-Clause
#include "support/program_paths.hpp"

namespace ionwell::test {

std::string program_path() {
  return IONWELL_PROGRAM;
}

std::string cionize_path() {
  return IONWELL_CIONIZE;
}

}  // namespace ionwell::test
