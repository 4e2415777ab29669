// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/periodic_cell.hpp"
#include "core/structure.hpp"
#include "placement/place_ions.hpp"
#include "solvation/ions/box_options.hpp"
#include "solvation/ions/box_waters.hpp"
#include "solvation/ions/membrane.hpp"

namespace ionwell {

/// A box with its waters.
struct SolvatedBox {
  std::span<const Atom> atoms;   // all of them
  std::span<const Atom> acting;  // what acts and keeps ions away: no waters
  PeriodicCell cell;             // where space does not repeat, one so large that it makes no difference
  std::optional<std::size_t> first_of_box{};  // the atom where its waters begin, behind a crystal's
  /// The atom where waters around ions begin that no ion may replace, up to those of the box. Not given:
  /// none.
  std::optional<std::size_t> first_of_shells{};
};

/// Why a water stays.
enum class WaterStays { replaceable, crystal, first_shell, membrane, region, near_solute, near_ion, shell };

constexpr int stay_reasons = 8;

/// "in the first shell of the solute": for a table.
std::string_view to_string(WaterStays reason);

/// The waters of a box, and which of them an ion may replace.
struct ReplaceableWaters {
  std::vector<BoxWater> waters;
  std::vector<WaterStays> stays;    // by water: the first reason that holds, shell before those above
  std::vector<std::int64_t> count;  // by WaterStays
  std::vector<Compartment> side;    // by water, where there is a membrane; otherwise empty
  std::vector<std::uint8_t>
      far_from_solute;  // by water: whether salt may go there, for its distance from the solute
  std::optional<Membrane> membrane;

  std::int64_t replaceable() const { return count[std::size_t(WaterStays::replaceable)]; }
};

/// Finds them. Crystal waters are told from those of the box as runs of waters that nearly all touch the
/// solute, where others do not. Ions among the acting atoms keep others away by the ion-ion distance. Throws
/// UsageError for a selection that nothing fits, and Error for a box without water. O(atoms).
ReplaceableWaters find_replaceable(const SolvatedBox& box, const BoxOptions& options,
                                   const ExclusionOptions& exclusion, int threads);

}  // namespace ionwell
