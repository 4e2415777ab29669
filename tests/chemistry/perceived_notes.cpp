// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/perceived_notes.hpp"

#include <algorithm>

namespace ionwell::test {

std::vector<std::string> notes_of(const Chemistry& chemistry, std::uint32_t residue) {
  std::vector<std::string> notes;
  for (const ChemistryNote& note : chemistry.notes)
    if (note.residue == residue && !note.what.starts_with("has a bond of")) notes.push_back(note.what);
  return notes;
}

bool has_note(const Chemistry& chemistry, std::uint32_t residue, const std::string& what) {
  const auto notes = notes_of(chemistry, residue);
  return std::any_of(notes.begin(), notes.end(),
                     [&](const std::string& note) { return note.starts_with(what); });
}

std::string standard_of(const Chemistry& chemistry, std::uint32_t residue) {
  const ResidueTemplate* const standard = chemistry.residues[residue].standard;
  return standard == nullptr ? "none" : describe(*standard);
}

bool is_bonded(const Chemistry& chemistry, std::uint32_t a, std::uint32_t b) {
  return std::binary_search(chemistry.bonds.begin(), chemistry.bonds.end(),
                            std::pair(std::min(a, b), std::max(a, b)));
}

}  // namespace ionwell::test
