// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/host_device.hpp"

/// The seven-point stencil of one lattice point, for one number or for a vector of them, on host and device.
/// The conductance of a face between two points is the dielectric times the face's area over their distance;
/// the reaction of a point is what the ions of the solution answer to its potential. Together they make the
/// matrix A, which is symmetric and positive definite where the outermost points are given.
namespace ionwell {

/// A row of A: the conductances of a point's six faces, and its reaction.
template <typename Value>
struct PbRow {
  Value x_low, x_high, y_low, y_high, z_low, z_high, reaction;
};

/// What a vector has at the six neighbours of a point.
template <typename Value>
struct PbNeighbours {
  Value x_low, x_high, y_low, y_high, z_low, z_high;
};

template <typename Value>
IONWELL_HD inline Value diagonal(const PbRow<Value>& row) {
  return ((row.x_low + row.x_high) + (row.y_low + row.y_high)) + ((row.z_low + row.z_high) + row.reaction);
}

/// What flows into the point from its neighbours: less of it is the off-diagonal part of A times the vector.
template <typename Value>
IONWELL_HD inline Value inflow(const PbRow<Value>& row, const PbNeighbours<Value>& at) {
  return ((row.x_low * at.x_low + row.x_high * at.x_high) + (row.y_low * at.y_low + row.y_high * at.y_high)) +
         (row.z_low * at.z_low + row.z_high * at.z_high);
}

/// The value that fulfils the point's equation when its neighbours stay: a step of Gauss and Seidel.
template <typename Value>
IONWELL_HD inline Value relaxed(const PbRow<Value>& row, const PbNeighbours<Value>& at, Value right_side) {
  return (right_side + inflow(row, at)) / diagonal(row);
}

/// A times the vector, whose value at the point itself is `here`.
template <typename Value>
IONWELL_HD inline Value applied(const PbRow<Value>& row, const PbNeighbours<Value>& at, Value here) {
  return diagonal(row) * here - inflow(row, at);
}

/// right_side - A v, from differences: where a potential is large and smooth nothing cancels.
template <typename Value>
IONWELL_HD inline Value residual_of_differences(const PbRow<Value>& row, const PbNeighbours<Value>& at,
                                                Value here, Value right_side) {
  return right_side +
         ((row.x_low * (at.x_low - here) + row.x_high * (at.x_high - here)) +
          (row.y_low * (at.y_low - here) + row.y_high * (at.y_high - here)) +
          (row.z_low * (at.z_low - here) + row.z_high * (at.z_high - here))) -
         row.reaction * here;
}

/// Conductance of two faces one after the other, of which none is negative.
IONWELL_HD inline float in_series(float a, float b) {
  const float sum = a + b;
  return sum > 0.0f ? a * b / sum : 0.0f;
}

}  // namespace ionwell
