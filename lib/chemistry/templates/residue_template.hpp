// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/label.hpp"

namespace ionwell {

/// Whose names of residues and atoms: the PDB's, version 3 and 2; PDB2PQR's output; AMBER's libraries (LEaP);
/// CHARMM36's topologies (psfgen); GROMACS's ports of AMBER's force fields, and its port of CHARMM27.
enum class NamingScheme : std::uint8_t { pdb, pdb2, pdb2pqr, amber, charmm, gromacs, gromacs_charmm };
constexpr std::size_t naming_schemes = 7;

std::string_view to_string(NamingScheme scheme);

/// What a residue with a template is.
enum class ResidueClass : std::uint8_t { amino_acid, rna, dna, cap, water, ion, polyatomic_ion };

std::string_view to_string(ResidueClass kind);

/// How a chain begins or ends. `none`: it continues, or the residue is in no chain. The phosphates: HPO4- and
/// PO4 2-.
enum class ChainEnd : std::uint8_t {
  none,
  n_terminal,
  n_terminal_neutral,
  five_hydroxyl,
  five_phosphate,
  five_phosphate_2,
  c_terminal,
  c_terminal_neutral,
  three_hydroxyl
};

std::string_view to_string(ChainEnd end);

/// Both sides of a residue: towards the chain's first residue, and towards its last.
struct ChainEnds {
  ChainEnd first = ChainEnd::none, last = ChainEnd::none;

  friend bool operator==(const ChainEnds&, const ChainEnds&) = default;
};

struct TemplateAtom {
  Label name;  // the PDB's, version 3
  ElementSymbol element;
  int charge_e = 0;  // formal
};

/// Numbers of two atoms of a template. Aromatic rings and carboxylates are written with single and double
/// bonds.
struct TemplateBond {
  std::uint16_t first = 0, second = 0;
  std::uint8_t order = 1;  // 0: coordinate, from a metal to a ligand
};

/// How a program's input says that a residue is this one.
struct ProgramName {
  Label residue;               // empty where CHARMM has only a patch, as for caps
  std::vector<Label> patches;  // of CHARMM, or entries of GROMACS's terminal database

  friend bool operator==(const ProgramName&, const ProgramName&) = default;
};

/// A residue in one state of protonation and at one place of a chain: the sum of `charge_e` of its atoms is
/// its charge.
struct ResidueTemplate {
  static constexpr std::size_t no_atom = std::size_t(-1);

  Label name;     // of the variant: ASH, HID, or the residue's own
  Label residue;  // the PDB component that it is a variant of: ASP, HIS
  Label parent;   // of a modified residue: MET for MSE; otherwise `residue`
  char code =
      '?';  // one letter of a sequence; of a modified residue the parent's; '?' for what is no polymer's
  ResidueClass kind = ResidueClass::amino_acid;
  ChainEnds ends;
  std::vector<TemplateAtom> atoms;
  std::vector<TemplateBond> bonds;
  // Atoms that are bonded to the residue before, to that behind, and to any other one (SG of CYX); or
  // no_atom.
  std::size_t link_before = no_atom, link_after = no_atom, link_side = no_atom;
  std::array<std::optional<ProgramName>, naming_schemes> called;  // nothing: the program has no such residue
  std::array<std::vector<Label>, naming_schemes> names;           // of each atom

  int charge_e() const;
  /// Number of the atom of that name (version 3 of the PDB), or no_atom. O(atoms).
  std::size_t find(std::string_view atom) const;
  const std::optional<ProgramName>& called_in(NamingScheme scheme) const {
    return called[std::size_t(scheme)];
  }
  Label name_in(NamingScheme scheme, std::size_t atom) const { return names[std::size_t(scheme)][atom]; }
};

/// "ASH", "HID at the N-terminus": what a message calls a template.
std::string describe(const ResidueTemplate& residue);

}  // namespace ionwell
