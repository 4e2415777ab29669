// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "chemistry/templates/residue_file.hpp"
#include "chemistry/templates/residue_template.hpp"

namespace ionwell {

/// All residues that have a template, and components that have none but are known. Ions of one atom are those
/// of core/chemistry.
class ResidueTable {
 public:
  /// Of a file such as residues.txt; `path` is for messages.
  ResidueTable(std::string_view path, std::string text);
  ResidueTable(const ResidueTable&) = delete;
  ResidueTable& operator=(const ResidueTable&) = delete;

  /// Each residue, then its variants; each of them within a chain, then at its ends.
  std::span<const ResidueTemplate> templates() const { return file_.templates; }

  /// The residue or variant of that name (as the table has it: ASP, ASH), at these ends; nullptr when there
  /// is none.
  const ResidueTemplate* find(std::string_view name, ChainEnds ends = {}) const;

  /// Templates of that name in any scheme, and all variants of a residue of that name. In the order of the
  /// table.
  std::span<const std::uint32_t> candidates(std::string_view name) const;

  /// Whether the table lists a component under that word: additive, cofactor, sugar, modified_amino_acid or
  /// modified_nucleotide.
  bool is_known(std::string_view what, std::string_view component) const;

 private:
  void add_ions();
  std::optional<Label> ion_atom(NamingScheme scheme, std::string_view component, std::string_view atom) const;
  void index();

  std::string text_;
  ResidueFile file_;
  std::unordered_map<std::string_view, std::vector<std::uint32_t>> by_name_;
  std::unordered_map<std::string_view, std::vector<std::string_view>> known_;  // words by component
};

/// The project's own, of residues.txt; made when it is first requested (some ms).
const ResidueTable& residue_table();

}  // namespace ionwell
