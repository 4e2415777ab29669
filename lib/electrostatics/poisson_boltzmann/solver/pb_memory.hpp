#pragma once

#include <cstdint>

#include "core/lattice.hpp"

/// What the solver's vectors take of memory, before they are made.
namespace ionwell {

/// Of this host's, besides the system: 29 bytes a point, 33 for the nonlinear equation.
std::int64_t host_vectors_bytes(const LatticeGeometry& lattice, bool is_nonlinear);

/// Of one process's of several that share an equation, with its planes of the system: 53 bytes a point of
/// these, 57 for the nonlinear equation, ghosts among them.
std::int64_t shared_vectors_bytes(const LatticeGeometry& lattice, bool is_nonlinear, int processes,
                                  int process);

/// Of a device's, with a copy of the system: 52 bytes a point, 56 for the nonlinear equation.
std::int64_t device_vectors_bytes(const LatticeGeometry& lattice, bool is_nonlinear);

}  // namespace ionwell
