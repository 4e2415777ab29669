// SPDX-License-Identifier: BSD-3-Clause
#include "placement/crystal_sites/site_model.hpp"

#include <cmath>

#include "core/error.hpp"

namespace ionwell {
namespace {

void require(bool holds, const char* what, double value, const char* rule) {
  if (!holds) fail("the site model's ", what, " is ", value, "; it must be ", rule);
}

}  // namespace

const SiteModel& magnesium_site_model() {
  static const SiteModel model{
      .terms = {{.energy_kT = 1.5, .width_A = 2.0}, {.energy_kT = -0.27, .width_A = 4.0}},
      .provenance = "three terms, fitted to the Mg2+ of RNA crystal structures"};
  return model;
}

void validate(const SiteModel& model) {
  constexpr double largest_kT = 1e4, largest_A = 50.0;
  const auto is_length = [](double x) { return x > 0.0 && x <= largest_A; };
  require(model.charge_e != 0.0 && std::abs(model.charge_e) <= 10.0, "charge", model.charge_e,
          "from -10 to 10 e and not 0");
  require(is_length(model.cutoff_A), "cutoff", model.cutoff_A, "above 0 and at most 50 A");
  require(model.basin_width_A >= 0.0 && model.basin_width_A <= 5.0, "basin width", model.basin_width_A,
          "0 to 5 A");
  require(is_length(model.ion_heavy_atom_A) && model.ion_heavy_atom_A < model.cutoff_A,
          "distance from heavy atoms", model.ion_heavy_atom_A, "above 0 A and below the cutoff");
  require(model.ion_ion_A >= 0.0 && model.ion_ion_A <= largest_A, "distance between ions", model.ion_ion_A,
          "0 to 50 A");
  for (const SiteTerm& term : model.terms) {
    require(std::abs(term.energy_kT) <= largest_kT, "energy of a term", term.energy_kT,
            "-10,000 to 10,000 kT");
    require(is_length(term.width_A), "width of a term", term.width_A, "above 0 and at most 50 A");
    require(term.centre_A >= 0.0 && term.centre_A <= largest_A, "centre of a term", term.centre_A,
            "0 to 50 A");
  }
}

}  // namespace ionwell
