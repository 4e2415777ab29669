// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "chemistry/naming/named_residues.hpp"
#include "core/structure.hpp"
#include "structures/engines/engine_ligand.hpp"

namespace ionwell {

/// A line of LEaP's: of all that has the number of a residue in solute.pdb, which is LEaP's own as well.
struct AmberBond {
  std::string command;  // "bond mol.6.SG mol.127.SG"
  std::string of;       // "CYS 6 A SG to CYS 127 A SG", as the input has them
};

/// The solute as LEaP reads it.
struct AmberSolute {
  // Under AMBER's names, each piece of a chain in its order and with a TER behind it. Residues are numbered
  // from 1 on without gaps, as LEaP does.
  std::vector<Atom> atoms;
  std::vector<std::string> sources;    // leaprc files, without "leaprc."
  std::vector<std::string> units;      // commands that make units which are not loaded under that name
  std::vector<std::string> residues;   // entries of addPdbResMap: { 0 "ALA" "NALA" }
  std::vector<AmberBond> bonds;        // between pieces, and of rings
  std::vector<AmberBond> metal_bonds;  // that are not made: of cysteines without a proton
  bool lacks_torsion = false;          // of 7MG: see missing_torsion
};

/// Of named residues of these atoms, which have no water. A PDB file has three columns for the name of a
/// residue, and AMBER's names of the ends of proteins have four letters: LEaP finds those by its map.
/// `ligands`: files of the user, which the folder has as ligand_file_name says. Throws Error for a mol2 file
/// with residues of several names. O(atoms).
AmberSolute amber_solute(std::span<const Atom> atoms, const NamedResidues& named,
                         const std::vector<EngineLigand>& ligands = {});

/// What the folder calls the file of a ligand: LEaP's commands take no name with blanks.
std::string ligand_file_name(const std::vector<EngineLigand>& ligands, std::size_t number);

/// The torsion of 7MG that all_modrna08.frcmod lacks: a file that leap.in loads, and its name.
constexpr std::string_view missing_torsion_file = "7mg.frcmod";
std::string missing_torsion();

}  // namespace ionwell
