// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "structures/engines/engine_files.hpp"

namespace ionwell {

/// Throws UsageError where a structure was not read from a GROMACS topology.
void check_gromacs_topology(const std::optional<TopologyFile>& topology);

/// The folder for it: see engine_files.
std::vector<EngineFile> gromacs_files(const EngineSystem& system);

}  // namespace ionwell
