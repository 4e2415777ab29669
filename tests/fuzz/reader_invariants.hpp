// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace ionwell::test {

/// Reads `bytes` as a structure file, gzipped or not, and says what is wrong with what the reader did; empty
/// when nothing is. The reader may refuse them with one line that starts with the path; what it accepts must
/// be numbers an atom can have, and the same numbers after a change of line ends and after being written
/// again.
std::string broken_invariant(std::string_view bytes);

}  // namespace ionwell::test
