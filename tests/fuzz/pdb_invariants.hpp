// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace ionwell::test {

/// Reads `bytes` as a PDB and as an mmCIF file, with their assemblies, and says what is wrong with what the
/// readers did; empty when nothing is. A reader may refuse them with one line that starts with the path; what
/// it accepts must be atoms that can be, and the same ones after a change of line ends.
std::string broken_pdb_invariant(std::string_view bytes);

}  // namespace ionwell::test
