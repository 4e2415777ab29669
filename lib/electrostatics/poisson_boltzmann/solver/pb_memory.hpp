#pragma once

#include <cstdint>

#include "core/lattice.hpp"

/// What the solver's vectors take of memory, before they are made.
namespace ionwell {

/// Of this host's, besides the system: 29 bytes a point, 33 for the nonlinear equation.
std::int64_t host_vectors_bytes(const LatticeGeometry& lattice, bool is_nonlinear);

/// Of a device's, with a copy of the system: 48 bytes a point, 52 for the nonlinear equation.
std::int64_t device_vectors_bytes(const LatticeGeometry& lattice, bool is_nonlinear);

}  // namespace ionwell
