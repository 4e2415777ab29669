// SPDX-License-Identifier: BSD-3-Clause
#include "cionize/script_words.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/text/lines.hpp"

namespace ionwell::cionize {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

constexpr std::array phrases = {Pair{"-o is ", "the file is "},
                                Pair{"--update, --tune update-dielectric and --ionic-strength that match it",
                                     "--update that matches it to 'ionwell place'"}};

constexpr std::array options = {Pair{"--spacing", "GRIDSPACING"},
                                Pair{"--border", "BORDERSIZE"},
                                Pair{"--box", "XYZDIM"},
                                Pair{"--ion-solute", "R_ION_SOLUTE"},
                                Pair{"--ion-ion", "R_ION_ION"},
                                Pair{"--ddd", "DDD"},
                                Pair{"--map", "GRIDFILE"},
                                Pair{"--ion", "PLACEION"},
                                Pair{"--threads", "-p"},
                                Pair{"--backend", "--backend"},
                                Pair{"--devices", "--devices"},
                                Pair{"--tune gpu-memory", "--gpu-memory"},
                                Pair{"--method direct", "-m double"},
                                Pair{"--method msm", "-m multigrid"}};

bool is_of_a_word(char c) {
  return is_letter(c) || is_digit(c) || c == '-';
}

/// `--word`, or `--word value` where the table has that, at the start of `text`.
Pair option_at(std::string_view text) {
  Pair longest;
  for (const Pair& option : options) {
    const std::string_view word = option.first;
    const bool fits =
        text.starts_with(word) && (text.size() == word.size() || !is_of_a_word(text[word.size()]));
    if (fits && word.size() > longest.first.size()) longest = option;
  }
  return longest;
}

}  // namespace

std::string in_script_words(std::string_view message) {
  std::string text;
  for (std::size_t at = 0; at < message.size();) {
    const std::string_view rest = message.substr(at);
    const bool is_inside = at > 0 && is_of_a_word(message[at - 1]);
    const auto phrase = std::find_if(phrases.begin(), phrases.end(),
                                     [&](const Pair& p) { return !is_inside && rest.starts_with(p.first); });
    const bool is_option = !is_inside && rest.starts_with("--") && rest.size() > 2 && is_letter(rest[2]);
    if (phrase == phrases.end() && !is_option) {
      text += message[at++];
      continue;
    }
    const Pair found = phrase != phrases.end() ? *phrase : option_at(rest);
    if (!found.first.empty()) {
      text += found.second;
      at += found.first.size();
      continue;
    }
    text += "ionwell's ";
    while (at < message.size() && is_of_a_word(message[at])) text += message[at++];
  }
  return text;
}

}  // namespace ionwell::cionize
