// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "support/source_folder.hpp"

namespace ionwell::test {

/// The example of the documentation: a DNA duplex of 758 atoms with a charge of -22 e.
inline const std::string duplex = source_folder() + "/examples/nucleic_acid/duplex.pqr";

}  // namespace ionwell::test
