#pragma once

#include <array>
#include <span>
#include <string_view>

/// The ions that need no explanation, and what each program calls them.
namespace ionwell {

/// Whose residue and atom names: the PDB's chemical components, CHARMM36 topologies, LEaP's units, or the
/// GROMACS ports of the AMBER, OPLS and CHARMM27 force fields.
enum class IonNaming { pdb, charmm, amber, gromacs };

std::string_view to_string(IonNaming naming);

/// Both empty where a convention has no such ion.
struct IonName {
  std::string_view residue, atom;
};

/// An ion with a name in at least one of the conventions.
struct KnownIon {
  std::string_view element;  // upper case, as in columns 77-78 of a PDB file
  double charge_e = 0.0;
  std::array<IonName, 4> names;  // by IonNaming
};

/// All of them, in the order that messages list them in.
std::span<const KnownIon> known_ions();

/// The ion of that name in any of the conventions, or of that element with or without its charge (Mg, Mg2+,
/// MG+2, Na+), whatever the case; nullptr when there is none. CA is calcium, CD cadmium, CO cobalt.
const KnownIon* find_ion(std::string_view name);

/// The element whose symbol the name is, with or without a charge (FE, Fe3+), in upper case; empty when it is
/// none.
std::string_view element_of(std::string_view name);

/// What to write for an ion: its name in `naming`, or `name` itself for an ion that is not in the table.
/// Throws UsageError when `naming` has no such ion, with the conventions that do.
IonName ion_name(std::string_view name, IonNaming naming);

}  // namespace ionwell
