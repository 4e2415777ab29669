// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "core/lattice.hpp"
#include "electrostatics/pair_potential.hpp"

namespace ionwell {

/// What the plain way starts from: the lattice's values, and where no ion can go.
struct PlainProblem {
  LatticeGeometry lattice;
  PairPotential pair;  // Coulomb
  std::vector<float> values_kT_e;
  std::vector<bool> excluded;
  double charge_e = 1.0;  // of every ion, greater than 0
  int ion_count = 0;
  double ion_ion_A = 5.0;
  int threads = 1;
};

struct PlainResult {
  std::vector<std::int64_t> indices;
  double time_s = 0.0;  // of the placement alone
};

/// The yardstick: for every ion one pass over the whole fp32 lattice, which adds the ion before and finds the
/// lowest value. Vector instructions, all threads, and no mask to read: excluded points hold a huge value.
PlainResult place_plainly(const PlainProblem& problem);

}  // namespace ionwell
