// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace ionwell {

/// Whether a record of a PDB or PQR file says that the file's cell is a crystal's: EXPDTA, SCALE, REMARK 290,
/// and CRYST1 with a space group other than P 1.
bool is_crystal_record(std::string_view line);

/// Whether a space group, by its Hermann-Mauguin symbol, has symmetry that no simulation has: any but P 1. An
/// empty one says nothing.
bool is_crystal_group(std::string_view symbol);

}  // namespace ionwell
