// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "electrostatics/pair_potential.hpp"

namespace ionwell::gpu {

/// The one of three kernels that is for this kind of pair potential.
template <typename Kernel>
Kernel* of_kind(PairPotential::Kind kind, Kernel* coulomb, Kernel* distance_dependent,
                Kernel* debye_hueckel) {
  if (kind == PairPotential::Kind::coulomb) return coulomb;
  return kind == PairPotential::Kind::distance_dependent ? distance_dependent : debye_hueckel;
}

}  // namespace ionwell::gpu
