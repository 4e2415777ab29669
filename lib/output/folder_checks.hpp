// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "input/read_input.hpp"
#include "structures/engines/engine_files.hpp"

/// What can be refused before the folder of an engine is made.
namespace ionwell {

/// Whether the folder has a topology of the input's atoms, all of them.
bool keeps_topology(Engine engine, const Input& input);

/// Throws UsageError for atoms of the files that no file of that engine is for (check_engine_atoms): those of
/// the system, and ignored ones where the folder keeps their topology. Before each folder. O(atoms).
void check_engine_input(Engine engine, const Input& input);

/// Throws UsageError where the folder of an engine keeps a topology that has atoms which are not in the
/// system: `is_in_solute` is by atom of the files, and empty where all are. Of GROMACS's topologies only
/// waters can be taken out, of a PSF whole residues. O(atoms).
void check_left_out(Engine engine, const Input& input, std::span<const std::uint8_t> is_in_solute);

}  // namespace ionwell
