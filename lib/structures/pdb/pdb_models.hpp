// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "structures/frame_reader.hpp"

namespace ionwell {

/// The models of a PDB file as frames: each is what ends with END or ENDMDL, or where the next MODEL begins,
/// read as read_pdb reads the first; a model without a cell of its own has the first one's. Throws Error for
/// a file without atoms. O(bytes) once, and then O(atoms) for a frame, 3 million a second.
std::unique_ptr<FrameReader> open_pdb_models(std::string_view text, const std::string& path);

}  // namespace ionwell
