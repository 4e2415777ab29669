// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "placement/crystal_sites/site_model.hpp"

namespace ionwell {

/// Reads a site model:
///   {"format": "ionwell site model 1", "ion": "MG", "charge_e": 2,
///    "dielectric": 78.54, "ionic_strength_M": 1.0,
///    "terms": [{"atoms": "heavy", "energy_kT": 1.5, "centre_A": 0, "width_A": 2.0}, ...],
///    "cutoff_A": 8.0, "basin_width_A": 1.2, "ion_heavy_atom_A": 1.7, "ion_ion_A": 5.0,
///    "provenance": "what it was fitted to",
///    "score": {"points_per_heavy_atom": 7, "baseline": -2.1, "intercept": 0.3, "slope": -0.8,
///              "recall": [[0.1, 0.5], [0.3, 0.2]],
///              "features": ["shell_phosphate_oxygen_2.1", ...],
///              "trees": [{"feature": [3, -1, -1], "threshold": [1.5, 0, 0], "left": [1, 0, 0],
///                         "right": [2, 0, 0], "value": [0, -0.1, 0.2]}, ...]}}
/// Format, ion, charge and terms must be there ("recall" may also be left out of a score), the others are the
/// built-in model's when they are not. "atoms" is "heavy" (also when it is left out) or a list of names of
/// site_atom_class_names. A tree has a number for each node, of which feature -1 is a leaf. `name` is what
/// messages call the text. Throws Error for a key or a value that no model has.
SiteModel parse_site_model(std::string_view text, const std::string& name);

/// The same from a file.
SiteModel read_site_model(const std::string& path);

/// The built-in model of Mg2+ in folded RNA: the terms of magnesium_site_model and a learned score.
const SiteModel& learned_site_model();

}  // namespace ionwell
