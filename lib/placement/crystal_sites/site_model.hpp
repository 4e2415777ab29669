// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "placement/crystal_sites/site_atom.hpp"

namespace ionwell {

/// energy exp(-(r - centre)^2 / (2 width^2)) around each atom of the classes, at distances r below the
/// model's cutoff: a density with a centre of 0, otherwise a well or a wall at a distance.
struct SiteTerm {
  SiteAtomClasses atoms = heavy_atoms;
  double energy_kT = 0.0;
  double centre_A = 0.0;
  double width_A = 1.0;
};

struct SiteScore;

/// How an ion's energy near a solute is modelled so that the places that crystals show it at are low:
///   E(p) = z sum over atoms of q_i l exp(-r_i / d) / r_i  +  the terms,
/// in kT at 298.15 K, l and d the Bjerrum and the Debye length of the solution. Ions are put where
///   F = -ln(G * exp(-E))
/// is lowest, G a normalized Gaussian: what counts is how much room there is at low energy, so that a wide
/// well beats a deep pinhole. Points too near to a heavy atom have no part in it. Ions act on each other as
/// atoms do, by the first sum.
struct SiteModel {
  std::string ion = "MG";  // what it was made for
  double charge_e = 2.0;
  double dielectric = 78.54, ionic_strength_M = 1.0;
  std::vector<SiteTerm> terms;
  double cutoff_A = 8.0;                           // of the terms; a site is no farther from a heavy atom
  double basin_width_A = 1.2;                      // standard deviation of G; 0: F is E
  double ion_heavy_atom_A = 1.7, ion_ion_A = 5.0;  // least distances
  std::shared_ptr<const SiteScore> score;  // learned, in place of -E where F is lowest; null: there is none
  std::string provenance;                  // one line: what it was fitted to, and how well it does
};

/// Three terms for Mg2+ in folded RNA: screened charges, and a repulsive and an attractive density of heavy
/// atoms.
const SiteModel& magnesium_site_model();

/// Throws Error for values that no model can have.
void validate(const SiteModel& model);

}  // namespace ionwell
