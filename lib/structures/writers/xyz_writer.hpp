#pragma once

#include <string>

#include "structures/writers/placed_system.hpp"

namespace ionwell {

/// The text of an XYZ file: elements and positions that read back as the same doubles.
std::string xyz_text(const PlacedSystem& system);

}  // namespace ionwell
