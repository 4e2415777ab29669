#pragma once

#include <array>
#include <ostream>
#include <string_view>

namespace ionwell {

/// A short name kept in place (atom, residue, chain): a ribosome has 700,000 of them. Longer text is cut.
class Label {
 public:
  static constexpr std::size_t capacity = 8;

  constexpr Label() = default;
  constexpr Label(std::string_view text) {
    for (std::size_t i = 0; i < capacity && i < text.size(); ++i) characters_[i] = text[i];
  }
  constexpr Label(const char* text) : Label(std::string_view(text)) {}

  constexpr std::string_view view() const {
    std::size_t n = 0;
    while (n < capacity && characters_[n] != '\0') ++n;
    return {characters_.data(), n};
  }
  constexpr bool empty() const { return characters_[0] == '\0'; }

  friend constexpr bool operator==(const Label&, const Label&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Label& label) { return out << label.view(); }

 private:
  std::array<char, capacity> characters_{};
};

}  // namespace ionwell
