// SPDX-License-Identifier: BSD-3-Clause
#include "structures/selection/wildcards.hpp"

namespace ionwell {
namespace {

/// Takes the set behind a '[' off `pattern`; false where it has no ']', and nothing is taken. A ']' that
/// comes first is one of the set.
bool take_set(std::string_view& pattern, std::string_view& set) {
  const std::size_t first = pattern.starts_with('!') ? 2 : 1;
  const std::size_t end = pattern.find(']', first);
  if (end == pattern.npos) return false;
  set = pattern.substr(0, end);
  pattern.remove_prefix(end + 1);
  return true;
}

bool is_in_set(char c, std::string_view set) {
  const bool negated = set.starts_with('!');
  if (negated) set.remove_prefix(1);
  bool found = false;
  for (std::size_t i = 0; i < set.size(); ++i) {
    const bool is_range = i + 2 < set.size() && set[i + 1] == '-';
    found = found || (is_range ? set[i] <= c && c <= set[i + 2] : set[i] == c);
    if (is_range) i += 2;
  }
  return found != negated;
}

/// Takes one character's worth off `pattern`, which is not empty and has no * in front.
bool takes(std::string_view& pattern, char c) {
  const char first = pattern.front();
  pattern.remove_prefix(1);
  std::string_view set;
  if (first == '?') return true;
  if (first == '[' && take_set(pattern, set)) return is_in_set(c, set);
  return first == c;
}

}  // namespace

bool matches_wildcards(std::string_view pattern, std::string_view text) {
  bool seen_star = false;
  std::string_view behind_star, from_star;  // where to go on when what followed the last * does not fit
  while (!text.empty() || !pattern.empty()) {
    if (pattern.starts_with('*')) {
      pattern.remove_prefix(1);
      seen_star = true;
      behind_star = pattern;
      from_star = text;
      continue;
    }
    if (!pattern.empty() && !text.empty() && takes(pattern, text.front())) {
      text.remove_prefix(1);
      continue;
    }
    if (!seen_star || from_star.empty()) return false;
    from_star.remove_prefix(1);
    pattern = behind_star;
    text = from_star;
  }
  return true;
}

}  // namespace ionwell
