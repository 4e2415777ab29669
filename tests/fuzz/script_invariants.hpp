// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace ionwell::test {

/// Reads `text` as a script of cionize; says what is wrong, empty when nothing is. It may be refused with one
/// line that begins with its name. Otherwise its commands are in the order of their lines, options before
/// BEGIN and ions behind it, every value in its range, and written anew they are read as the same.
std::string broken_script_invariant(std::string_view text);

}  // namespace ionwell::test
