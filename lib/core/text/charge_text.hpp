// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace ionwell {

/// "+2", "-28", "0", "-49.67": with its sign, up to four decimals.
std::string charge_text(double charge_e);

}  // namespace ionwell
