// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "core/unit_cell.hpp"
#include "structures/engines/amber_cell.hpp"
#include "structures/engines/amber_solute.hpp"
#include "structures/engines/engine_files.hpp"

namespace ionwell {

/// leap.in: loads the units of these names (mol, ions, water), combines, checks and saves them. `solute` has
/// the commands that its names need; nullptr: the names are the input's. `cell`: nullptr where there is none.
std::string leap_script(const EngineSystem& system, const AmberSolute* solute, const AmberCell* cell,
                        const std::string& units);

/// cell.py, which gives LEaP's files another cell than a rectangular one.
std::string amber_cell_script(const UnitCell& cell);

}  // namespace ionwell
