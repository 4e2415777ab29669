// SPDX-License-Identifier: BSD-3-Clause
#include "core/chemistry/elements.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace ionwell {
namespace {

constexpr std::string_view symbols[] = {
    "H",  "HE", "LI", "BE", "B",  "C",  "N",  "O",  "F",  "NE", "NA", "MG", "AL", "SI", "P",
    "S",  "CL", "AR", "K",  "CA", "SC", "TI", "V",  "CR", "MN", "FE", "CO", "NI", "CU", "ZN",
    "GA", "GE", "AS", "SE", "BR", "KR", "RB", "SR", "Y",  "ZR", "NB", "MO", "TC", "RU", "RH",
    "PD", "AG", "CD", "IN", "SN", "SB", "TE", "I",  "XE", "CS", "BA", "LA", "CE", "PR", "ND",
    "PM", "SM", "EU", "GD", "TB", "DY", "HO", "ER", "TM", "YB", "LU", "HF", "TA", "W",  "RE",
    "OS", "IR", "PT", "AU", "HG", "TL", "PB", "BI", "PO", "AT", "RN", "FR", "RA", "AC", "TH",
    "PA", "U",  "NP", "PU", "AM", "CM", "BK", "CF", "ES", "FM", "MD", "NO", "LR"};

constexpr char upper(char c) {
  return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c;
}

/// By letter; nearly all atoms have such a symbol.
constexpr auto of_one_letter = [] {
  std::array<std::string_view, 26> table;
  for (const std::string_view symbol : symbols)
    if (symbol.size() == 1) table[std::size_t(symbol[0] - 'A')] = symbol;
  return table;
}();

}  // namespace

std::string_view element_of_number(int atomic_number) {
  return atomic_number < 1 || atomic_number > int(std::size(symbols)) ? std::string_view{}
                                                                      : symbols[atomic_number - 1];
}

std::string_view element_of_symbol(std::string_view symbol) {
  if (symbol.size() == 1) {
    const char letter = upper(symbol[0]);
    return letter >= 'A' && letter <= 'Z' ? of_one_letter[std::size_t(letter - 'A')] : std::string_view{};
  }
  const auto* const found = std::find_if(std::begin(symbols), std::end(symbols), [&](std::string_view known) {
    return std::equal(known.begin(), known.end(), symbol.begin(), symbol.end(),
                      [](char a, char b) { return a == upper(b); });
  });
  return found == std::end(symbols) ? std::string_view{} : *found;
}

}  // namespace ionwell
