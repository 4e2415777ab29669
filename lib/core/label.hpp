// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <bit>
#include <cstdint>
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

  constexpr std::string_view view() const { return {characters_.data(), size()}; }
  constexpr bool empty() const { return characters_[0] == '\0'; }

  friend constexpr bool operator==(const ShortText& a, const ShortText& b) {
    if constexpr (capacity == sizeof(std::uint64_t))  // GCC 12 calls memcmp for arrays
      return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
    else
      return a.characters_ == b.characters_;
  }
  friend std::ostream& operator<<(std::ostream& out, const ShortText& text) { return out << text.view(); }

 private:
  /// Characters before the first zero. Eight are looked at together: readers ask for millions of names.
  constexpr std::size_t size() const {
    if constexpr (capacity == sizeof(std::uint64_t) && std::endian::native == std::endian::little) {
      const auto bytes = std::bit_cast<std::uint64_t>(characters_);
      const std::uint64_t zeros = (bytes - 0x0101010101010101u) & ~bytes & 0x8080808080808080u;
      return std::size_t(std::countr_zero(zeros)) / 8;  // the lowest bit that is set is at the first zero
    }
    std::size_t n = 0;
    while (n < capacity && characters_[n] != '\0') ++n;
    return n;
  }

  std::array<char, capacity> characters_{};
};

/// The name of an atom, a residue, a chain or a segment: a ribosome has 700,000 of them.
using Label = ShortText<8>;

/// An element's symbol in upper case, as in columns 77-78 of a PDB file; empty if it is unknown.
using ElementSymbol = ShortText<2>;

}  // namespace ionwell
