// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace ionwell {

/// Whether `text` is as `pattern` says: * is any text, ? any character, [ABX-Z] one of these, [!AB] any
/// other; a [ without its ] is itself. As Python's fnmatchcase. O(product of the lengths).
bool matches_wildcards(std::string_view pattern, std::string_view text);

}  // namespace ionwell
