// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "placement/host_field.hpp"

/// The field tests run on every backend: on the GPU when IONWELL_TEST_BACKEND is "gpu". Where there is none
/// they are visibly skipped, or fail when IONWELL_REQUIRE_GPU is set.
namespace ionwell::test {

bool testing_gpu();

/// False, after saying why, where there is no GPU; throws when one is required.
bool have_gpu();

/// A lattice of the backend that is tested.
std::unique_ptr<MaskedLattice> make_lattice(const LatticeGeometry& lattice, const PairPotential& pair,
                                            const FieldOptions& options);

/// One on GPUs, with its values on the first of `devices`; the others help. None named: on the first there
/// is.
std::unique_ptr<MaskedLattice> make_gpu_lattice(const LatticeGeometry& lattice, const PairPotential& pair,
                                                const FieldOptions& options, const std::vector<int>& devices);

/// The sum over charges by one method or the other, with the default options.
inline SolutePotential sum_of(const std::vector<PointCharge>& charges, bool multilevel) {
  if (multilevel) return MultilevelSum{charges, {}};
  return DirectSum{charges};
}

}  // namespace ionwell::test
