// SPDX-License-Identifier: BSD-3-Clause
#include "placement/crystal_sites/magnesium_model.hpp"

namespace ionwell {

std::string_view magnesium_model_text() {
  static constexpr std::string_view text =
#include "placement/crystal_sites/magnesium_model.inc"
      ;
  return text;
}

}  // namespace ionwell
