// SPDX-License-Identifier: BSD-3-Clause
#include "support/source_folder.hpp"

namespace ionwell::test {

std::string source_folder() {
  return IONWELL_SOURCE_DIR;
}

}  // namespace ionwell::test
