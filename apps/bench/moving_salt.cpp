// SPDX-License-Identifier: BSD-3-Clause
#include "bench/moving_salt.hpp"

#include <cmath>

#include "core/units.hpp"

namespace ionwell {

IonModel moving_salt(int ions, double concentration_M, const PairPotential& pair,
                     ForceInterpolation interpolation) {
  const double per_A3 = 2e-27 * avogadro_per_mol * concentration_M, half_A = 0.5 * std::cbrt(ions / per_A3);
  IonModel model{.species = {{{"NA", "NA", 1.0}, 1.02, 0.1334}, {{"CL", "CL", -1.0}, 1.81, 0.2032}},
                 .box = {{-half_A, -half_A, -half_A}, {half_A, half_A, half_A}},
                 .boundary = SampleBoundary::open,
                 .repulsion = Repulsion::soft,
                 .pair = pair,
                 .images = {},
                 .field = {},
                 .solute = {}};
  const LatticeGeometry lattice = lattice_in_box(model.box, half_A > 60.0 ? 1.0 : 0.5);
  std::vector<float> values(std::size_t(lattice.size()));
  for (std::int64_t p = 0; p < lattice.size(); ++p) {
    const Vec3<double> at_A = lattice.position_A(p);
    values[std::size_t(p)] = float(-2.0 * std::exp(-0.01 * (at_A.x * at_A.x + at_A.y * at_A.y)));
  }
  model.field = std::make_shared<LatticeField>(lattice, values, interpolation, 1);
  return model;
}

}  // namespace ionwell
