#pragma once

#include <cstdint>
#include <optional>

#include "run/backend.hpp"
#include "run/source_options.hpp"

namespace ionwell {

/// What was chosen for a job, before anything is computed.
struct Plan {
  LatticeGeometry lattice;                      // of a solver's maps: as asked for, they may have another
  std::optional<ElectrostaticsOptions> acting;  // by which ions act; none: they only keep their distance
  PairPotential pair;                           // of that
  BackendChoice backend;
  SummationOptions summation;   // its method is no longer automatic; direct where nothing is summed
  std::int64_t host_bytes = 0;  // of memory that the run needs
  int ranks = 1;                // processes that share the lattice, each on a backend of its own, or the
                                // equation that is solved on it
};

}  // namespace ionwell
