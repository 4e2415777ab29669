#pragma once

#include "structures/engines/engine_files.hpp"

namespace ionwell {

/// The topology among the files that a structure was read from; throws UsageError where there is none.
const std::string& topology_among(const std::vector<std::string>& inputs);

/// The folder for it: see engine_files.
std::vector<EngineFile> gromacs_files(const EngineSystem& system);

}  // namespace ionwell
