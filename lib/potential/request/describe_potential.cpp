// SPDX-License-Identifier: BSD-3-Clause
#include "potential/request/describe_potential.hpp"

#include "core/text/text_stream.hpp"

namespace ionwell {

std::string describe_electrostatics(const ElectrostaticsOptions& options) {
  TextStream text;
  if (options.ddd_per_A)
    text << "distance-dependent dielectric, eps = " << *options.ddd_per_A << " r";
  else if (options.ionic_strength_M)
    text << "Debye-Hueckel, " << *options.ionic_strength_M
         << " M, eps = " << options.dielectric.value_or(water_dielectric);
  else
    text << "Coulomb, eps = " << options.dielectric.value_or(1.0);
  text << ", " << options.temperature_K << " K";
  return text.str();
}

std::string describe_method(const PotentialRecord& potential) {
  TextStream text;
  if (potential.solver)
    text << "Poisson-Boltzmann by " << potential.solver->program << ", " << potential.solver->ionic_strength_M
         << " M";
  else if (potential.imported)
    text << (!potential.imported->interpolated ? "map, without interpolation"
             : potential.imported->tricubic    ? "map, tricubic interpolation"
                                               : "map, trilinear interpolation");
  else if (potential.is_periodic)
    text << "periodic sum in double precision (Ewald)";
  else if (potential.multilevel)
    text << "multilevel sum (" << to_string(potential.multilevel->basis) << ", cutoff "
         << potential.multilevel->cutoff_A << " A, grid " << potential.multilevel->spacing_A << " A)";
  else
    text << "direct sum";
  if (potential.accuracy) text << ", for an accuracy of " << *potential.accuracy;
  return text.str();
}

}  // namespace ionwell
