// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/structure.hpp"

namespace ionwell {

/// The periodic cell of a NAMD run.
struct ExtendedSystem {
  std::optional<UnitCell> cell;       // none where the run was not periodic along all three vectors
  Vec3<double> origin_A;              // the centre of the cell
  std::vector<std::string> warnings;  // what the reader had to decide, ready to show
};

/// Whether a file that begins so is a NAMD extended system file.
bool is_xsc(std::string_view head);

/// Reads the last line of a NAMD extended system configuration (.xsc) or trajectory (.xst): cell vectors and
/// origin [A], in the order that its line of labels says. Throws Error where there is no whole line, and for
/// numbers that a cell cannot have.
ExtendedSystem read_xsc(std::string_view text, const std::string& path);

}  // namespace ionwell
