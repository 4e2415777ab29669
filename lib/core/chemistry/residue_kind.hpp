#pragma once

#include <cstddef>
#include <string_view>

/// What a residue is, told by the names that the PDB, AMBER, CHARMM and GROMACS give it.
namespace ionwell {

enum class ResidueKind { protein, nucleic_acid, lipid, water, ion, unknown };

std::string_view to_string(ResidueKind kind);

/// By the name alone; unknown for an ion of one atom, whose names are those of atoms too.
ResidueKind residue_kind(std::string_view name);

/// A residue as far as its kind depends on it.
struct ResidueTraits {
  std::string_view name;
  std::size_t atoms = 1;
  std::string_view first_atom{};
  std::string_view element{};  // of its first atom, in any case; empty where the file does not say
  double charge_e = 0.0;       // of the residue
};

/// The kind by the residue's name; ions of one atom also by their atom. Amino acids, nucleotides and lipids
/// keep their kind however few of their atoms are there. A residue of several atoms with an ion's name (CLA
/// is chlorophyll as well as CHARMM's chloride) is unknown.
ResidueKind residue_kind(const ResidueTraits& residue);

/// Whether a residue of that name holds a molecule of few atoms, water or an ion, of which files put many
/// under one number.
bool is_small_molecule(std::string_view name);

/// What an ion is called: its residue's name, or its atom's where the residue only says ION.
std::string_view ion_label(const ResidueTraits& ion);

/// The atom that stands for an ion of several atoms: CO of NCO, S of SO4. Empty for any other residue.
std::string_view central_atom(std::string_view residue);

}  // namespace ionwell
