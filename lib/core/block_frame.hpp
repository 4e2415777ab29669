// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace ionwell {

/// Position of one block of 8 x 8 x 8 points, in plain arrays for the inner loops.
struct BlockFrame {
  double first_A[3];   // position of its first point
  double centre_A[3];  // midway between its first and last point
  double spacing_A[3];
  // The points whose values are wanted have j and k in these ranges; the others' may be left.
  int first_row = 0, last_row = 7, first_plane = 0, last_plane = 7;
};

}  // namespace ionwell
