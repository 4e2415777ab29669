// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/structure.hpp"
#include "core/units.hpp"
#include "electrostatics/poisson_boltzmann/model/boundary_values.hpp"
#include "electrostatics/poisson_boltzmann/model/charge_assignment.hpp"
#include "electrostatics/poisson_boltzmann/model/dielectric_faces.hpp"
#include "electrostatics/poisson_boltzmann/model/ion_accessibility.hpp"
#include "electrostatics/poisson_boltzmann/model/regularized_charges.hpp"
#include "electrostatics/poisson_boltzmann/pb_system.hpp"

namespace ionwell {

/// What the Poisson-Boltzmann equation of a solute is made of. The defaults are those of the published
/// protocols (Stone et al. 2007), on a sharp surface.
struct PbModelOptions {
  DielectricOptions dielectric;
  AccessibilityOptions accessibility;                  // of the same kind of surface as the dielectric
  ChargeAssignment charges = ChargeAssignment::cubic;  // regularized: only with faces by shares
  BoundaryKind boundary = BoundaryKind::multiple_debye_hueckel;
  std::vector<MobileIon> ions{{1.0, 0.15}, {-1.0, 0.15}};
  double temperature_K = room_temperature_K;
};

/// Throws UsageError for numbers that make no sense, and for ions that are not neutral together.
void validate(const PbModelOptions& options);

/// The same, and Error for radii that are negative and when all are 0: what a PbModel throws.
void check_model(const PbModelOptions& options, std::span<const Atom> atoms, int threads);

/// All points at which some atoms change dielectric or accessibility, in boxes.
std::vector<PointBox> points_changed_by(std::span<const Atom> atoms, const PbModelOptions& options,
                                        const LatticeGeometry& lattice);

/// Sets dielectric and accessibility of all points of a system, or of a slab of one, as set_dielectric and
/// set_accessibility do, to the bit.
using SetCoefficients =
    std::function<void(const PbModelOptions&, std::span<const Atom>, int threads, PbSystem*)>;

/// A solute on a lattice, ready to be solved, which ions can join. 24 bytes for each point, and 1 more for
/// charges that are regularized. On a slab it has the values that the whole lattice has there, to the bit,
/// but for regularized charges in its first and last planes.
class PbModel {
 public:
  /// O(points + atoms + charges * boundary points). Throws as check_model does. `threads` at least 1; results
  /// do not depend on it. `surface`: a common_surface of the dielectric on this lattice and others, needed
  /// only here. `set`: who computes the coefficients at first; without one this does.
  PbModel(const LatticeGeometry& lattice, std::span<const Atom> atoms, const PbModelOptions& options,
          int threads, const SolventExcluded* surface = nullptr, const SetCoefficients& set = {});

  const PbSystem& system() const { return system_; }
  PbSystem& system() { return system_; }
  std::span<const Atom> atoms() const { return atoms_; }

  /// Adds atoms, or ions, and makes anew what they change: dielectric and accessibility of the points in the
  /// boxes that are returned, charges, and boundary values, except focused ones.
  std::vector<PointBox> add(std::span<const Atom> added);

  /// Boundary values from the solution on a larger lattice [kT/e] (set_focused_boundary).
  void focus(const LatticeGeometry& coarse, std::span<const float> potential_kT_e) {
    set_focused_boundary(coarse, potential_kT_e, threads_, &system_);
  }

  /// The energy of all charges in a solution of the system [kT], one half of the sum of charge times
  /// potential. It has the energy of each charge in itself, which only a difference of two lattices that are
  /// the same takes away; with regularized charges it is that of the charges in the field of the surface and
  /// the salt, and has neither that nor the energy of the charges in one another. Not of a slab.
  double charge_energy_kT(std::span<const float> solution_kT_e) const;

 private:
  void add_boundary(std::span<const Atom> of);
  void set_regularized_charges();

  PbModelOptions options_;
  std::vector<Atom> atoms_;
  int threads_;
  PbSystem system_;
  std::optional<RegularizedCharges> regularized_;
};

}  // namespace ionwell
