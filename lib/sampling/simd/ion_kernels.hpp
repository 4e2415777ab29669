// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "electrostatics/pair_potential.hpp"
#include "electrostatics/simd/simd_level.hpp"

/// The inner loops of ions that move: one ion against all others; plain arrays, see simd_level.hpp.
namespace ionwell {

/// Arrays of ions end at a multiple of this, with ions of charge 0 and radius no_ion_A.
constexpr int ion_padding = 16;
constexpr float no_ion_A = -1e6f;

/// Ions in fp32, positions from the middle of their box.
struct IonArrays {
  const float* x_A;
  const float* y_A;
  const float* z_A;
  const float* charge_e;
  const float* radius_A;
  int count;  // with the padding
};

/// One ion among them, or one that is not there yet.
struct OneIon {
  float at_A[3];
  float charge_e, radius_A;
  int number;  // its place in the arrays, which does not act on it; -1: none of them
};

/// How ions act on each other (IonModel).
struct IonPairs {
  PairPotential pair;
  bool is_soft;         // hard otherwise
  const float* images;  // ImageTable's values [kT/e]; null in an open box
  int image_points;
  float edge_A[3];  // of a periodic box
};

/// What the others do to an ion. Hard spheres that overlap give an energy of overlap_kT or more.
struct IonResponse {
  double energy_kT;
  double force_kT_A[3];
};

/// Terms are in fp32, summed in the lanes of a vector in fp32. A force is that of soft spheres.
struct IonKernels {
  double (*energy_kT)(const IonArrays& ions, const OneIon& ion, const IonPairs& pairs);
  IonResponse (*action)(const IonArrays& ions, const OneIon& ion, const IonPairs& pairs);
};

/// Throws UsageError when this processor lacks instructions that the level may use.
const IonKernels& ion_kernels(SimdLevel level);

}  // namespace ionwell
