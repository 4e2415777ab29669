// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ionwell {

/// Units in which programs write potentials.
enum class MapUnit { kT_e, kcal_mol_e, kJ_mol_e, mV, V };

/// "kT/e", "kcal/(mol e)", "kJ/(mol e)", "mV", "V": as in files and on the command line.
std::string_view to_string(MapUnit unit);

/// The unit that a word means, in any case and also without the parentheses ("kcal/mol/e"); nothing for other
/// words.
std::optional<MapUnit> map_unit(std::string_view word);

/// The unit that the first lines of a file name in parentheses, or at the end of a line: "POTENTIAL (kT/e)".
std::optional<MapUnit> find_map_unit(std::string_view text);

/// One `unit` in volts; the temperature matters only for kT/e.
double volts(MapUnit unit, double temperature_K);

}  // namespace ionwell
