// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/periodic_cell.hpp"
#include "jobs/place/job/job.hpp"

/// The periodic images of the cell that a job's structure has, where its ions go to a lattice.
namespace ionwell {

/// Whether the potential is summed over the images of a job's cell. With --boundary periodic it is, which
/// throws UsageError where it cannot be: without a simulation's cell, or where the potential comes from what
/// has no images (maps, solvers, models of sites, a method for sums without them). Without an option it is in
/// a simulation's cell that a solvent fills, and wherever ions on the lattice can come near to an image of an
/// atom or of each other.
bool repeats(const Job& job);

/// The cell by whose images ions keep their distances, from atoms and from each other, wherever the potential
/// comes from: that of a simulation where repeats() would be true of a plain sum, or where the lattice is
/// not known before maps are read or a solver is asked. Nothing with --boundary open. O(atoms).
std::optional<PeriodicCell> distance_cell(const Job& job);

/// What to say of a cell whose images act on distances alone, though nothing says that this is meant.
std::vector<std::string> boundary_warnings(const Job& job);

}  // namespace ionwell
