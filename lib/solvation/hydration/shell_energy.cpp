// SPDX-License-Identifier: BSD-3-Clause
#include "solvation/hydration/shell_energy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/error.hpp"
#include "core/units.hpp"

namespace ionwell {
namespace {

constexpr double oxygen_radius_A = 1.52;  // Bondi
constexpr double dielectric_per_A = 4.0;  // of a site in a nucleic acid's groove, as usual in docking
constexpr double left_out_kT = 30.0;      // more than any water gains
constexpr double misaligned_kT = 20.0;    // an acceptor 90 degrees off its corner
constexpr double bond_kT = 4.0;           // of a hydrogen bond beyond its charges
constexpr double bond_near_A = 1.8, bond_far_A = 2.6;  // hydrogen to acceptor: whole, and none
constexpr double oxygen_wall_kT_A2 = 40.0, hydrogen_wall_kT_A2 = 100.0;  // of contacts: bonds of 1.7 A stay
constexpr double soft_A = 0.3;            // how far from contact the wall of an oxygen begins
constexpr int spins = 12;                 // over half a turn, which makes a water of itself: 15 degrees
constexpr double least_spin_rad = 0.004;  // of refinement: the hydrogens move by 0.003 A

/// Squared depth [A^2] inside of a wall.
double depth_A2(double d_A, double wall_A) {
  const double depth_A = std::max(0.0, wall_A - d_A);
  return depth_A * depth_A;
}

/// What a hydrogen of water keeps from a neighbour [A].
double hydrogen_contact_A(NeighbourKind kind) {
  switch (kind) {
    case NeighbourKind::hydrogen:
      return 1.7;
    case NeighbourKind::acceptor:
      return 1.8;
    case NeighbourKind::cation:
      return 2.4;
    case NeighbourKind::other:
      break;
  }
  return 2.0;
}

Vec3<double> any_normal(const Vec3<double>& axis) {
  const Vec3<double> other =
      std::abs(axis.x) < 0.6 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};  // not along it
  const Vec3<double> normal = other - dot(other, axis) * axis;
  return (1.0 / std::sqrt(dot(normal, normal))) * normal;
}

Vec3<double> cross_product(const Vec3<double>& a, const Vec3<double>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

}  // namespace

double least_room_A(const ShellNeighbour& neighbour) {
  constexpr double of_heavy = 0.8, of_hydrogen = 0.6, of_cation_A = 1.9;
  if (neighbour.kind == NeighbourKind::cation) return of_cation_A;
  return (neighbour.kind == NeighbourKind::hydrogen ? of_hydrogen : of_heavy) *
         (neighbour.radius_A + oxygen_radius_A);
}

ShellEnergy::ShellEnergy(const ShellSite& site, const WaterModel& model)
    : site_(site), coulomb_kT_A_(coulomb_constant_kT_A(site.temperature_K)) {
  if (model.sites != 3)
    fail<UsageError>(model.full_name, " has ", model.sites,
                     " sites, but waters around ions must have three; use tip3p or spce");
  const std::vector<WaterSite> sites = model.geometry();
  oxygen_e_ = sites[0].charge_e;
  hydrogen_e_ = sites[1].charge_e;
  along_A_ = sites[1].position_A.x;
  across_A_ = sites[1].position_A.y;
  around_.reserve(site.around.size());
  for (const ShellNeighbour& neighbour : site.around)
    around_.push_back({.position_A = neighbour.position_A,
                       .charge_e = neighbour.charge_e,
                       .room_A = least_room_A(neighbour),
                       .contact_A = hydrogen_contact_A(neighbour.kind),
                       .accepts = neighbour.kind == NeighbourKind::acceptor});
}

ShellWater ShellEnergy::water(const Vec3<double>& axis, double spin_rad) const {
  const Vec3<double> u = any_normal(axis), v = cross_product(axis, u);
  const Vec3<double> across = std::cos(spin_rad) * u + std::sin(spin_rad) * v;
  const Vec3<double> oxygen = site_.ion_A + site_.distance_A * axis;
  const Vec3<double> middle = oxygen + along_A_ * axis;
  return {oxygen, middle + across_A_ * across, middle - across_A_ * across};
}

bool ShellEnergy::gather(const Vec3<double>& oxygen_A, std::vector<Near>& near) const {
  constexpr double bond_A = 1.0, reach_A2 = (shell_cutoff_A + bond_A) * (shell_cutoff_A + bond_A);
  near.clear();
  for (const Near& neighbour : around_) {
    const double d2_A2 = distance_squared(neighbour.position_A, oxygen_A);
    if (d2_A2 < neighbour.room_A * neighbour.room_A) return false;
    if (d2_A2 < reach_A2) near.push_back(neighbour);
  }
  return true;
}

double ShellEnergy::oxygen_kT(const Vec3<double>& position_A, std::span<const Near> near) const {
  constexpr double cutoff_A2 = shell_cutoff_A * shell_cutoff_A;
  double potential_kT_e = 0.0, contact_kT = 0.0;
  for (const Near& neighbour : near) {
    const double d2_A2 = distance_squared(neighbour.position_A, position_A);
    if (d2_A2 >= cutoff_A2) continue;
    potential_kT_e += neighbour.charge_e * (1.0 / d2_A2 - 1.0 / cutoff_A2);
    const double wall_A = neighbour.room_A + soft_A;
    if (d2_A2 < wall_A * wall_A) contact_kT += oxygen_wall_kT_A2 * depth_A2(std::sqrt(d2_A2), wall_A);
  }
  return oxygen_e_ * coulomb_kT_A_ / dielectric_per_A * potential_kT_e + contact_kT;
}

double ShellEnergy::hydrogen_kT(const Vec3<double>& oxygen_A, const Vec3<double>& hydrogen_A,
                                std::span<const Near> near) const {
  constexpr double cutoff_A2 = shell_cutoff_A * shell_cutoff_A;
  constexpr double nearest_A2 = 1e-2;  // of a hydrogen on an atom: a finite energy, which loses
  constexpr double touching_A2 = bond_far_A * bond_far_A;  // farther than all contacts
  double potential_kT_e = 0.0, contact_kT = 0.0, bond = 0.0;
  for (const Near& neighbour : near) {
    const Vec3<double> to_neighbour = neighbour.position_A - hydrogen_A;
    const double d2_A2 = std::max(dot(to_neighbour, to_neighbour), nearest_A2);
    if (d2_A2 >= cutoff_A2) continue;
    potential_kT_e += neighbour.charge_e * (1.0 / d2_A2 - 1.0 / cutoff_A2);
    if (d2_A2 >= touching_A2) continue;
    const double d_A = std::sqrt(d2_A2);
    contact_kT += hydrogen_wall_kT_A2 * depth_A2(d_A, neighbour.contact_A);
    if (!neighbour.accepts) continue;
    const Vec3<double> from_oxygen = hydrogen_A - oxygen_A;
    const double cosine = dot(from_oxygen, to_neighbour) / (std::sqrt(dot(from_oxygen, from_oxygen)) * d_A);
    const double nearness = std::min(1.0, (bond_far_A - d_A) / (bond_far_A - bond_near_A));
    if (cosine > 0.0) bond = std::max(bond, nearness * cosine * cosine);
  }
  return hydrogen_e_ * coulomb_kT_A_ / dielectric_per_A * potential_kT_e + contact_kT - bond_kT * bond;
}

ShellWater ShellEnergy::best_spin(const Vec3<double>& axis, std::span<const Near> near, bool refines,
                                  double& energy_kT) const {
  constexpr double spin_step_rad = std::numbers::pi / spins;
  double best_rad = 0.0, best_kT = std::numeric_limits<double>::infinity();
  const auto try_spin = [&](double spin_rad) {
    const ShellWater here = water(axis, spin_rad);
    const double here_kT = hydrogen_kT(here[0], here[1], near) + hydrogen_kT(here[0], here[2], near);
    if (!(here_kT < best_kT)) return false;
    best_kT = here_kT;
    best_rad = spin_rad;
    return true;
  };
  for (int n = 0; n < spins; ++n) try_spin(spin_step_rad * n);
  if (refines)
    for (double step_rad = spin_step_rad / 2; step_rad > least_spin_rad;) {
      const double from_rad = best_rad;
      if (!try_spin(from_rad + step_rad) && !try_spin(from_rad - step_rad)) step_rad /= 2;
    }
  energy_kT = best_kT;
  return water(axis, best_rad);
}

TurnedShell ShellEnergy::turned(const Quaternion& orientation, bool refines) const {
  const Rotation rotation = rotation_of(orientation);
  std::vector<Vec3<double>> axes;
  axes.reserve(site_.directions.size());
  for (const Vec3<double>& direction : site_.directions) axes.push_back(rotation(direction));
  TurnedShell shell;
  for (const Vec3<double>& acceptor_A : site_.acceptors_A) {
    if (axes.empty()) break;
    const Vec3<double> away = acceptor_A - site_.ion_A;
    const auto nearest = std::max_element(
        axes.begin(), axes.end(), [&](const auto& a, const auto& b) { return dot(a, away) < dot(b, away); });
    shell.energy_kT += misaligned_kT * (1.0 - dot(*nearest, away) / std::sqrt(dot(away, away)));
    axes.erase(nearest);
  }
  shell.waters.reserve(axes.size());
  std::vector<Near> near;
  near.reserve(around_.size());
  for (const Vec3<double>& axis : axes) {
    const Vec3<double> oxygen_A = site_.ion_A + site_.distance_A * axis;
    if (!gather(oxygen_A, near)) {
      ++shell.left_out;
      shell.energy_kT += left_out_kT;
      continue;
    }
    double hydrogens = 0.0;
    shell.waters.push_back(best_spin(axis, near, refines, hydrogens));
    shell.energy_kT += oxygen_kT(oxygen_A, near) + hydrogens;
  }
  return shell;
}

}  // namespace ionwell
