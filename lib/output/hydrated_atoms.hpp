// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "jobs/place/job/result.hpp"
#include "output/system_output.hpp"
#include "solvation/hydration/hydrate.hpp"

namespace ionwell {

/// How a hydrated ion is written: the ion and its waters, or one residue.
enum class HydratedAs { waters, residue };

/// Ions and the waters around them, as files have them.
struct HydratedAtoms {
  std::vector<std::size_t> ions;  // numbers of those that are residues of their own
  std::vector<Atom> behind;       // written after these: MO6, then waters; TER after each residue
};

/// What to ask a job for: each of `requests` is NAME[:N], `water` a model. Throws UsageError for a shell that
/// is not known, a water model that has not three sites, and what cannot be written as one residue.
HydrationOptions hydration_options(const std::vector<std::string>& requests, const std::string& water,
                                   HydratedAs written_as);

/// The waters of all shells, under the names of the output, in a chain that the solute leaves free; shell by
/// shell, without those in residues MO6, which have the ion and O1 to O6 alone. Without shells all ions, and
/// nothing behind.
HydratedAtoms hydrated_atoms(const Result& result, const SystemOutput& output, HydratedAs written_as);

}  // namespace ionwell
