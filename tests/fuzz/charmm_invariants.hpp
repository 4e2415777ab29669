// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace ionwell::test {

/// Reads `bytes` as every file of CHARMM and NAMD that they could be, and says what is wrong with what the
/// readers did; empty when nothing is. A reader may refuse them with one line that starts with the path; what
/// it accepts must be numbers that an atom or a cell can have, and as many with other line ends.
std::string broken_charmm_invariant(std::string_view bytes);

}  // namespace ionwell::test
