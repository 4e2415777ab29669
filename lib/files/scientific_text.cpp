// SPDX-License-Identifier: BSD-3-Clause
#include "files/scientific_text.hpp"

#include <cmath>

namespace ionwell {

ScientificText::ScientificText() {
  for (int i = 0; i < 100; ++i) {
    pairs_[i][0] = char('0' + i / 10);
    pairs_[i][1] = char('0' + i % 10);
  }
  for (std::uint32_t exponent2 = 1; exponent2 < 255; ++exponent2) {
    const double smallest = double(std::bit_cast<float>(exponent2 << 23));
    Decade& decade = decades_[exponent2];
    decade.exponent = int(std::floor(std::log10(smallest)));
    decade.scale = std::pow(10.0, 6 - decade.exponent);
  }
}

}  // namespace ionwell
