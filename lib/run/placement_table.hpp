#pragma once

#include <cstddef>
#include <optional>
#include <ostream>

#include "core/structure.hpp"
#include "placement/place_ions.hpp"

namespace ionwell {

/// A row for each ion, those of an energy above 0 with a mark: position, energy, nearest atom of the solute,
/// nearest ion. Of many ions it shows the first, and on a terminal of `terminal_columns` those of its columns
/// that have room.
void print_ion_table(std::ostream& out, const Placement& placement, const Structure& structure,
                     std::optional<std::size_t> terminal_columns = {});

}  // namespace ionwell
