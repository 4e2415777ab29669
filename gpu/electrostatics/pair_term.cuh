// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "electrostatics/pair_potential.hpp"

/// Pair potentials in single precision, by the special function units: to 2^-22 of their value.
namespace ionwell::gpu {

using Kind = PairPotential::Kind;

__device__ inline float fast_inverse_sqrt(float s) {
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(s));
  return y;
}

__device__ inline float fast_inverse(float s) {
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(s));
  return y;
}

__device__ inline float fast_exp2(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

/// The pair potential at the squared distance s, less its prefactor.
template <Kind kind>
__device__ inline float pair_term(float s, float kappa) {
  if constexpr (kind == Kind::distance_dependent) return fast_inverse(s);
  const float inverse_r = fast_inverse_sqrt(s);
  if constexpr (kind == Kind::coulomb) return inverse_r;
  constexpr float log2_e = 1.44269504f;
  return inverse_r * fast_exp2(-log2_e * kappa * (s * inverse_r));
}

}  // namespace ionwell::gpu
