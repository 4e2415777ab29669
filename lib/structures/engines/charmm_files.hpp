#pragma once

#include "structures/engines/engine_files.hpp"

namespace ionwell {

/// Whether the first of the files that a structure was read from is a PSF, which the folder then keeps.
bool has_psf(const std::vector<std::string>& inputs);

/// The folder for it: see engine_files.
std::vector<EngineFile> charmm_files(const EngineSystem& system);

}  // namespace ionwell
