#pragma once

#include <string>

namespace ionwell::test {

/// The example of the documentation: a DNA duplex of 758 atoms with a charge of -22 e.
inline const std::string duplex = IONWELL_SOURCE_DIR "/examples/nucleic_acid/duplex.pqr";

}  // namespace ionwell::test
