#pragma once

#include <vector>

#include "ionwell/hydration_arguments.hpp"
#include "jobs/place/job/result.hpp"
#include "output/system_output.hpp"

namespace ionwell {

/// Ions and the waters around them, as files have them.
struct HydratedAtoms {
  std::vector<std::size_t> ions;  // numbers of those that are residues of their own
  std::vector<Atom> behind;       // written after these: MO6, then waters; TER after each residue
};

/// Whether the PDB has one residue for such a shell: MO6.
bool is_hexahydrate(const HydrationRequest& request);

/// The waters of all shells, under the names of the output, in a chain that the solute leaves free; shell by
/// shell, without those in residues MO6, which have the ion and O1 to O6 alone. Without shells all ions, and
/// nothing behind.
HydratedAtoms hydrated_atoms(const Result& result, const SystemOutput& output, HydratedAs written_as);

}  // namespace ionwell
