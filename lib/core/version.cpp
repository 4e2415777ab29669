// SPDX-License-Identifier: BSD-3-Clause
#include "core/version.hpp"

namespace ionwell {

const char* version() {
  return IONWELL_VERSION;
}

}  // namespace ionwell
