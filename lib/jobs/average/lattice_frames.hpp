// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace ionwell {

/// What a lattice has to enclose: the sources of the first frame, or of all.
enum class LatticeFrames { first, all };

}  // namespace ionwell
