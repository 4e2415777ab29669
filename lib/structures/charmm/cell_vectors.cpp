// SPDX-License-Identifier: BSD-3-Clause
#include "structures/charmm/cell_vectors.hpp"

#include "structures/charmm/possible_values.hpp"

namespace ionwell {
namespace {

/// Numbers that are no lengths fail, too.
bool are_lengths(const Vec3<double>& lengths_A) {
  const auto is_length = [](double length_A) { return length_A > 0.0 && length_A < largest_coordinate_A; };
  return is_length(lengths_A.x) && is_length(lengths_A.y) && is_length(lengths_A.z);
}

}  // namespace

std::optional<UnitCell> cell_of_vectors(const CellVectors& vectors_A) {
  if (!are_lengths(lengths_A(vectors_A)) || !has_volume(vectors_A)) return {};
  return UnitCell{vectors_A, CellKind::simulation};
}

std::optional<UnitCell> cell_of_parameters(const CellParameters& parameters) {
  if (!are_lengths(parameters.lengths_A)) return {};
  return possible_cell(parameters, CellKind::simulation);
}

}  // namespace ionwell
