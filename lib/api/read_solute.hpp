#pragma once

#include <string>
#include <vector>

#include "core/structure.hpp"

namespace ionwell {

/// What of the files acts.
struct SoluteChoice {
  std::string assembly;  // name of the biological assembly to build; empty: as the file has it
  std::string solute;    // selection of what acts and keeps ions away; empty: all
  std::string ignore;    // selection of what does not, and is removed
};

/// Reads a structure with charges, as `ionwell place` does: one file that has all (PQR, mol2, .tpr), one
/// without charges (PDB, mmCIF), for which PDB2PQR is run, or a topology (PSF, prmtop, GROMACS .top) and a
/// file of coordinates, in any order. Throws Error for files that cannot be read; its warnings are those of
/// the structure.
Structure read_solute(const std::vector<std::string>& paths, const SoluteChoice& choice = {});

}  // namespace ionwell
