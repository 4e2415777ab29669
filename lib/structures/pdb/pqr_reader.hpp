// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "core/structure.hpp"
#include "files/text_pieces.hpp"

namespace ionwell {

/// Atoms of a PQR file: ATOM or HETATM, serial, name, residue, chain (may be absent), residue number with
/// insertion code, x, y, z, charge, radius; in PDB columns or between blanks. The first model of several is
/// taken. A CRYST1 record is kept as the cell. `path` is for messages. Throws Error with `path:line:` for a
/// record that cannot be read, and when there is none. O(bytes); the text is not copied.
Structure read_pqr(std::string_view text, const std::string& path);

/// The same from a file, piece by piece: memory for the atoms, not for the text.
Structure read_pqr(TextPieces& file);

}  // namespace ionwell
