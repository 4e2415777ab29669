// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "cli/option_words.hpp"
#include "core/error.hpp"

namespace ionwell::python {

/// What `word` stands for among those of an option; throws UsageError, which says `name` and all of them, for
/// another one.
template <typename Choice>
Choice chosen(const std::string& word, const char* name, const OptionWords<Choice>& choices) {
  std::string words;
  for (const auto& [known, choice] : choices) {
    if (word == known) return choice;
    words.append(words.empty() ? "'" : ", '").append(known).append("'");
  }
  fail<UsageError>(name, " is '", word, "'; it must be one of ", words);
}

}  // namespace ionwell::python
