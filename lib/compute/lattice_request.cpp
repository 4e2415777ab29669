// SPDX-License-Identifier: BSD-3-Clause
#include "compute/lattice_request.hpp"

#include "core/error.hpp"

namespace ionwell {

void validate(const LatticeRequest& request) {
  if (request.box && request.border_A)
    fail<UsageError>(
        "--box and --border are both given, but --box sets the extent of the lattice; leave one of them out");
  if (request.border_A && !(*request.border_A >= 0.0))
    fail<UsageError>("--border is ", *request.border_A, " A; it must not be negative; 10 is common");
  lattice_in_box(request.box.value_or(Box{}), request.spacing_A.value_or(LatticeOptions{}.spacing_A));
}

LatticeGeometry choose_lattice(const Structure& structure, const LatticeRequest& request) {
  const double spacing_A = request.spacing_A.value_or(LatticeOptions{}.spacing_A);
  if (!request.box)
    return enclosing_lattice(structure.atoms,
                             {spacing_A, request.border_A.value_or(LatticeOptions{}.border_A)});
  const Box solute = bounding_box(structure.atoms);
  if (!overlap(*request.box, solute))
    fail<UsageError>("the box ", *request.box, " A does not overlap the solute, which extends over ", solute,
                     " A; give a --box that overlaps it, or leave --box out");
  return lattice_in_box(*request.box, spacing_A);
}

}  // namespace ionwell
