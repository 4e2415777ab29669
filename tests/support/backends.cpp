// SPDX-License-Identifier: BSD-3-Clause
#include "support/backends.hpp"

#include <cstdlib>
#include <stdexcept>

#include "compute/backend.hpp"
#include "gpu/backend.hpp"
#include "support/skip.hpp"

namespace ionwell::test {
namespace {

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0' && std::string(value) != "0";
}

}  // namespace

bool testing_gpu() {
  const char* backend = std::getenv("IONWELL_TEST_BACKEND");
  return backend != nullptr && std::string(backend) == "gpu";
}

bool have_gpu() {
  if (!gpu_backend().devices().devices.empty()) return true;
  if (is_set("IONWELL_REQUIRE_GPU"))
    throw std::runtime_error("IONWELL_REQUIRE_GPU is set, but " + gpu_backend().devices().problem);
  skip(gpu_backend().devices().problem);
  return false;
}

std::unique_ptr<MaskedLattice> make_lattice(const LatticeGeometry& lattice, const PairPotential& pair,
                                            const FieldOptions& options) {
  return testing_gpu() ? make_gpu_lattice(lattice, pair, options, {})
                       : make_host_lattice(lattice, pair, options);
}

std::unique_ptr<MaskedLattice> make_gpu_lattice(const LatticeGeometry& lattice, const PairPotential& pair,
                                                const FieldOptions& options,
                                                const std::vector<int>& devices) {
  return gpu_backend().make_lattice({.devices = devices}, lattice, pair, options);
}

}  // namespace ionwell::test
