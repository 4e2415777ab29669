// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "chemistry/decisions/decisions.hpp"
#include "chemistry/made_structure.hpp"

namespace ionwell::test {

/// A structure's chemistry and what is decided of it.
struct DecidedStructure {
  Chemistry chemistry;
  ChemistryDecisions decisions;

  const ResiduePlan& plan(std::size_t residue) const { return decisions.plans[residue]; }
  /// "what (why)" of the rows of a residue.
  std::vector<std::string> rows(std::uint32_t residue) const;
};

/// Residues whose numbers are in `inert` do not act; no file gives charges.
DecidedStructure decided_structure(const std::vector<Atom>& atoms, const ChemistryChoices& choices = {},
                                   const std::vector<std::uint32_t>& inert = {});

/// The message that refuses it; "no error" where nothing does.
std::string refusal_text(const std::vector<Atom>& atoms, const ChemistryChoices& choices = {},
                         const std::vector<std::uint32_t>& inert = {});

}  // namespace ionwell::test
