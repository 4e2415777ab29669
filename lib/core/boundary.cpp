// SPDX-License-Identifier: BSD-3-Clause
#include "core/boundary.hpp"

namespace ionwell {

std::string_view to_string(Boundary boundary) {
  return boundary == Boundary::periodic ? "periodic" : "open";
}

}  // namespace ionwell
