// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string_view>

/// What a residue is, determined by the names that the PDB, AMBER, CHARMM and GROMACS give it.
namespace ionwell {

enum class ResidueKind { protein, nucleic_acid, lipid, water, ion, unknown };

std::string_view to_string(ResidueKind kind);

/// By the name alone; unknown for an ion of one atom, because atoms have the same names.
ResidueKind residue_kind(std::string_view name);

/// The properties of a residue that determine its kind.
struct ResidueTraits {
  std::string_view name;
  std::size_t atoms = 1;
  std::string_view first_atom{};
  std::string_view element{};  // of its first atom, in any case; empty where the file does not say
  double charge_e = 0.0;       // of the residue
};

/// The kind by the name of the residue, and for ions of one atom also by the atom. Amino acids, nucleotides
/// and lipids keep their kind if atoms are missing. A residue of several atoms with the name of an ion is
/// unknown (CLA is chlorophyll as well as the chloride of CHARMM).
ResidueKind residue_kind(const ResidueTraits& residue);

/// Whether a residue of that name is a small molecule, water or an ion, of which a file may have many with
/// the same number.
bool is_small_molecule(std::string_view name);

/// The name of an ion: that of its residue, or that of its atom if the residue is called ION.
std::string_view ion_label(const ResidueTraits& ion);

/// The atom that represents an ion of several atoms: CO of NCO, S of SO4. Empty for any other residue.
std::string_view central_atom(std::string_view residue);

}  // namespace ionwell
