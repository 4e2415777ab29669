#pragma once

#include <optional>
#include <string_view>

namespace ionwell {

/// What an ion of one atom is.
struct FormalIon {
  std::string_view element;  // upper case
  double charge_e = 0.0;
};

/// The ion that a residue of one atom is, by its name as a chemical component of the PDB (FE is Fe3+, FE2
/// Fe2+, MN3 Mn3+), or else as find_ion has it.
std::optional<FormalIon> ion_component(std::string_view name);

}  // namespace ionwell
