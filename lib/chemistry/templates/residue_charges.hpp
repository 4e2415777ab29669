// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "chemistry/templates/residue_template.hpp"

namespace ionwell {

/// The file residue_charges.txt of this folder, built into the library by cmake/embed.cmake.
std::string residue_charges_text();

/// Charge [e] of an atom of a residue that PDB2PQR lacks, within a chain; nothing where AMBER's libraries
/// have none. O(1) but for the first call, which reads the table. `atom` is a number of the template's.
std::optional<double> library_charge_e(const ResidueTemplate& residue, std::size_t atom);

/// Whether the table has each atom of the residue.
bool has_library_charges(const ResidueTemplate& residue);

}  // namespace ionwell
