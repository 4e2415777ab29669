// SPDX-License-Identifier: BSD-3-Clause
#include "core/text/charge_text.hpp"

#include <cmath>

#include "core/text/text_stream.hpp"

namespace ionwell {

std::string charge_text(double charge_e) {
  const double rounded = std::round(charge_e * 1e4) / 1e4 + 0.0;  // + 0.0: no "-0"
  TextStream text;
  text.precision(12);
  if (rounded != 0.0) text << std::showpos;
  text << rounded;
  return text.str();
}

}  // namespace ionwell
