// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/structure.hpp"

namespace ionwell {

/// An ion as files show it, names already those of the program that will read them.
struct NamedIon {
  std::string residue, atom;  // 1 to 4 characters
  std::string element;        // upper case; empty when unknown
  double charge_e = 0.0;
  Vec3<double> position_A;
  double radius_A = 0.0;  // where the format has radii
};

/// How serial numbers past 99,999 are written in a PDB file: modulo 100,000 as GROMACS does, in hexadecimal
/// as VMD, or as hybrid-36 (cctbx).
enum class PdbSerials { wrapped, hex, hybrid36 };

/// Whose names the solute's atoms get: those it came with, or those of the PDB, for PDB2PQR's nucleotides.
enum class SoluteNames { own, pdb };

/// Molecules of one kind, whose atoms are made when they are written: a box of water would not fit in memory.
struct SolventMolecules {
  std::int64_t count = 0;
  std::size_t atoms_each = 0;
  /// Makes the atoms of molecule `first` and those after it, as many as `atoms` has room for; elements
  /// filled in. Called by several threads at a time.
  std::function<void(std::int64_t first, std::span<Atom> atoms)> make;
};

/// What a file of positions is to hold, in this order.
struct PlacedSystem {
  std::vector<std::string> remarks;  // one paragraph each
  std::vector<std::string> records;  // lines of the solute's PDB file that stay, behind the remarks
  std::span<const Atom> solute;      // written before the ions; may be empty
  std::span<const Atom> around;  // the solute when it is not written: its chain names are not used for ions
  std::vector<NamedIon> ions;
  std::size_t ions_before = 0;   // that an earlier file has; the numbers of these go on behind them
  std::span<const Atom> behind;  // written after the ions: water of the input
  SolventMolecules solvent;      // behind all
  std::optional<UnitCell> cell;
  SoluteNames names = SoluteNames::pdb;
  PdbSerials serials = PdbSerials::wrapped;
  // Bonds that names do not tell, by atoms of the solute: mmCIF has them as _struct_conn.
  std::vector<std::pair<std::size_t, std::size_t>> links;
};

/// The solute's atoms, by the names that are requested, one for each ion, and those after them. An ion is a
/// residue of its own in chain I (or the first letter that the solute leaves free), segment ION, numbered 1
/// to 9,999; the next 9,999 are in the next chain and in segment ION2. Elements are filled in. Throws Error
/// for a name that is not printable ASCII. O(atoms).
std::vector<Atom> written_atoms(const PlacedSystem& system);

/// The letters and digits that name chains, those that no atom has first, and `preferred` before all of
/// these.
std::string chain_letters(std::initializer_list<std::span<const Atom>> atoms, char preferred);

/// How many ions have a chain letter and a number of their own.
std::size_t most_numbered_ions();

/// Appends the CRYST1 record of a PDB file, with its line end.
void append_cryst1(std::string& text, const UnitCell& cell);

}  // namespace ionwell
