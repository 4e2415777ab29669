// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace ionwell::cionize {

/// Prints the manual page (--man) or the script of a shell (--completion SHELL) where the words ask for it;
/// false where they do not.
bool print_manual(const std::vector<std::string>& words, std::ostream& out);

}  // namespace ionwell::cionize
