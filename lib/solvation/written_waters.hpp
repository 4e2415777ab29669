// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "solvation/water_tiles.hpp"
#include "structures/writers/placed_system.hpp"
#include "structures/writers/system_file.hpp"

namespace ionwell {

/// Whose names the waters get in a file that nobody has said more of: GROMACS's in .gro, CHARMM's in .crd,
/// those of the PDB elsewhere.
WaterNames usual_water_names(SystemFormat format);

/// Chain W, or another that the solute leaves free. Residues count from 1; in a .gro file, which has no
/// chains, they continue after the solute's.
WaterLabels water_labels(std::span<const Atom> solute, WaterNames names, SystemFormat format);

/// The waters as PlacedSystem takes them; `waters` must outlive the result.
SolventMolecules written_waters(const Waters& waters, const WaterLabels& labels);

}  // namespace ionwell
