// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace ionwell::test {

/// Reads `bytes` as each of AMBER's files (topology, coordinates, NetCDF) and as mol2, and says what is wrong
/// with what the readers did; empty when nothing is. A reader may refuse them with one line that starts with
/// the path; what it accepts must be atoms with numbers that an atom can have, and the same atoms after a
/// change of line ends.
std::string broken_amber_invariant(std::string_view bytes);

}  // namespace ionwell::test
