// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "core/chemistry/residue_kind.hpp"

namespace ionwell {

/// What an ion of one atom is.
struct FormalIon {
  std::string_view element;  // upper case
  double charge_e = 0.0;
};

/// A chemical component of the PDB.
struct IonComponent {
  std::string_view name;
  FormalIon ion;
};

/// Those of one atom with a formal charge that the table of known ions lacks; by name.
std::span<const IonComponent> ion_components();

/// The ion that the PDB has as a chemical component of that name (FE is Fe3+, FE2 Fe2+, MN3 Mn3+), or else
/// the one that find_ion has.
std::optional<FormalIon> ion_component(std::string_view name);

/// The ion that a residue is: by its name, or else by its label, see ion_label.
std::optional<FormalIon> formal_ion(const ResidueTraits& ion);

}  // namespace ionwell
