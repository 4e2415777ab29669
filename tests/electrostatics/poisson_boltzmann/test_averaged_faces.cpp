// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <vector>

#include "electrostatics/poisson_boltzmann/model/pb_model.hpp"

using namespace ionwell;

TEST_CASE("Poisson-Boltzmann model: averaged faces at the lattice's sides are those of the lattice alone") {
  PbModelOptions options;
  options.dielectric.faces = FaceRule::averaged_midpoint;
  // More than a tile along each axis; the solute is far from all sides, and no face that is missing counts.
  const LatticeGeometry wide{{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}, {70, 27, 26}};
  Atom ion;
  ion.position_A = {35.0, 13.0, 13.0};
  ion.charge_e = 1.0;
  ion.radius_A = 2.0;
  const PbModel model(wide, std::vector<Atom>{ion}, options, 1);
  int of_solute = 0, wrong = 0;
  for (const std::vector<float>* eps : {&model.system().eps_x, &model.system().eps_y, &model.system().eps_z})
    for (std::int64_t p = 0; p < wide.size(); ++p) {
      const Vec3<std::int64_t> at = wide.point(p);
      const bool is_near = std::abs(at.x - 35) < 5 && std::abs(at.y - 13) < 5 && std::abs(at.z - 13) < 5;
      const bool is_solvent = std::abs((*eps)[std::size_t(p)] - 78.54f) < 1e-3f;
      of_solute += is_near && !is_solvent;
      wrong += !is_near && !is_solvent;
    }
  CHECK(of_solute > 50);
  CHECK(wrong == 0);
}
