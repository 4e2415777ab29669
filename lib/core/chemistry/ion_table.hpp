// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <span>
#include <string_view>

/// The known ions and their names in each program.
namespace ionwell {

/// Whose residue and atom names: the PDB's chemical components, CHARMM36 topologies, LEaP's units, or the
/// GROMACS ports of the AMBER, OPLS and CHARMM27 force fields.
enum class IonNaming { pdb, charmm, amber, gromacs };

std::string_view to_string(IonNaming naming);

/// Both are empty if a convention does not have the ion.
struct IonName {
  std::string_view residue, atom;
};

/// An ion with a name in at least one of the conventions.
struct KnownIon {
  std::string_view element;  // upper case, as in columns 77-78 of a PDB file
  double charge_e = 0.0;
  std::array<IonName, 4> names;  // by IonNaming
};

/// All known ions, in the order in which messages list them.
std::span<const KnownIon> known_ions();

/// The ion of that name in any of the conventions, or of that element with or without its charge (Mg, Mg2+,
/// MG+2, Na+), whatever the case; nullptr if there is none. CA is calcium, CD cadmium, CO cobalt.
const KnownIon* find_ion(std::string_view name);

/// The element whose symbol is the name, with or without a charge (FE, Fe3+), in upper case; empty if the
/// name is not a symbol.
std::string_view element_of(std::string_view name);

/// The name of an ion in files: its name in `naming`, or `name` itself for an ion that is not in the table.
/// Throws UsageError, which lists the other conventions, if `naming` does not have the ion.
IonName ion_name(std::string_view name, IonNaming naming);

}  // namespace ionwell
