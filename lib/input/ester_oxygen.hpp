// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "chemistry/perception/ester_bonds.hpp"

namespace ionwell {

/// Takes the hydrogen off the oxygen of a nucleotide, `charged` by PDB2PQR, that an ester binds: PDB2PQR does
/// not see the bond. The oxygen gets its charge.
void open_ester(std::vector<Atom>& charged, const Chemistry& chemistry, const EsterBond& ester);

}  // namespace ionwell
