// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ionwell {

/// The lines of a PDB file that hold good when its atoms are written again, in their order and without line
/// ends: HEADER to KEYWDS and the other records of the title, SEQRES, MODRES, SSBOND, LINK, CRYST1, ORIGX,
/// SCALE, MTRIX and all other records before the first atom, but no MODEL, and no record that names atoms by
/// serial number. O(bytes before the first atom).
std::vector<std::string> pdb_header_records(std::string_view text);

/// Whether a line before the first atom is one of them.
bool is_pdb_header_record(std::string_view line);

/// Those of them that hold good when the atoms were moved and have another cell: not CRYST1, ORIGX, SCALE,
/// MTRIX, nor the remarks with operators of symmetry and of assemblies (290, 300, 350), nor EXPDTA, which
/// says that the cell is a crystal's.
std::vector<std::string> records_without_places(const std::vector<std::string>& records);

}  // namespace ionwell
