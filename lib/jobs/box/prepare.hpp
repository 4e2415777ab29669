#pragma once

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
  Solvation solvation;  // its solute is what was in the files and is not ignored, waters as well
  System system;        // that, and the waters added, which do not act
  std::vector<std::string> warnings;  // of solvation; ready to show

  /// The box of a job for ions: its waters are those added, those of the files are the crystal's. Refers to
  /// this.
  SolvatedBoxJob box(const BoxOptions& options) const {
    return {system.atoms(), options, solvation.solute.size(), &solvation};
  }
};

/// Puts what was read into a box of water. Waters of the files are in it as a crystal's; those that are left
/// out, and ignored atoms, are not. Errors as of `solvate`. O(atoms).
PreparedBox prepare_box(const System& files, const SolvationOptions& options);

/// By atom of the files: whether it is in the box; empty where all are.
std::vector<std::uint8_t> atoms_in_box(const System& files);

/// What ions left of a box.
struct RemainingBox {
  std::vector<AtomRange> replaced;  // waters of the solvation's solute, in their order
  Waters waters;                    // those added, without the ones that ions replaced
};

/// What a run in the box left of it; all of it where the run was in none.
RemainingBox remaining_box(const PreparedBox& prepared, const Result& result);

/// What to say of ions in the box, those of the files as well: pairs of opposite charge that touch. At most
/// one warning, ready to show.
std::vector<std::string> pair_warnings(const PreparedBox& prepared, const Placement& placement);

}  // namespace ionwell
