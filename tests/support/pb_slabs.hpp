// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "compute/poisson_boltzmann/solute_pb.hpp"
#include "electrostatics/poisson_boltzmann/solver/host_vectors.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_solver.hpp"
#include "electrostatics/poisson_boltzmann/solver/shared_planes.hpp"

namespace ionwell::test {

/// Vectors of one process.
inline MakePbVectors on_host_alone() {
  return [](PbSystem& system, const PbSolverOptions& options) {
    return host_vectors(system, options.equation == PbEquation::nonlinear, options.simd, options.threads);
  };
}

/// Some planes of values on a whole lattice.
inline std::vector<float> part_of(const std::vector<float>& whole, const LatticeGeometry& lattice,
                                  const PlaneSpan& planes) {
  return {whole.begin() + lattice.index(0, 0, planes.begin), whole.begin() + lattice.index(0, 0, planes.end)};
}

/// What a rank has of a system.
inline PbSystem slab_of(const PbSystem& whole, const LevelPlanes& planes) {
  PbSystem slab = whole;
  slab.lattice = whole.lattice.slab(planes.first, planes.count);
  for (const PbArray which : {PbArray::eps_x, PbArray::eps_y, PbArray::eps_z, PbArray::accessibility,
                              PbArray::charge, PbArray::potential})
    array_of(slab, which) =
        part_of(array_of(slab, which), whole.lattice, {planes.first, planes.first + planes.count});
  return slab;
}

/// Of an array that a rank has of a lattice, its own planes.
inline std::span<float> own_part(std::span<float> values, const LatticeGeometry& lattice,
                                 const LevelPlanes& planes) {
  const auto plane = std::size_t(lattice.index(0, 0, 1));
  return values.subspan(plane * std::size_t(planes.own.begin), plane * std::size_t(planes.own.count()));
}

/// Another dielectric, accessibility and charge in a box that lies in several slabs, as far as it is in this
/// one.
inline PointBox change(PbSystem& system) {
  const Vec3<std::int64_t> n = system.lattice.whole().counts;
  const PointBox box{{2, 1, n.z / 3}, {n.x - 3, n.y - 2, n.z - 4}};
  const PbCoefficients planes = coefficients_of(system);
  for (std::int64_t k = box.low.z; k <= box.high.z; ++k)
    for (std::int64_t j = box.low.y; j <= box.high.y && planes.has_plane(k); ++j)
      for (std::int64_t i = box.low.x; i <= box.high.x; ++i) {
        const std::size_t p = std::size_t(planes.index(i, j, k));
        system.eps_x[p] = 3.0f + float(i % 5);
        system.eps_y[p] = 40.0f;
        system.eps_z[p] = 2.0f + float(k % 7);
        system.accessibility[p] = 0.25f * float(j % 5);
        system.charge_e[p] = 0.1f * float(k % 3 - 1);
      }
  return box;
}

}  // namespace ionwell::test
