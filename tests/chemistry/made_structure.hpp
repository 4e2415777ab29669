// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "chemistry/templates/residue_table.hpp"
#include "core/structure.hpp"

namespace ionwell::test {

/// Structures of residues from the table, for tests. Each residue has its place 20 A from the next, in which
/// its atoms are 3 A apart, so that nothing is bound by distance but what a test moves together.
class MadeStructure {
 public:
  enum class Hydrogens { no, yes };

  explicit MadeStructure(Hydrogens hydrogens = Hydrogens::no) : hydrogens_(hydrogens) {}

  /// A residue or variant of the table, called by its name in the PDB; the next number of the chain. Bound to
  /// the one before it when `bound`.
  MadeStructure& add(std::string_view name, ChainEnds ends = {});
  MadeStructure& bound(std::string_view name, ChainEnds ends = {});
  /// A residue that is in no table, of these atoms; their elements are the first letters of the names.
  MadeStructure& add_atoms(std::string_view residue, const std::vector<std::string>& names);
  MadeStructure& chain(std::string_view name, int first_number = 1);
  MadeStructure& number(int number, char insertion_code = ' ');
  MadeStructure& end_chain();

  /// Moves an atom of residue `b` to this distance from one of residue `a`; residues from 0.
  MadeStructure& join(std::size_t a, std::string_view atom_a, std::size_t b, std::string_view atom_b,
                      double distance_A);

  const std::vector<Atom>& atoms() const { return atoms_; }
  std::vector<Atom>& atoms() { return atoms_; }
  std::uint32_t at(std::size_t residue, std::string_view atom) const;

 private:
  void put(Atom atom);
  void begin_residue();

  Hydrogens hydrogens_;
  std::vector<Atom> atoms_;
  std::vector<std::size_t> begins_;
  std::vector<std::string> last_atoms_;  // by residue: what the next one binds to
  std::string chain_ = "A";
  int number_ = 1;
  char insertion_code_ = ' ';
};

}  // namespace ionwell::test
