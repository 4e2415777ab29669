#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "cli/option_words.hpp"
#include "core/error.hpp"

namespace ionwell::python {

/// What `word` stands for among `choices`; throws UsageError, which says `name` and all of them, for another
/// one.
template <typename Choice>
Choice chosen(const std::string& word, const char* name,
              std::initializer_list<std::pair<std::string_view, Choice>> choices) {
  std::string words;
  for (const auto& [known, choice] : choices) {
    if (word == known) return choice;
    words.append(words.empty() ? "'" : ", '").append(known).append("'");
  }
  fail<UsageError>(name, " is '", word, "'; it must be one of ", words);
}

/// The same among the words that the command line has for an option.
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
