// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "core/chemistry/ion_table.hpp"
#include "structures/engines/engine_files.hpp"
#include "structures/writers/placed_system.hpp"

namespace ionwell {

/// The ions under the names of a convention. Throws UsageError for one that it does not have.
std::vector<NamedIon> named_ions(const std::vector<EngineIon>& ions, IonNaming naming);

/// The file of the ions alone, in chains and segments that the solute does not have.
std::string ions_pdb(const EngineSystem& system, IonNaming naming);

}  // namespace ionwell
