// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/structure.hpp"

namespace ionwell {

/// What is wrong when the charges were rounded to two decimals, as `gmx editconf -mead` does; nothing when
/// they were not. O(atoms), and a handful of them where one has more decimals.
std::optional<std::string> rounded_charges(std::span<const Atom> atoms);

}  // namespace ionwell
