// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <utility>

#include "chemistry/templates/residue_template.hpp"

namespace ionwell {

/// A molecule by its atoms and bonds alone, for missing_hydrogens: a carbon with three neighbours has a
/// double bond, to an oxygen with one neighbour where it can be.
ResidueTemplate drawn_template(std::span<const TemplateAtom> atoms,
                               std::span<const std::pair<std::size_t, std::size_t>> bonds);

}  // namespace ionwell
