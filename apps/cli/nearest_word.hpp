// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ionwell {

/// The word that the user most likely meant by `typed`; empty when none is near. Counts inserted, dropped,
/// changed and swapped letters; the beginning of a word counts as near to it.
std::string nearest_word(std::string_view typed, std::span<const std::string> words);

}  // namespace ionwell
