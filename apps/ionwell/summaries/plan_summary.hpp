// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "potential/lattice_potential.hpp"

/// What commands say of a potential on the terminal, before and after it is computed.
namespace ionwell {

/// "ionwell place rna.pqr ...": the command as a shell takes it back; `words` are those after its name.
std::string command_text(const std::string& command, const std::vector<std::string>& words);

/// What there is to say of it: nothing when it is on one GPU.
std::string where_the_lattice_is(LatticeOn place);

void print_electrostatics(std::ostream& out, const PotentialRecord& planned);

/// Nothing of one.
void print_ranks(std::ostream& out, const RunRecord& planned, const std::string& what_each_has);

/// The run's protocol.
void print_plan(std::ostream& out, const LatticePotential& planned);

/// Nothing without one.
void print_solvation_energy(std::ostream& out, const PotentialRecord& potential);

}  // namespace ionwell
