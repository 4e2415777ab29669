// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "core/box.hpp"
#include "core/large_array.hpp"
#include "core/structure.hpp"

namespace ionwell::gpu {

/// An atom as kernels take it.
struct SoluteAtom {
  Vec3<double> position_A;
  double charge_e, radius_A;
};

/// Atoms on their way to a device, in their order.
struct SoluteAtoms {
  LargeArray<SoluteAtom> atoms;
  Box around_A;  // their centres
  double largest_radius_A = 0.0;
  std::int64_t balls = 0;  // those that have a radius

  std::span<const SoluteAtom> span() const { return {atoms.data(), atoms.size()}; }
};

/// Of at least one atom. They are read by several threads: one alone takes as long as a GPU for their
/// surface.
SoluteAtoms solute_atoms(std::span<const Atom> atoms, int threads);

}  // namespace ionwell::gpu
