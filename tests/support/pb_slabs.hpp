#pragma once

#include <vector>

#include "electrostatics/poisson_boltzmann/solver/host_vectors.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_solver.hpp"
#include "electrostatics/poisson_boltzmann/solver/shared_planes.hpp"
#include "run/sources/solute_pb.hpp"

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

}  // namespace ionwell::test
