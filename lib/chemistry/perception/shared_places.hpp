// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "chemistry/perception/working_residues.hpp"

namespace ionwell {

/// Atoms of two residues that are this near lie in one place: bonds are 0.9 A at least.
constexpr double same_place_A = 0.5;

/// Residues half of whose heavy atoms or more lie in the places of those of one residue before them.
/// O(atoms).
std::vector<SharedPlace> find_shared_places(const WorkingResidues& working);

}  // namespace ionwell
