#pragma once

#include <memory>
#include <string>

#include "placement/cpu_field.hpp"

/// The field tests run on every backend: on the GPU when IONWELL_TEST_BACKEND is "gpu". Where there is none
/// they are visibly skipped, or fail when IONWELL_REQUIRE_GPU is set.
namespace ionwell::test {

bool testing_gpu();

/// False, after saying why, where there is no GPU; throws when one is required.
bool have_gpu();

/// A field of the backend that is tested.
std::unique_ptr<PotentialField> make_field(const LatticeGeometry& lattice, const PairPotential& pair,
                                           const FieldOptions& options);

}  // namespace ionwell::test
