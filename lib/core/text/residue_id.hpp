// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <compare>
#include <optional>
#include <string_view>

namespace ionwell {

/// A residue's number with its insertion code, ' ' for none; 52 < 52A < 52B < 53.
struct ResidueId {
  int number = 0;
  char insertion_code = ' ';

  friend constexpr auto operator<=>(const ResidueId&, const ResidueId&) = default;
};

/// "52", "-3", "52A": a whole number, and at most one letter after it. Nothing for all else.
std::optional<ResidueId> parse_residue_id(std::string_view text);

}  // namespace ionwell
