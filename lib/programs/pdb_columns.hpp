// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "core/structure.hpp"

namespace ionwell {

/// What to add to positions [A] that do not fit a PDB file's columns of eight characters; zero along axes
/// where they do.
Vec3<double> shift_into_pdb_columns(std::span<const Atom> atoms);

}  // namespace ionwell
