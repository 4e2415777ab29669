// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "structures/engines/engine_files.hpp"

namespace ionwell {

/// solute.pdb, ions.pdb, water.pdb, leap.in and cell.py: see engine_files.
std::vector<EngineFile> amber_files(const EngineSystem& system);

}  // namespace ionwell
