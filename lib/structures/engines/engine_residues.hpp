// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "chemistry/naming/named_residues.hpp"
#include "structures/engines/engine_files.hpp"

namespace ionwell {

/// Whose files of ligands the folder takes, if any.
std::vector<LigandsOf> ligands_for(std::optional<Engine> engine);

/// Whether a folder gives residues and atoms the names of the engine's force fields: those of AMBER, CHARMM
/// and OpenMM do, but for a topology, whose names stay.
bool names_residues(Engine engine, const std::optional<TopologyFile>& topology);

/// The residues under the names of AMBER's force fields, of CHARMM's, or of the PDB for OpenMM, which has
/// AMBER's residues but modified ones; those of the user's files under their own. `links`: between
/// residues, beside those that distances show. Errors as of named_residues and check_ends. O(atoms).
NamedResidues engine_residues(Engine engine, std::span<const Atom> atoms,
                              const std::vector<EngineLigand>& ligands = {},
                              std::span<const RecordedBond> links = {});

}  // namespace ionwell
