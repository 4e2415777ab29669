// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "core/structure.hpp"
#include "structures/molecules/atom_links.hpp"

namespace ionwell {

/// Which atoms can be bonded, by what a structure says of its residues: atoms of one residue, and
/// neighbouring residues of one chain, amino acids by C and N, nucleotides by O3' and P; and by the links of
/// a topology. Atoms of different molecules are never bonded, however near they are.
class ResidueBonds {
 public:
  /// No bond is longer: S-S has 2.05 A, carbon and iodine 2.1 A.
  static constexpr double longest_A = 2.2;

  /// O(atoms + links).
  explicit ResidueBonds(std::span<const Atom> atoms, std::span<const AtomLink> links = {});

  /// Whether atoms a and b are bonded when their squared distance, by whatever image, is this.
  bool are_bonded(std::uint32_t a, std::uint32_t b, double distance2_A2) const;

  /// Whether an atom is an ion of one atom.
  bool is_ion(std::uint32_t atom) const { return kinds_[atom].is_ion; }

  bool is_water(std::uint32_t atom) const { return kinds_[atom].is_water; }

 private:
  /// Atoms that bond to the residue before and after theirs.
  enum class Link : std::uint8_t { none, peptide_carbon, peptide_nitrogen, sugar_oxygen, phosphorus };

  struct Kind {
    std::uint32_t residue = 0;
    Link link = Link::none;
    bool is_hydrogen = false, is_ion = false, is_water = false;
    bool is_of_polymer = false;  // amino acid or nucleotide
  };

  static Link link_of(const Atom& atom);
  bool are_linked(const Kind& before, const Kind& behind, double distance2_A2) const;

  static std::uint64_t key(std::uint32_t a, std::uint32_t b) { return std::uint64_t(a) << 32 | b; }

  std::unordered_set<std::uint64_t> links_;
  std::vector<Kind> kinds_;                   // by atom
  std::vector<std::uint8_t> begins_a_chain_;  // by residue
};

/// Numbers of the atoms of one molecule.
using AtomsOfMolecule = std::vector<std::uint32_t>;

/// The molecules of a structure that is whole, by ResidueBonds. O(atoms).
std::vector<AtomsOfMolecule> molecules_of(std::span<const Atom> atoms, std::span<const AtomLink> links = {});

}  // namespace ionwell
