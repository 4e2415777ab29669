// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "chemistry/perception/chemistry.hpp"
#include "structures/engines/engine_ligand.hpp"

namespace ionwell {

/// Throws Error for residues with a template in a force field of the user (`ligands`, all OpenMM's) that are
/// part of a chain, or whose atoms differ from the template's.
void check_openmm_ligands(std::span<const Atom> atoms, const Chemistry& chemistry,
                          const std::vector<EngineLigand>& ligands);

/// The bonds within these residues, by the numbers of the atoms: OpenMM knows those of the PDB's standard
/// residues alone. O(atoms).
std::vector<std::pair<std::size_t, std::size_t>> openmm_ligand_bonds(
    std::span<const Atom> atoms, const Chemistry& chemistry, const std::vector<EngineLigand>& ligands);

}  // namespace ionwell
