// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "gpu/electrostatics/block_traffic.hpp"
#include "placement/simd/bound_kernels.hpp"

/// What the parts of a field take of a GPU's memory, and how much of it goes through a GPU at a time. Who
/// holds the lattice is chosen by lib/compute/cost_model from these numbers. Plain C++.
namespace ionwell {

/// What a search keeps of a block on the device that holds it.
constexpr std::int64_t kept_bound_members =
    std::int64_t(CubeMember::count) - std::int64_t(CubeMember::range_lowest);  // centres are not kept
constexpr std::int64_t search_bytes_per_block =
    std::int64_t{sizeof(float)} * (kept_bound_members + 3) + 4 * 4 + 1 + 4;
/// For every block of the lattice, whether it has values or not: its mask, number and slot.
constexpr std::int64_t bytes_per_listed_block = block_points / 8 + 3 * 4;

/// Of a charge: integers, cells and what sorting takes.
constexpr std::int64_t sorting_bytes_per_charge = 64;
/// Whatever the lattice: candidates, the map on its way out.
constexpr std::int64_t working_bytes = 48'000'000;

/// For a point of the finest grid of multilevel summation: charges and potential on all levels, two working
/// arrays, cells. A coarse grid has a margin that the smallest ones mostly consist of.
constexpr double bytes_per_grid_point = (2 * 1.25 + 2 + 1) * double(sizeof(float));
constexpr std::int64_t small_grid_bytes = 8'000'000, bytes_per_axis_point = 4 * 32;

/// Of a site model, for each lattice point beside its value: two weights; a mask of what is too far away, and
/// counts of what is chosen.
constexpr std::int64_t site_bytes_per_point = 2 * sizeof(float) + 1;

/// Of a Poisson-Boltzmann equation, nonlinear: device_vectors_bytes, and 2 for making it. An atom's share of
/// the surface, and the rest, are what most structures take.
constexpr std::int64_t pb_making_bytes_per_point = 2, pb_bytes_per_point = 66 + pb_making_bytes_per_point;
constexpr std::int64_t pb_bytes_per_atom = 3000, pb_other_bytes = 100'000'000;

}  // namespace ionwell
