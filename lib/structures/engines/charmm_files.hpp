// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "structures/engines/charmm_segments.hpp"
#include "structures/engines/engine_files.hpp"

namespace ionwell {

/// Whether a structure was read from a PSF, which the folder then keeps.
bool has_psf(const std::optional<TopologyFile>& topology);

/// Throws UsageError for a PSF that cannot be read once more.
void check_psf(const std::optional<TopologyFile>& topology);

/// The folder for it: see engine_files.
std::vector<EngineFile> charmm_files(const EngineSystem& system);

}  // namespace ionwell
