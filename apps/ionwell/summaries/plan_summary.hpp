#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "jobs/average/average.hpp"
#include "jobs/place/job/result.hpp"
#include "potential/lattice_potential.hpp"

/// What place and map say of a run on the terminal, before and after it is computed.
namespace ionwell {

/// "ionwell place rna.pqr ...": the command as a shell takes it back; `words` are those after its name.
std::string command_text(const std::string& command, const std::vector<std::string>& words);

/// The run's protocol.
void print_plan(std::ostream& out, const Result& planned);
void print_plan(std::ostream& out, const LatticePotential& planned);
void print_plan(std::ostream& out, const AverageResult& planned);

/// Nothing without one.
void print_solvation_energy(std::ostream& out, const PotentialRecord& potential);

/// Waters around ions, and those that had no room.
void print_hydration(std::ostream& out, const Hydration& hydration);

}  // namespace ionwell
