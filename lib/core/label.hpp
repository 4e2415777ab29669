// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <ostream>
#include <string_view>

namespace ionwell {

/// Text of up to `capacity` characters, stored in place. Longer text is truncated.
template <std::size_t most>
class ShortText {
 public:
  static constexpr std::size_t capacity = most;

  constexpr ShortText() = default;
  constexpr ShortText(std::string_view text) {
    for (std::size_t i = 0; i < capacity && i < text.size(); ++i) characters_[i] = text[i];
  }
  constexpr ShortText(const char* text) : ShortText(std::string_view(text)) {}

  constexpr std::string_view view() const {
    std::size_t n = 0;
    while (n < capacity && characters_[n] != '\0') ++n;
    return {characters_.data(), n};
  }
  constexpr bool empty() const { return characters_[0] == '\0'; }

  friend constexpr bool operator==(const ShortText&, const ShortText&) = default;
  friend std::ostream& operator<<(std::ostream& out, const ShortText& text) { return out << text.view(); }

 private:
  std::array<char, capacity> characters_{};
};

/// The name of an atom, a residue, a chain or a segment: a ribosome has 700,000 of them.
using Label = ShortText<8>;

/// An element's symbol in upper case, as in columns 77-78 of a PDB file; empty if it is unknown.
using ElementSymbol = ShortText<2>;

}  // namespace ionwell
