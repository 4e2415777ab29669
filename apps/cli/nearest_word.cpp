// SPDX-License-Identifier: BSD-3-Clause
#include "cli/nearest_word.hpp"

#include <algorithm>
#include <vector>

namespace ionwell {
namespace {

/// Optimal string alignment distance: a swap of two neighbours is one mistake, as typing makes it.
std::size_t mistakes_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last, last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last = last;
    last = row;
  }
  return last.back();
}

}  // namespace

std::string nearest_word(std::string_view typed, std::span<const std::string> words) {
  std::string best;
  std::size_t fewest =
      std::max<std::size_t>(1, typed.size() / 3) + 1;  // more mistakes than that: another word
  for (const std::string& word : words) {
    const bool beginning = typed.size() >= 2 && std::string_view(word).substr(0, typed.size()) == typed;
    const std::size_t mistakes = beginning ? 1 : mistakes_between(typed, word);
    if (mistakes >= fewest) continue;
    fewest = mistakes;
    best = word;
  }
  return best;
}

}  // namespace ionwell
