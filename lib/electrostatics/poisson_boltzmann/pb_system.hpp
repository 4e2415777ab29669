// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "core/lattice.hpp"

namespace ionwell {

/// A kind of ion of the solution around the solute.
struct MobileIon {
  double charge_e = 0.0;
  double concentration_M = 0.0;
};

/// The Poisson-Boltzmann equation on a lattice, seven-point finite differences, potential phi in kT/e:
///
///     - div(eps grad phi) - 4 pi l sum_i c_i z_i exp(-z_i phi) lambda = 4 pi l rho
///
/// with l = e^2 / (4 pi eps_0 kT) [A] (560.46 A at 298.15 K, vacuum), c_i in 1/A^3, lambda the share of the
/// space around a point that ions of the solution can enter, rho in e/A^3. Linear: sum_i c_i z_i exp(-z_i
/// phi) becomes -phi sum_i c_i z_i^2. Integrated over the box of one spacing around each point: with h the
/// spacing, the face between points p and q along x carries eps_f (phi_p - phi_q) h_y h_z / h_x, and a
/// point's right side is 4 pi l times the charge [e] assigned to it.
///
/// Arrays are in the lattice's order, x fastest. The outermost points of the lattice hold given values
/// (Dirichlet) in `boundary`: their equations are not solved, and a lattice of fewer than 3 points along an
/// axis has no others. 24 bytes a point. Where processes share an equation, each has a slab of it.
struct PbSystem {
  LatticeGeometry lattice;

  /// Dielectric of the face between a point and the next along x, y, z; of the last point unused.
  std::vector<float> eps_x, eps_y, eps_z;

  /// lambda, 0 to 1.
  std::vector<float> accessibility;

  /// [e], at each point; on the outermost points it does nothing.
  std::vector<float> charge_e;

  std::vector<MobileIon> ions;  // neutral together; empty without salt
  double bjerrum_A = 560.46;    // l in vacuum at the temperature

  /// Potential at the outermost points [kT/e], in the lattice's order over all points; the inner values are
  /// where the iteration starts.
  std::vector<float> boundary_kT_e;

  /// Whether a device has all of these arrays, and they are empty here.
  bool is_on_device = false;
};

/// Dielectric and accessibility of some planes of a lattice. Who sets those of other planes changes nothing.
struct PbCoefficients {
  LatticeGeometry lattice;  // the whole
  std::int64_t first_plane = 0, planes = 0;
  float *eps_x = nullptr, *eps_y = nullptr, *eps_z = nullptr, *accessibility = nullptr;

  bool has_plane(std::int64_t k) const { return k >= first_plane && k < first_plane + planes; }

  /// Of a point of the whole lattice.
  std::int64_t index(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return lattice.index(i, j, k - first_plane);
  }
};

/// Those of all points of a system.
inline PbCoefficients coefficients_of(PbSystem& system) {
  return {system.lattice.whole(), system.lattice.first_plane, system.lattice.counts.z,    system.eps_x.data(),
          system.eps_y.data(),    system.eps_z.data(),        system.accessibility.data()};
}

}  // namespace ionwell
