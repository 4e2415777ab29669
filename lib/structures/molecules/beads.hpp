// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string_view>

#include "core/structure.hpp"

namespace ionwell {

/// Whether these are beads of a coarse-grained model, each of which stands for several atoms, and not atoms:
/// by the names of Martini and SIRAH, or because no atom is as near to another one as a bond is long, where
/// each amino acid has only its CA, or where many nucleotides have only their P or many atoms no element.
/// Water and ions do not count. O(atoms).
bool are_beads(std::span<const Atom> atoms);

/// What is wrong with them, for a message.
constexpr std::string_view beads_problem = "contains beads of a coarse-grained model instead of atoms";

}  // namespace ionwell
