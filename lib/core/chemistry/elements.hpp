// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace ionwell {

/// The symbol in upper case, up to lawrencium; empty for other numbers (extra points have 0 or -1).
std::string_view element_of_number(int atomic_number);

/// That symbol, given in any case, in upper case; empty when no element has it.
std::string_view element_of_symbol(std::string_view symbol);

}  // namespace ionwell
