// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "core/structure.hpp"

namespace ionwell {

/// PDB2PQR writes four decimals: what the charges of a residue lose so of an integer, in LYN 0.0004 e, goes
/// to all its atoms.
void round_net_charge(std::span<Atom> residue);

/// Those of a residue that gets no charges, with radii.
std::vector<Atom> uncharged_atoms(std::span<const Atom> residue);

}  // namespace ionwell
