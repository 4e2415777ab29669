// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "core/lattice.hpp"

/// What the solver's vectors take of memory, before they are made.
namespace ionwell {

/// Of the system itself: 24 bytes a point.
std::int64_t pb_system_bytes(const LatticeGeometry& lattice);

/// Of this host's, besides the system: 36 bytes a point, and some planes for each thread.
std::int64_t host_vectors_bytes(const LatticeGeometry& lattice);

/// Of one process's of several that share an equation, with its planes of the system: 60 bytes a point of
/// these, ghosts among them.
std::int64_t shared_vectors_bytes(const LatticeGeometry& lattice, int processes, int process);

/// Of a device's, with a copy of the system: 52 bytes a point, 56 for the nonlinear equation.
std::int64_t device_vectors_bytes(const LatticeGeometry& lattice, bool is_nonlinear);

}  // namespace ionwell
