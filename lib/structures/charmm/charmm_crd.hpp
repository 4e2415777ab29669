// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "structures/coordinates.hpp"

namespace ionwell {

/// Whether a file that begins so is a CHARMM coordinate file (CRD, CARD): a title with stars, the number of
/// atoms, atoms. AMBER's .crd is another format.
bool is_charmm_crd(std::string_view head);

/// Reads a CHARMM coordinate file, in columns (of 5 and 4 characters, or EXT of 10 and 8) or between blanks;
/// labels have the residue's number in its segment, as the PSF has it. Throws Error for atoms that are not
/// there or not whole, for numbers that an atom cannot have, and for atoms that CHARMM had not placed (9999).
/// Source: CHARMM's io.doc and coorio.F90.
Coordinates read_charmm_crd(std::string_view text, const std::string& path);

}  // namespace ionwell
