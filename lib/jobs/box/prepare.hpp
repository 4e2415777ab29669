// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/structure.hpp"
#include "jobs/place/job/job.hpp"
#include "jobs/place/job/result.hpp"
#include "solvation/solvate.hpp"
#include "structures/engines/engine_files.hpp"
#include "structures/molecules/system.hpp"

namespace ionwell {

/// A solute in a box of water, ready for its ions.
struct PreparedBox {
  /// Its solute is what was in the files and is not ignored, waters as well; then the ions at sites, and the
  /// waters around them.
  Solvation solvation;
  System system;                      // that, and the waters added, which do not act
  std::vector<std::string> warnings;  // of solvation; ready to show
  std::vector<std::uint8_t> in_box;   // by atom of the files: whether it is in the box; empty: all are
  std::optional<Result> sites;        // the ions at sites, where they are in the box
  std::size_t of_files = 0;           // atoms of the solvation's solute that the files have: the first

  std::span<const Atom> solute() const { return std::span(solvation.solute).first(of_files); }

  /// The box of a job for ions: its waters are those added, those of the files are the crystal's. Refers to
  /// this.
  SolvatedBoxJob box(const BoxOptions& options) const {
    SolvatedBoxJob box{system.atoms(), options, solvation.solute.size(), &solvation};
    if (!sites) return box;
    box.sites = &*sites;
    box.first_of_shells = of_files + sites->placement.ions.size();
    return box;
  }
};

/// Puts what was read into a box of water, with ions that were placed at sites and the waters around them,
/// which take the places of crystal waters. Waters of the files are in it as a crystal's; those that are left
/// out, and ignored atoms, are not. Errors as of `solvate`. O(atoms).
PreparedBox prepare_box(const System& files, const SolvationOptions& options,
                        std::optional<Result> sites = {});

/// By atom of the files: whether it is in the box; empty where all are.
std::vector<std::uint8_t> atoms_in_box(const System& files);

/// What ions left of a box.
struct RemainingBox {
  std::vector<AtomRange> replaced;  // waters of the solvation's solute, in their order
  Waters waters;  // around ions at sites, then those added, without the ones that ions replaced
};

/// What a run in the box left of it; all of it where the run was in none.
RemainingBox remaining_box(const PreparedBox& prepared, const Result& result);

/// What to say of ions in the box, those of the files as well: pairs of opposite charge that touch. At most
/// one warning, ready to show.
std::vector<std::string> pair_warnings(const PreparedBox& prepared, const Placement& placement);

}  // namespace ionwell
