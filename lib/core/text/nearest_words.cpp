// SPDX-License-Identifier: BSD-3-Clause
#include "core/text/nearest_words.hpp"

#include <algorithm>

#include "core/text/count_text.hpp"
#include "core/text/lines.hpp"

namespace ionwell {

std::size_t mistakes_between(std::string_view typed, std::string_view meant) {
  std::vector<std::size_t> before_last, last(meant.size() + 1), row(meant.size() + 1);
  for (std::size_t j = 0; j <= meant.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= typed.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= meant.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (typed[i - 1] == meant[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && typed[i - 1] == meant[j - 2] && typed[i - 2] == meant[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last = last;
    last = row;
  }
  return last.back();
}

std::string nearest_first(std::string_view typed, std::vector<std::string_view> words, std::size_t most) {
  constexpr std::size_t longest = 40;  // beyond that nothing is near
  const std::string lower = lower_case(typed.substr(0, longest));
  std::vector<std::pair<std::size_t, std::string_view>> ranked;
  for (const std::string_view word : words)
    ranked.emplace_back(mistakes_between(lower, lower_case(word)), word);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string list;
  for (std::size_t i = 0; i < ranked.size() && i < most; ++i)
    list.append(i > 0 ? ", " : "").append(ranked[i].second);
  if (ranked.size() > most) list += " and " + grouped(std::int64_t(ranked.size() - most)) + " more";
  return list;
}

}  // namespace ionwell
