// SPDX-License-Identifier: BSD-3-Clause
#include "compute/backend_lattice.hpp"

#include "placement/host_field.hpp"

namespace ionwell {

std::unique_ptr<MaskedLattice> make_lattice(const BackendChoice& backend, const LatticeGeometry& lattice,
                                            const PairPotential& pair, const FieldOptions& options) {
  if (backend.owner == nullptr) return make_host_lattice(lattice, pair, options);
  return backend.owner->make_lattice(backend.layout, lattice, pair, options);
}

}  // namespace ionwell
