// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/chemistry/ion_table.hpp"
#include "solvation/ions/box_options.hpp"

namespace ionwell {

/// What a user says of ions that take the places of waters; what is not given is as usual.
struct BoxRequest {
  std::vector<std::string> salts, near, not_near;
  std::optional<std::string> inside_z;
  std::optional<Boundary> boundary;
  std::optional<double> keep_water_A, salt_solute_A;
  std::optional<SaltScheme> scheme;
  std::optional<SaltPlacement> salt_placement;
  std::optional<std::int64_t> seed;
  bool replace_crystal_waters = false, in_membrane = false, waters_act = false;
};

/// Throws UsageError for invalid requests, also in combination.
BoxOptions box_options(const BoxRequest& request, IonNaming naming);

/// Sets what was not given to what it is then, for a preset.
void complete(BoxRequest& request);

}  // namespace ionwell
