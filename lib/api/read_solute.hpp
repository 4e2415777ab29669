// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "core/structure.hpp"

namespace ionwell {

/// Which atoms of the files count.
struct SoluteChoice {
  std::string assembly;  // name of the biological assembly to build; empty: the atoms of the file
  std::string solute;    // selection of the atoms that count and keep ions away; empty: all
  std::string ignore;    // selection of atoms that are removed
};

/// Reads a structure with charges, as `ionwell place` does: one file with charges (PQR, mol2, .tpr), one file
/// without charges (PDB, mmCIF), for which PDB2PQR is run, or a topology (PSF, prmtop, GROMACS .top) and a
/// file of coordinates, in any order. Throws Error for files that cannot be read; the structure has the
/// warnings.
Structure read_solute(const std::vector<std::string>& paths, const SoluteChoice& choice = {});

}  // namespace ionwell
