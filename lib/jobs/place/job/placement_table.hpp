// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <ostream>

#include "core/structure.hpp"
#include "placement/place_ions.hpp"

namespace ionwell {

/// How a table looks. The defaults are for files and pipes, where scripts read it.
struct TableStyle {
  std::optional<std::size_t> terminal_columns{};  // what has no room there is left out, and named
  bool colours = false;                           // ECMA-48: headings bold, names by kind, repelled ions red
  bool utf8 = false;  // Angstrom by its sign, and energies as bars where there is room
};

/// A row for each ion, those of an energy above 0 with a mark: position, energy, nearest atom of the solute,
/// nearest ion. Of more than 30 ions it shows the first 20.
void print_ion_table(std::ostream& out, const Placement& placement, const Structure& structure,
                     const TableStyle& style = {});

}  // namespace ionwell
