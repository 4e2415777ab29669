// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "electrostatics/simd/simd.hpp"

namespace ionwell {
namespace {

/// Vectors as the templates that are written once for CPU and GPU take them.
struct VectorMath {
  using Real = FloatVector;
  using Mask = IntVector;

  static Real broadcast(float x) { return ionwell::broadcast(x); }
  static Real absolute(Real x) { return ionwell::absolute(x); }
  static Real smaller(Real a, Real b) { return ionwell::smaller(a, b); }
  static Real larger(Real a, Real b) { return ionwell::larger(a, b); }
  static Real inverse_sqrt(Real x) { return ionwell::inverse_sqrt(x); }
  static Real exp_of_negative(Real x) { return ionwell::exp_of_negative(x); }
  static bool any(Mask mask) { return any_lane(mask); }
};

}  // namespace
}  // namespace ionwell
