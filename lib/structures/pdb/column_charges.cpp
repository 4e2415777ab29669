// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include "core/text/charge_text.hpp"
#include "structures/pdb/atom_sites.hpp"

namespace ionwell {

void take_charges_from_columns(AtomSites& sites) {
  constexpr float largest_radius_A = 5.0f;       // an ion's in a force field is below 4
  constexpr double integer_tolerance_e = 0.015;  // a few charges of two decimals
  bool any_negative = false, are_radii = true, any_radius = false;
  double sum_e = 0.0;
  for (const SiteDetails& site : sites.details) {
    any_negative |= site.occupancy < 0.0f;
    are_radii &= site.b_factor >= 0.0f && site.b_factor <= largest_radius_A;
    any_radius |= site.b_factor > 0.0f;
    sum_e += site.occupancy;
  }
  are_radii &= any_radius;
  const bool is_integer = std::abs(sum_e - std::round(sum_e)) < integer_tolerance_e;
  if (!any_negative || !(are_radii || is_integer)) return;
  for (std::size_t i = 0; i < sites.details.size(); ++i) {
    // A float holds the two to four decimals of the file; the double nearest to them is meant.
    const auto decimals = [](float value) { return std::round(double(value) * 1e4) / 1e4; };
    sites.structure.atoms[i].charge_e = decimals(sites.details[i].occupancy);
    if (are_radii) sites.structure.atoms[i].radius_A = decimals(sites.details[i].b_factor);
  }
  sites.structure.warnings.push_back(
      sites.structure.path +
      ": the occupancies cannot be occupancies (some are negative) and were read as charges, " +
      charge_text(net_charge_e(sites.structure.atoms)) + " e in all" +
      (are_radii ? ", and the B-factors as radii" : "; there are no radii"));
}

}  // namespace ionwell
