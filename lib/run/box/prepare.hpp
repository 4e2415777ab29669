#pragma once

#include <vector>

#include "core/structure.hpp"
#include "run/job.hpp"
#include "run/read_input.hpp"
#include "solvation/solvate.hpp"

namespace ionwell {

struct PreparationOptions {
  SolvationOptions solvation;
  WaterNames water_names = WaterNames::pdb;
  double cutoff_A = 12.0;  // of the simulation's pair forces, for a warning: CHARMM's; AMBER's is 8 to 10
};

/// A solute in a box of water, ready for its ions.
struct PreparedBox {
  Solvation solvation;                // its solute is all that was in the files
  std::vector<Atom> atoms;            // that, and the waters added
  Structure structure;                // what acts: without the waters of the files, where solvation put it
  std::vector<std::string> warnings;  // what a colleague would say of it; ready to show

  /// The box of a job for ions: its waters are those added, those of the files are the crystal's.
  SolvatedBoxJob box(const BoxOptions& options) const { return {atoms, options, solvation.solute.size()}; }
};

/// Puts what was read into a box of water. Errors as of `solvate`. O(atoms).
PreparedBox prepare_box(const Input& input, const PreparationOptions& options);

/// What to say of ions that were placed in the box: pairs of opposite charge that touch.
std::vector<std::string> pair_warnings(const Placement& placement, const PeriodicCell& cell);

}  // namespace ionwell
