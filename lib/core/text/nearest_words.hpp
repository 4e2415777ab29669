// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ionwell {

/// Letters that were inserted, dropped, changed or swapped between what was typed and what was meant (optimal
/// string alignment distance). O(product of the lengths).
std::size_t mistakes_between(std::string_view typed, std::string_view meant);

/// For a message: the words, those nearest to `typed` first and otherwise in their order, at most `most` of
/// them: "A, B, C and 7 more".
std::string nearest_first(std::string_view typed, std::vector<std::string_view> words, std::size_t most);

}  // namespace ionwell
