// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/decided.hpp"

#include <algorithm>

#include "support/error_of.hpp"

namespace ionwell::test {

std::vector<std::string> DecidedStructure::rows(std::uint32_t residue) const {
  std::vector<std::string> texts;
  for (const ChemistryDecision& row : decisions.rows)
    if (row.residue == residue) texts.push_back(row.what + " (" + row.why + ')');
  return texts;
}

DecidedStructure decided_structure(const std::vector<Atom>& atoms, const ChemistryChoices& choices,
                                   const std::vector<std::uint32_t>& inert) {
  DecidedStructure result{perceive(atoms), {}};
  const ResidueUse use{
      .acts = [&](std::uint32_t r) { return std::find(inert.begin(), inert.end(), r) == inert.end(); },
      .has_charges = [](std::string_view) { return false; }};
  result.decisions = decide(atoms, result.chemistry, {}, choices, use);
  return result;
}

std::string refusal_text(const std::vector<Atom>& atoms, const ChemistryChoices& choices,
                         const std::vector<std::uint32_t>& inert) {
  const DecidedStructure decided = decided_structure(atoms, choices, inert);
  return error_of([&] { refuse_residues("x.pdb", atoms, decided.chemistry, decided.decisions); });
}

}  // namespace ionwell::test
