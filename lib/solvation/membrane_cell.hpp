// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>

#include "core/structure.hpp"
#include "core/unit_cell.hpp"
#include "structures/molecules/atom_links.hpp"

namespace ionwell {

/// The cell for a bilayer that lies in the plane of a and b of a simulation's cell: those two vectors as they
/// are, and c as long as the atoms with `padding_A` on both sides need. Molecules of a bilayer that lies
/// across the boundary along c, half of it at each face, are put together first, in place. Nothing where the
/// lipids form no bilayer in that cell (find_membrane). O(atoms).
std::optional<CellVectors> cell_of_membrane(std::span<Atom> atoms, const UnitCell& cell, double padding_A,
                                            std::span<const AtomLink> links = {});

/// Whether lipids form a bilayer across z, of which no cell is known. O(atoms).
bool holds_bilayer(std::span<const Atom> atoms);

}  // namespace ionwell
