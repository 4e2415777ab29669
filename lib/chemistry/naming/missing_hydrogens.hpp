// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "chemistry/templates/residue_template.hpp"
#include "core/vec3.hpp"

namespace ionwell {

/// Where hydrogens of a residue go that a structure lacks, by the bonds of its template: tetrahedra, planes
/// beside double bonds, methyl groups staggered, hydroxyl groups trans; C-H 1.09, N-H 1.01 and O-H 0.96 A
/// long. `positions_A`: of each atom of the template, where it has one. Returned likewise: hydrogens that had
/// none, but for those on atoms that are bonded to another residue. Where no neighbour decides
/// a torsion, it is any.
std::vector<std::optional<Vec3<double>>> missing_hydrogens(
    const ResidueTemplate& residue, std::span<const std::optional<Vec3<double>>> positions_A);

}  // namespace ionwell
