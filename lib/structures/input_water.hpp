// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/structure.hpp"

namespace ionwell {

/// What becomes of the waters in a file: atoms of the solute, with a warning or because this is meant; or
/// left out, so that they neither act nor keep ions away, and the lattice does not reach around them; or left
/// out so that ions can take their places.
enum class InputWater { solute_with_warning, solute, ignore, replace };

/// Counts what the structure consists of, and does with its waters what is asked. Throws Error when nothing
/// is left. O(atoms).
void apply_water_option(Structure& structure, InputWater water);

/// Counts what `acting` consists of and says of its waters what there is to say, but takes none. Throws Error
/// when nothing would be left. O(atoms).
void count_waters(Structure& structure, std::span<const Atom> acting, InputWater water);

/// Takes the waters off `atoms`: in their order. O(atoms).
std::vector<Atom> take_waters(std::vector<Atom>& atoms);

}  // namespace ionwell
