// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string_view>

#include "input/read_input.hpp"
#include "output/system_output.hpp"

/// What a folder for an engine needs of a command's input.
namespace ionwell {

/// Throws UsageError for what can be refused before a file is read (check_engine), and for a force field of
/// GROMACS's without names. Without --for it does nothing. `water_model` is empty where no water is added.
void check_engine_files(const SystemOutput& output, const std::vector<std::string>& files,
                        std::string_view water_model);

/// Throws as check_engine and check_engine_atoms for what was read: atoms of the system, and ignored ones
/// where the folder keeps their topology. Where --for gromacs has an entry of the PDB, its topology is made
/// first (make_gromacs_topology). Without --for it does nothing. O(atoms).
void complete_for_engine(const SystemOutput& output, Input& input, std::string_view water_model,
                         const std::function<void(double seconds)>& progress = {});

}  // namespace ionwell
