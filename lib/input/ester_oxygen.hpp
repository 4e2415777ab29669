#pragma once

#include <span>
#include <vector>

#include "chemistry/perception/ester_bonds.hpp"

namespace ionwell {

/// Takes the hydrogens off the oxygens of a nucleotide, `charged` by PDB2PQR, that esters bind: PDB2PQR does
/// not see the bond. The oxygen gets their charge.
void open_esters(std::vector<Atom>& charged, std::span<const Atom> entry, std::span<const EsterBond> esters);

}  // namespace ionwell
