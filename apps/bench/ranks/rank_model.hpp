// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "core/lattice.hpp"

namespace ionwell {

/// What one rank's device does, and what joins ranks. The defaults are an H200 as measured (page of
/// measurements: `ionwell-bench gpu` at `532f377`) and a network of 200 Gb/s as its makers tell.
struct RankFigures {
  double pairs_per_s = 1.67e13;  // of a direct sum on a fine lattice, at `b4db4a57`
  // A line through 16.9 ms for 1,534,539 charges on 541^3 points and 5.4 ms for 260,790 on 456^3.
  double points_per_s = 2.69e10;  // of a multilevel sum
  double charge_s = 7.2e-9;       // more for each charge, of which every rank knows all
  // A line through 57.6 us at 456^3 and 107.6 us at 1000^3.
  double search_s = 52.4e-6, search_point_s = 5.52e-14;  // of an ion, and more for each point
  double latency_s = 2e-6, bytes_per_s = 2.5e10;         // of a message between two machines
  double answer_s = 1.2e-6;  // that the first takes for an answer: Open MPI 4.1.4 in a machine's memory
  double map_bytes_per_s = 2.5e10;  // from all others to the first

  /// How often as long a rank computes because others have its processors.
  double crowding = 1.0;
};

/// What a run takes that ranks share.
struct RankTimes {
  std::int64_t most_points = 0;  // of a rank
  double direct_s = 0.0, multilevel_s = 0.0;
  double charges_s = 0.0;      // until all know the charges, and where ions cannot go
  double search_s = 0.0;       // of an ion, by the slowest
  double ion_message_s = 0.0;  // what ranks tell each other of an ion
  double map_s = 0.0;          // until the first rank has it
  std::int64_t charge_bytes = 0, ion_bytes = 0,
               map_bytes = 0;  // to each rank; to and from each; to the first
};

/// Of a lattice in slabs (rank_slabs). A broadcast goes through a tree, as many steps as the logarithm of the
/// number of ranks; of a gather one message is taken after the other, as Open MPI's is that is not waited
/// for.
RankTimes modelled_times(const RankFigures& figures, const LatticeGeometry& lattice, std::int64_t charges,
                         int ranks);

/// A cube of about so many points.
LatticeGeometry cube_of_points(double points, double spacing_A);

}  // namespace ionwell
