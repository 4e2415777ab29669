// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace ionwell::test {

/// Reads `bytes` as a map of every format that they could be, gzipped or not, and says what is wrong with
/// what the readers did; empty when nothing is. A reader may refuse them with one line that starts with the
/// path; what it accepts must be finite values on a possible lattice, and the same after being written and
/// read again.
std::string broken_map_invariant(std::string_view bytes);

}  // namespace ionwell::test
