// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/vec3.hpp"
#include "solvation/rotation.hpp"
#include "solvation/water_model.hpp"

namespace ionwell {

/// What an atom is for a water beside it.
enum class NeighbourKind : std::uint8_t { hydrogen, acceptor, other, cation };

/// An atom near a shell.
struct ShellNeighbour {
  Vec3<double> position_A;
  double charge_e = 0.0;
  double radius_A = 0.0;  // intrinsic (Bondi)
  NeighbourKind kind = NeighbourKind::other;
};

/// A water of a shell: oxygen, hydrogens.
using ShellWater = std::array<Vec3<double>, 3>;

/// The ion and what is around it.
struct ShellSite {
  Vec3<double> ion_A;
  double distance_A = 0.0;                // from it to the oxygens
  std::vector<Vec3<double>> directions;   // of the neighbours, before they are turned
  std::vector<ShellNeighbour> around;     // within shell_reach_A of the ion
  std::vector<Vec3<double>> acceptors_A;  // of the solute, that bind the ion themselves, the nearest first
  double temperature_K = 298.15;
};

/// A shell that is turned one way.
struct TurnedShell {
  std::vector<ShellWater> waters;
  int left_out = 0;  // waters that had no room
  double energy_kT = 0.0;
};

/// Charges act on waters up to here [A].
constexpr double shell_cutoff_A = 6.0;

/// From an ion with oxygens at `distance_A` to the farthest atom that may matter.
constexpr double shell_reach_A(double distance_A) {
  constexpr double bond_A = 1.0;  // of the longest model's hydrogens
  return distance_A + bond_A + shell_cutoff_A;
}

/// Nearest that the oxygen of a water may be to a neighbour [A]: 0.8 times the sum of the radii (1.52 A for
/// the oxygen), with room for hydrogen bonds; 0.6 for hydrogens, which may be bonded; 1.9 A to cations.
double least_room_A(const ShellNeighbour& neighbour);

/// The energy of a shell by its orientation, in kT: of the charges of each water and of what is around, with
/// a dielectric of 4 r (r in A), shifted to 0 at the cut-off; of hydrogen bonds to acceptors, up to 4 kT
/// each; of contacts, a harmonic wall. A water without room is left out, at 30 kT; acceptors that bind the
/// ion want a corner of the shell, at 20 kT (1 - cos). Waters of one shell do not see each other but by their
/// corners.
class ShellEnergy {
 public:
  /// `model` has three sites. `site` must outlive it.
  ShellEnergy(const ShellSite& site, const WaterModel& model);

  /// Each water turned about its axis, which points away from the ion, for its lowest energy: of
  /// `spins` even steps, and finer steps after it when `refines`. O(corners spins neighbours).
  TurnedShell turned(const Quaternion& orientation, bool refines) const;

 private:
  /// A neighbour as the sums want it.
  struct Near {
    Vec3<double> position_A;
    double charge_e = 0.0;
    double room_A = 0.0, contact_A = 0.0;  // what an oxygen, and a hydrogen, keep from it
    bool accepts = false;
  };

  ShellWater water(const Vec3<double>& axis, double spin_rad) const;
  double oxygen_kT(const Vec3<double>& position_A, std::span<const Near> near) const;
  double hydrogen_kT(const Vec3<double>& oxygen_A, const Vec3<double>& hydrogen_A,
                     std::span<const Near> near) const;
  ShellWater best_spin(const Vec3<double>& axis, std::span<const Near> near, bool refines,
                       double& energy_kT) const;

  /// Those that a water with this oxygen may feel; false when it has no room.
  bool gather(const Vec3<double>& oxygen_A, std::vector<Near>& near) const;

  const ShellSite& site_;
  std::vector<Near> around_;
  double coulomb_kT_A_;
  double oxygen_e_, hydrogen_e_;
  double along_A_, across_A_;  // from the oxygen to a hydrogen, along the axis and perpendicular to it
};

}  // namespace ionwell
