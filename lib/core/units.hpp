// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

/// Lengths are in Angstrom, charges in elementary charges, energies in kT, potentials in kT/e.
namespace ionwell {

constexpr double coulomb_constant_eV_A = 14.3996454784;  // e^2 / (4 pi eps0), CODATA 2018
constexpr double boltzmann_eV_K = 8.617333262e-5;        // CODATA 2018, exact
constexpr double avogadro_per_mol = 6.02214076e23;       // CODATA 2018, exact
constexpr double vacuum_permittivity_F_m = 8.8541878128e-12;
constexpr double elementary_charge_C = 1.602176634e-19;
constexpr double boltzmann_J_K = 1.380649e-23;
constexpr double bohr_A = 0.529177210903;  // CODATA 2018
constexpr double room_temperature_K = 298.15;
constexpr double water_dielectric = 78.54;  // at 298.15 K, the value of the published protocols

/// Potential of a unit charge at 1 A in vacuum [kT/e]: 560.46 at 298.15 K.
inline double coulomb_constant_kT_A(double temperature_K) {
  return coulomb_constant_eV_A / (boltzmann_eV_K * temperature_K);
}

/// kT [kJ/mol]: 2.479 at 298.15 K.
inline double thermal_energy_kJ_mol(double temperature_K) {
  return 1e-3 * boltzmann_J_K * avogadro_per_mol * temperature_K;
}

/// Inverse Debye length [1/A] of a 1:1 salt: kappa^2 = 2 N_A e^2 I / (eps0 eps k T).
inline double inverse_debye_length_per_A(double ionic_strength_M, double dielectric, double temperature_K) {
  const double per_m3 = 1000.0 * avogadro_per_mol * ionic_strength_M;
  const double kappa2_per_m2 = 2.0 * per_m3 * elementary_charge_C * elementary_charge_C /
                               (vacuum_permittivity_F_m * dielectric * boltzmann_J_K * temperature_K);
  return 1e-10 * std::sqrt(kappa2_per_m2);
}

}  // namespace ionwell
