#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ionwell {

/// Units in which programs write potentials.
enum class MapUnit { kT_e, kcal_mol_e, kJ_mol_e, mV, V };

/// "kT/e", "kcal/(mol e)", "kJ/(mol e)", "mV", "V": as files and the command line have them.
std::string_view to_string(MapUnit unit);

/// The unit that a word means, in any case and also without the parentheses ("kcal/mol/e"); nothing for
/// others.
std::optional<MapUnit> map_unit(std::string_view word);

/// The unit that the first lines of a file name in parentheses, or at the end of a line: "POTENTIAL (kT/e)".
std::optional<MapUnit> find_map_unit(std::string_view text);

/// What one `unit` is in volts, at a temperature that matters for kT/e only.
double volts(MapUnit unit, double temperature_K);

}  // namespace ionwell
