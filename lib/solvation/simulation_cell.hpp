// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/structure.hpp"

namespace ionwell {

/// Decides what a cell is that its file leaves undecided, by `atoms`, all that the file holds: a simulation's
/// where molecules of a solvent, of any kind, fill it; otherwise it stays undecided. A simulation's
/// that is the smallest box around the molecules becomes undecided, and is then used nowhere. O(atoms).
void decide_cell(Structure& structure, std::span<const Atom> atoms);

/// Whether a cell is only what a program writes where there is none: too small for these atoms, as CRYST1 of
/// 1 x 1 x 1, or the smallest box around the molecules, as GROMACS's pdb2gmx writes. O(atoms).
bool stands_for_none(const UnitCell& cell, std::span<const Atom> atoms);

/// The structure's cell where its images are real: that of a simulation, which does not stand for none.
/// O(atoms).
std::optional<UnitCell> simulation_cell(const Structure& structure);

/// A warning where molecules look as if an undecided cell had torn them: they are not put together. O(atoms).
std::vector<std::string> torn_molecule_warnings(const Structure& structure);

/// The structure's cell where files of positions may have it: not a crystal's, which engines would take for a
/// simulation's, and none that is undecided.
std::optional<UnitCell> written_cell(const Structure& structure);

/// Why simulation_cell gives none, and what to do about it, for a message.
std::string why_not_periodic(const Structure& structure);

/// Whether molecules of a solvent, and not a crystal's waters, fill a cell: with 30 A^3 for each of their
/// atoms other than hydrogen, of which waters have one, they take a fifth of the cell or more. Simulated
/// membranes have a third, crystals' waters a twentieth of the crystal's cell.
bool fill_cell(std::int64_t heavy_atoms, double cell_A3);

/// Whether molecules of any solvent, or lipids, do (fill_cell). O(atoms).
bool is_full_of_solvent(std::span<const Atom> atoms, double cell_A3);

}  // namespace ionwell
