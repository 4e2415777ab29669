// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace ionwell {

/// The points of a lattice like the squares of a chessboard: those of an even sum of indices, where the
/// points of the next lattice are among them, and the rest. None has a neighbour of its own colour.
enum class PointColour { even, odd };

/// Sweeps of the V-cycle on each level before and after the coarser ones. With one there are 1.6 to 1.8 times
/// as many iterations, each of which takes 0.7 of the time (measured with ionwell-bench pb).
constexpr int sweeps = 2;

/// Of a coarse solution that the finest level gets: coarse levels answer what changes within a few of its
/// points too little. Best between 1.1 and 1.2, where one of 7 or 8 iterations is saved as often as not.
constexpr float correction_factor = 1.1f;

}  // namespace ionwell
