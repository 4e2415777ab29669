// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "chemistry/perception/chemistry.hpp"
#include "input/read_input.hpp"
#include "programs/pdb2gmx.hpp"

namespace ionwell {

/// Throws UsageError for a force field whose names of residues and atoms are not known: those of AMBER's
/// ports (amber...) and charmm27 are.
void check_pdb2gmx(const Pdb2gmxOptions& options);

/// What pdb2gmx gets, and what was perceived of it.
struct Pdb2gmxStructure {
  std::vector<Atom> atoms;
  Chemistry chemistry;
};

/// The atoms as pdb2gmx reads them: under the names of the force field, with numbers of their own, with a TER
/// after each piece and between ions, waters and all else. Cysteines of disulfides are CYS, whose bonds it
/// finds by distance. `links`: bonds between residues, beside those that distances show. Throws Error for
/// residues and bonds that the force field does not have. O(atoms).
Pdb2gmxStructure pdb2gmx_structure(std::span<const Atom> atoms, const std::string& force_field,
                                   std::span<const RecordedBond> links = {});

/// Gives an entry of the PDB, which has got charges, a topology of GROMACS's: `gmx pdb2gmx` gets its residues
/// under the names of the force field, which tell it the decisions, with a TER after each piece. Charges,
/// hydrogens that were missing and the order of atoms are the topology's then; what acts stays as it was.
/// Throws Error for residues that the force field does not have, before it runs, for bonds or a charge that
/// come out otherwise, and as run_pdb2gmx.
void make_gromacs_topology(Input& entry, const Pdb2gmxOptions& options,
                           const std::function<void(double seconds)>& progress = {});

}  // namespace ionwell
