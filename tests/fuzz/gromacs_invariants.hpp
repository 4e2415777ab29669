// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace ionwell::test {

/// Reads `bytes` as every file of GROMACS that they could be (topology, gro, g96, xtc, trr, what gmx dump
/// prints) and says what is wrong with what the readers did; empty when nothing is. A reader may refuse them
/// with one line that starts with the path; what it accepts must be numbers that an atom can have, as many
/// labels as positions or none, and the same after a change of line ends.
std::string broken_gromacs_invariant(std::string_view bytes);

}  // namespace ionwell::test
