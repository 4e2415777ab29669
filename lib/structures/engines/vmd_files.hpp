// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "structures/engines/engine_files.hpp"

namespace ionwell {

/// The folder for it: see engine_files.
std::vector<EngineFile> vmd_files(const EngineSystem& system);

}  // namespace ionwell
