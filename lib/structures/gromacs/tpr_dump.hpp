// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "core/structure.hpp"

namespace ionwell {

/// Whether a file that begins so is a GROMACS run input file (.tpr), which `gmx dump -s` prints as text.
bool is_tpr(std::string_view head);

/// Reads what `gmx dump -s FILE.tpr` prints: charges [e] with six digits, names, residues and elements of all
/// atoms, positions [A] with six digits, the box. Residues are numbered as GROMACS numbers them in the files
/// that it writes; radii are 0. `path` is what messages call the file. Throws Error with the line of the dump
/// that is not as it should be, and for a dump that is not complete. Source: output of GROMACS 2022.
Structure read_tpr_dump(std::string_view text, const std::string& path);

}  // namespace ionwell
