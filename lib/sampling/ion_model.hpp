// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/box.hpp"
#include "core/instruction_set.hpp"
#include "electrostatics/pair_potential.hpp"
#include "placement/ion.hpp"
#include "sampling/field_at_points.hpp"

/// Ions as charged spheres in a solvent without molecules, what samples are drawn of.
namespace ionwell {

class ImageTable;
class SoluteSpheres;

/// A kind of ion that moves.
struct SampledSpecies {
  IonSpecies ion;
  double radius_A = 0.0;         // 0 for all: ions that never touch
  double diffusion_A2_ps = 0.0;  // of Brownian dynamics alone
};

/// What keeps two spheres of radii R and S apart, with sigma = R + S; solute atoms are spheres, too:
///   hard  infinite for r < sigma (the primitive model)
///   soft  4 epsilon ((sigma/r)^12 - (sigma/r)^6) + epsilon for r < 2^(1/6) sigma, otherwise 0, with epsilon
///         1 kT: 1 kT at r = sigma, and a force without steps (Weeks, Chandler and Andersen, J. Chem. Phys.
///         54:5237, 1971)
enum class Repulsion { soft, hard };

/// "soft", "hard": as the command line and the report call it.
std::string_view to_string(Repulsion repulsion);

constexpr double soft_epsilon_kT = 1.0;

/// No soft repulsion is stronger: inside of this share of sigma it stays as it is there, so that no energy is
/// infinite.
constexpr double soft_core = 0.3;

/// An energy that no ion gets to: spheres overlap.
constexpr double overlap_kT = 1e8;

/// What happens at the faces of the box: ions are turned back, or come in at the opposite face.
enum class SampleBoundary { open, periodic };

std::string_view to_string(SampleBoundary boundary);

/// The energy of ions at x is, in kT,
///   sum_i (z_i phi(x_i) + w(x_i)) + sum_{i<j} (z_i z_j u(r_ij) + repulsion(r_ij)),
/// with phi the field, w the solute's repulsion and u the pair potential; in a periodic box u is that of all
/// images (ImageTable), the repulsion that of the nearest one, and each ion has z^2/2 times what a unit
/// charge feels of its own images. What is null is not there.
struct IonModel {
  std::vector<SampledSpecies> species;
  Box box;
  SampleBoundary boundary = SampleBoundary::open;
  Repulsion repulsion = Repulsion::soft;
  PairPotential pair;  // of ions; a prefactor of 0: they do not feel each other's charge
  std::shared_ptr<const ImageTable> images;  // of a periodic box, which must have one
  std::shared_ptr<const FieldAtPoints> field;
  std::shared_ptr<const SoluteSpheres> solute;
  SimdLevel simd = SimdLevel::automatic;

  double volume_A3() const {
    const Vec3<double> edge = box.highest_A - box.lowest_A;
    return edge.x * edge.y * edge.z;
  }
};

/// Soft repulsion of two spheres at the square of a distance: its energy [kT], and -1/r dU/dr [kT/A^2].
struct SoftRepulsion {
  double energy_kT = 0.0, force_per_A_kT = 0.0;

  IONWELL_HD static SoftRepulsion at(double distance2_A2, double sigma_A) {
    constexpr double reach2 = 1.2599210498948732;  // 2^(1/3)
    const double sigma2 = sigma_A * sigma_A;
    if (!(distance2_A2 < reach2 * sigma2)) return {};
    const double nearest2 = soft_core * soft_core * sigma2;
    const double r2 = distance2_A2 > nearest2 ? distance2_A2 : nearest2, s2 = sigma2 / r2, s6 = s2 * s2 * s2;
    return {soft_epsilon_kT * (4.0 * s6 * (s6 - 1.0) + 1.0),
            24.0 * soft_epsilon_kT * s6 * (2.0 * s6 - 1.0) / r2};
  }
};

/// Throws UsageError for radii, charges or a box that make no model.
void validate(const IonModel& model);

}  // namespace ionwell
