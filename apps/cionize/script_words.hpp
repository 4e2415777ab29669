// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace ionwell::cionize {

/// A message of the library, which names options of ionwell's command line, in the words of a script:
/// R_ION_ION for --ion-ion. Options that scripts have no word for are called ionwell's, but for those that
/// cionize has too.
std::string in_script_words(std::string_view message);

}  // namespace ionwell::cionize
