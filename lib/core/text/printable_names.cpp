// SPDX-License-Identifier: BSD-3-Clause
#include "core/text/printable_names.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string>

#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/text/lines.hpp"
#include "core/text/note.hpp"

namespace ionwell {
namespace {

bool is_printable(char c) {
  return c >= ' ' && c <= '~';
}

bool is_printable(std::string_view name) {
  return std::all_of(name.begin(), name.end(), [](char c) { return is_printable(c); });
}

/// Whether one of its bytes is neither printable nor zero; without a branch, for there are many atoms.
template <typename Text>
bool has_unprintable(const Text& text) {
  if constexpr (sizeof(Text) == sizeof(std::uint64_t)) {
    constexpr std::uint64_t ones = 0x0101010101010101u, top_bits = 0x80 * ones;
    const auto bytes = std::bit_cast<std::uint64_t>(text);
    const std::uint64_t low = bytes & ~top_bits;
    // Sums whose top bits are set where a byte is not 0, is 0x20 or more, is 0x7f.
    const std::uint64_t filled = low + 0x7f * ones, not_control = low + 0x60 * ones, is_delete = low + ones;
    return ((bytes | (filled & ~not_control) | is_delete) & top_bits) != 0;
  }
  bool found = false;
  for (const std::uint8_t c : std::bit_cast<std::array<std::uint8_t, sizeof(Text)>>(text))
    found |= (std::uint8_t(c - 1) < 0x1f) | (c > 0x7e);
  return found;
}

/// The first name that is not printable; empty where all are.
std::string_view unprintable_name(const Atom& atom) {
  if (!(has_unprintable(atom.name) | has_unprintable(atom.residue) | has_unprintable(atom.chain) |
        has_unprintable(atom.segment) | has_unprintable(atom.element) | has_unprintable(atom.insertion_code)))
    return {};
  for (const std::string_view name :
       {atom.name.view(), atom.residue.view(), atom.chain.view(), atom.segment.view(), atom.element.view()})
    if (!is_printable(name)) return name;
  const std::string_view code(&atom.insertion_code, 1);
  return atom.insertion_code == '\0' || is_printable(atom.insertion_code) ? std::string_view() : code;
}

template <typename Text>
void make_printable(Text& text) {
  if (is_printable(text.view())) return;
  std::string name(text.view());
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !is_printable(c); }, '_');
  text = std::string_view(name);
}

}  // namespace

void make_names_printable(Structure& structure) {
  std::int64_t count = 0;
  std::string first;
  for (Atom& atom : structure.atoms) {
    const std::string_view name = unprintable_name(atom);
    if (name.empty()) continue;
    if (count++ == 0) first = quote(name);
    for (Label* const label : {&atom.name, &atom.residue, &atom.chain, &atom.segment}) make_printable(*label);
    make_printable(atom.element);
    if (atom.insertion_code != '\0' && !is_printable(atom.insertion_code)) atom.insertion_code = '_';
  }
  if (count > 0)
    structure.warnings.push_back(note(structure.path + ": " + count_of(count, "atom") + " ha" +
                                      (count == 1 ? "s" : "ve") +
                                      " names with characters other than printable ASCII, first " + first +
                                      "; each of these characters is read as '_'"));
}

void check_printable_names(const Atom& atom) {
  const std::string_view name = unprintable_name(atom);
  if (!name.empty())
    fail("the name ", quote(name), " of ", describe(atom),
         " has characters other than printable ASCII, which structure files cannot contain; rename it");
}

}  // namespace ionwell
