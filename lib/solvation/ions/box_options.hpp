// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/boundary.hpp"
#include "solvation/ions/salt.hpp"

namespace ionwell {

/// Heights along z, as the file has them.
struct HeightRange {
  double from_A = 0.0, to_A = 0.0;
};

/// Which waters of a box an ion may take the place of.
struct WaterChoice {
  /// Waters with their oxygen this near to a heavy atom of the solute stay: its first shell, where g(r) of
  /// waters around polar atoms has its first minimum.
  double keep_water_A = 3.5;
  bool replace_crystal_waters = false;
  bool in_membrane = false;             // also those between lipid tails and in pores
  std::vector<std::string> near;        // SELECTION:R; any of them, when there are some
  std::vector<std::string> not_near;    // none of them
  std::optional<HeightRange> inside_z;  // oxygens at these heights
};

/// How bulk salt is placed: anywhere among the waters, or by energy as counter-ions are.
enum class SaltPlacement { random, energy };

struct SaltOptions {
  std::vector<SaltRequest> salts;
  SaltScheme scheme = SaltScheme::split;
  SaltPlacement placement = SaltPlacement::random;
  std::uint64_t seed = 1;
  std::optional<double> salt_solute_A;  // of ions placed at random; not given: the ion-solute distance
};

/// How ions take the place of waters.
struct BoxOptions {
  Boundary boundary = Boundary::periodic;
  WaterChoice choice;
  SaltOptions salt;
  bool waters_act = false;  // their charges, too, in place of a dielectric
};

/// "SELECTION:R" as it was given.
struct NearRegion {
  std::string selection;
  double distance_A = 0.0;
};

/// Throws UsageError for what has no selection or no distance; `option` is its name, for messages.
NearRegion parse_near_region(const std::string& option, const std::string& text);

/// Reads "FROM:TO" [A].
HeightRange parse_height_range(const std::string& option, const std::string& text);

/// Throws UsageError for what can be refused before a file is read.
void validate(const BoxOptions& options);

}  // namespace ionwell
