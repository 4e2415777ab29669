// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "chemistry/perception/entry_records.hpp"
#include "chemistry/templates/residue_template.hpp"
#include "core/structure.hpp"

/// What a structure consists of, in the terms of chemistry.
namespace ionwell {

/// What a residue is. `bead`: stands for several atoms, as in chains of CA or P atoms.
enum class ResidueRole : std::uint8_t {
  amino_acid,
  nucleotide,
  cap,
  water,
  ion,
  additive,
  cofactor,
  sugar,
  lipid,
  ligand,
  bead
};
constexpr std::size_t residue_roles = 11;

std::string_view to_string(ResidueRole role);

/// Whether it is part of a chain.
constexpr bool is_polymer(ResidueRole role) {
  return role == ResidueRole::amino_acid || role == ResidueRole::nucleotide || role == ResidueRole::cap;
}

/// Index of a residue, an atom or a piece that is not there.
constexpr std::uint32_t nothing = std::uint32_t(-1);

/// Atoms [begin, end) of the structure.
struct PerceivedResidue {
  std::uint32_t begin = 0, end = 0;
  ResidueRole role = ResidueRole::ligand;
  // The template with the atoms that are there; nullptr when the residue has none.
  const ResidueTemplate* found = nullptr;
  // The one it has in standard conditions, with its ends and disulfides: hydrogens of the file are respected,
  // a chain begins with NH3+ or a 5' hydroxyl and ends with COO- or a 3' hydroxyl, cysteines of disulfides
  // and others whose sulfur is bound are CYX, those bound to metals CYM unless the file has their HG. An end
  // whose atom is bound to another residue is none. Isopeptides are not in it: both charges are there, and
  // cancel.
  const ResidueTemplate* standard = nullptr;
  std::uint32_t piece = nothing;
  std::uint32_t before = nothing, after = nothing;  // residues that it has chain bonds to
};

/// How two residues are linked, besides the bonds between neighbours in a chain.
enum class LinkKind : std::uint8_t { disulfide, isopeptide, glycosidic, phosphodiester, other };

std::string_view to_string(LinkKind kind);

struct ResidueLink {
  LinkKind kind = LinkKind::other;
  std::uint32_t first = 0, second = 0;  // atoms; first < second
  double distance_A = 0.0;
  bool is_recorded = false;  // the entry says so, too
};

/// A metal and the atoms of other residues around it, by number.
struct MetalSite {
  std::uint32_t metal = 0;
  std::vector<std::uint32_t> ligands;
};

/// Residues that are not there, between two that are.
struct ChainGap {
  std::uint32_t before = nothing, after = nothing;  // residues
  double distance_A = 0.0;     // between the atoms that a bond would join; 0 where one of them is missing
  std::vector<Label> missing;  // names, as far as the entry tells
};

/// A chain of residues with bonds from each to the next; of several there may be gaps between.
struct ChainPiece {
  std::vector<std::uint32_t> residues;  // in their order along the chain
  bool is_ring = false;                 // the last has a bond to the first
};

/// A residue most of whose atoms lie in the places of one before it, as in files that have a chain twice.
struct SharedPlace {
  std::uint32_t residue = 0, of = 0;
};

/// What was found of a residue that is not plain, and how it was found.
struct ChemistryNote {
  std::uint32_t residue = 0;
  std::string what, why;
};

/// Pointers lead to residue_table().
struct Chemistry {
  static constexpr std::uint16_t no_atom = std::uint16_t(-1);

  std::vector<PerceivedResidue> residues;  // in the order of the atoms, all of which they have
  std::vector<std::uint16_t> found_atoms;  // by atom: its number in the residue's `found`, or no_atom
  std::vector<std::pair<std::uint32_t, std::uint32_t>>
      bonds;  // of atoms; sorted, the lesser first, each once
  std::vector<ChainPiece> pieces;
  std::vector<ChainGap> gaps;
  std::vector<ResidueLink> links;
  std::vector<MetalSite> metals;
  std::vector<SharedPlace> shared_places;  // by residue
  std::vector<ChemistryNote> notes;
  std::array<std::size_t, residue_roles> counts{};  // residues by role

  /// The residue that an atom is of. O(log residues).
  std::uint32_t residue_of(std::uint32_t atom) const;

  /// Sum of the formal charges of all residues that have a template, in standard conditions.
  std::int64_t standard_charge_e() const;
};

/// Perceives the chemistry of a structure: one model, one location for each atom. Any input gives a result.
/// About O(atoms).
Chemistry perceive(std::span<const Atom> atoms, const EntryRecords& records = {});

/// All residues in the order of the file, but those of a piece where its first one is, along its bonds. In a
/// file a residue may be far from its neighbours: modified ones behind all chains. O(residues).
std::vector<std::uint32_t> residues_along_bonds(const Chemistry& chemistry);

}  // namespace ionwell
