// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <vector>

#include "structures/input_water.hpp"
#include "structures/molecules/system.hpp"
#include "structures/selection/selection.hpp"

/// What part each atom of the files has.
namespace ionwell {

/// Of --solute and --ignore, selections that may be empty; no roles where all atoms act. Throws UsageError as
/// `select` does, and where none acts; `path` is for messages. Of an entry what was selected may be left out.
std::vector<AtomRole> selected_roles(std::span<const Atom> atoms, const std::string& solute,
                                     const std::string& ignore, const std::string& path,
                                     Absent absent = Absent::refused);

/// Takes the waters out of `acting`, the atoms that act: InputWater::replace lets them stay, as places for
/// ions, InputWater::ignore leaves them out, and those that did not act with them. O(atoms).
void take_waters_out(std::span<const Atom> atoms, std::span<const Atom> acting, std::vector<AtomRole>& roles,
                     InputWater water);

}  // namespace ionwell
