// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "placement/ion_list.hpp"

namespace ionwell {

/// What the exact (fp64) potential of a field is summed over, and how near to it a point can be available.
struct ExactTerms {
  const PairPotential& pair;
  const ChargeTable& solute;
  std::span<const double> imported_kT_e;  // a value for each lattice point that is added; empty without a map
  const IonList& ions;
  double clearance_A;  // from any solute charge to any available point
  bool is_multilevel;  // the values of the solute are a multilevel sum, whose error has to be measured
};

}  // namespace ionwell
