#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/structure.hpp"

namespace ionwell {

/// An ion as a PDB file shows it, names already those of the program that will read it.
struct PdbIon {
  std::string residue, atom;  // 1 to 4 characters
  std::string element;        // upper case; empty when unknown
  double charge_e = 0.0;
  Vec3<double> position_A;
};

/// What a PDB file is to hold, in this order.
struct PdbContents {
  std::vector<std::string> remarks;  // one paragraph each
  std::span<const Atom> solute;      // written before the ions, under the PDB's names; may be empty
  std::span<const Atom> around;  // the solute when it is not written: its chain names are not used for ions
  std::vector<PdbIon> ions;
};

/// The file's text. Ions are HETATM records, one residue and one TER each, in chain I (or the first letter
/// that the solute leaves free), segment ION, numbered 1 to 9,999; the next 9,999 go to the next chain and to
/// segment ION2. Serials past 99,999 and the solute's residue numbers past 9,999 begin again at 0, as GROMACS
/// writes them. Throws Error for a position or a solute's name that does not fit the columns.
std::string pdb_text(const PdbContents& contents);

/// Throws UsageError for a name that promises another format than PDB text, or a packed file.
void check_pdb_name(const std::string& path);

}  // namespace ionwell
