// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/host_device.hpp"

namespace ionwell {

/// The cubic B-splines that are not 0 in a cell, `t` of the way along one axis, and their derivatives in
/// units of one spacing, in single precision. `Real` is a float or a vector of them.
template <typename Real>
struct SplinesInCell {
  Real w[4], d[4];

  explicit IONWELL_HD SplinesInCell(Real t) {
    const Real s = 1.0f - t, t2 = t * t, s2 = s * s;
    w[0] = s2 * s * (1.0f / 6.0f);
    w[1] = (2.0f / 3.0f) - t2 * (1.0f - 0.5f * t);
    w[2] = (2.0f / 3.0f) - s2 * (1.0f - 0.5f * s);
    w[3] = t2 * t * (1.0f / 6.0f);
    d[0] = -0.5f * s2;
    d[1] = t * (1.5f * t - 2.0f);
    d[2] = s * (2.0f - 1.5f * s);
    d[3] = 0.5f * t2;
  }
};

}  // namespace ionwell
