// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/host_device.hpp"

namespace ionwell {

/// A value on a face of a cell of a lattice, and its derivatives along the face's axes u and v, in units of
/// one spacing.
template <typename Real>
struct ValueOnFace {
  Real value, by_u, by_v;
};

/// A value in a cell, and its derivatives, in units of one spacing; w is the axis across the faces.
template <typename Real>
struct ValueInCell {
  Real value, by_w, by_u, by_v;
};

/// Between the values at the corners (u, v) of a face, `u` and `v` of the way along it. `Real` is a number or
/// a vector of them.
template <typename Real>
IONWELL_HD constexpr ValueOnFace<Real> trilinear_on_face(Real v00, Real v10, Real v01, Real v11, Real u,
                                                         Real v) {
  const Real by_u0 = v10 - v00, by_u1 = v11 - v01;
  const Real low = v00 + u * by_u0, high = v01 + u * by_u1;
  const Real by_v = high - low;
  return {low + v * by_v, by_u0 + v * (by_u1 - by_u0), by_v};
}

/// Between two opposite faces of a cell, `w` of the way from the first.
template <typename Real>
IONWELL_HD constexpr ValueInCell<Real> trilinear_in_cell(const ValueOnFace<Real>& low,
                                                         const ValueOnFace<Real>& high, Real w) {
  const Real by_w = high.value - low.value;
  return {low.value + w * by_w, by_w, low.by_u + w * (high.by_u - low.by_u),
          low.by_v + w * (high.by_v - low.by_v)};
}

}  // namespace ionwell
