// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "maps/map.hpp"

/// Maps on their way into a file: all at once where their values are in memory, otherwise slab by slab, in
/// memory for one slab.
namespace ionwell {

/// Planes of z that fill about 16 MB as floats, at least one.
std::int64_t z_planes_at_a_time(const LatticeGeometry& lattice);

/// Memory that a slab of any format takes, about.
std::int64_t slab_bytes(const LatticeGeometry& lattice);

/// Calls write(first, slab, values) for all planes of x in their order: `slab` has those from `first` on, as
/// many as planes_at_a_time says, or all. Throws Error, which begins with `path`, for values elsewhere that
/// are not finite.
void for_each_x_slab(const LatticeGeometry& lattice, const MapValues& values, const std::string& path,
                     const std::function<void(std::int64_t first, const LatticeGeometry& slab,
                                              const MapValues& values)>& write);

/// Calls write(first, values) for all planes of z in their order, `planes` at a time, or all; throws as
/// above.
void for_each_z_slab(const LatticeGeometry& lattice, const MapValues& values, std::int64_t planes,
                     const std::string& path,
                     const std::function<void(std::int64_t first, const MapValues& values)>& write);

}  // namespace ionwell
