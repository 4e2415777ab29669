// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "chemistry/templates/residue_table.hpp"
#include "core/label.hpp"

namespace ionwell {

/// The template whose atoms a residue has, or nearly.
struct ResidueMatch {
  static constexpr std::uint16_t no_atom = std::uint16_t(-1);

  const ResidueTemplate* residue = nullptr;      // nullptr: none has that name, or none is like it
  NamingScheme scheme = NamingScheme::pdb;       // whose names the atoms have
  std::vector<std::uint16_t> atoms;              // of the template, by atom of the residue; or no_atom
  int unknown_heavy = 0, unknown_hydrogens = 0;  // atoms that the template lacks
  int missing_heavy = 0, missing_hydrogens = 0;  // atoms that the residue lacks
};

/// Finds the template of residues by name and by the names of the atoms that are there: of a residue's
/// variants and ends the one with fewest atoms too many or too few, of equal ones the first in the table.
/// Hydrogens count only where there are some. Remembers what it found: of 1e6 atoms most residues are like
/// another one. For one thread.
class ResidueMatcher {
 public:
  explicit ResidueMatcher(const ResidueTable& table) : table_(&table) {}

  /// Valid as long as the matcher.
  const ResidueMatch& match(std::string_view residue, std::span<const Label> atoms);

 private:
  ResidueMatch find(std::string_view residue, std::span<const Label> atoms) const;

  const ResidueTable* table_;
  std::unordered_map<std::string, ResidueMatch> found_;  // by all the names
  std::string key_;
};

/// Whether an atom is a hydrogen by its name, as templates and the PDB have them: HA, 1HB, D12.
bool is_named_as_hydrogen(std::string_view name);

}  // namespace ionwell
