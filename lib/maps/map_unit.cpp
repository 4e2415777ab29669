// SPDX-License-Identifier: BSD-3-Clause
#include "maps/map_unit.hpp"

#include <array>

#include "core/text/lines.hpp"
#include "core/units.hpp"

namespace ionwell {
namespace {

constexpr std::array units = {MapUnit::kT_e, MapUnit::kcal_mol_e, MapUnit::kJ_mol_e, MapUnit::mV, MapUnit::V};

/// Lower case, without blanks and parentheses, and with one slash for each division.
std::string plain(std::string_view word) {
  std::string text;
  for (const char c : word) {
    if (c == '(' || c == ')' || c == '[' || c == ']') continue;
    if (c == ' ' || c == '*' || c == '.') {
      text += '/';  // kcal/(mol e) is kcal/mol/e
      continue;
    }
    text += c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
  }
  return text;
}

}  // namespace

std::string_view to_string(MapUnit unit) {
  switch (unit) {
    case MapUnit::kT_e:
      return "kT/e";
    case MapUnit::kcal_mol_e:
      return "kcal/(mol e)";
    case MapUnit::kJ_mol_e:
      return "kJ/(mol e)";
    case MapUnit::mV:
      return "mV";
    case MapUnit::V:
      return "V";
  }
  return "unknown";
}

std::optional<MapUnit> map_unit(std::string_view word) {
  const std::string text = plain(word);
  for (const MapUnit unit : units)
    if (text == plain(to_string(unit))) return unit;
  if (text == "kbt/e" || text == "kt/ec" || text == "kbt/ec") return MapUnit::kT_e;  // e_c, as APBS calls it
  if (text == "kt/e_c") return MapUnit::kT_e;
  if (text == "kcal/mol-e") return MapUnit::kcal_mol_e;
  if (text == "kj/mol-e") return MapUnit::kJ_mol_e;
  if (text == "volt" || text == "volts") return MapUnit::V;
  return std::nullopt;
}

std::optional<MapUnit> find_map_unit(std::string_view text) {
  for (std::size_t open = text.find_first_of("(["); open != text.npos;
       open = text.find_first_of("([", open + 1)) {
    int depth = 0;  // kcal/(mol e) has parentheses of its own
    for (std::size_t at = open; at < text.size() && text[at] != '\n'; ++at) {
      if (text[at] == '(' || text[at] == '[') ++depth;
      if ((text[at] == ')' || text[at] == ']') && --depth == 0) {
        const std::string_view within = text.substr(open + 1, at - open - 1);
        if (const auto unit = map_unit(trim(within.substr(0, within.find(','))))) return unit;
        break;
      }
    }
  }
  return std::nullopt;
}

double volts(MapUnit unit, double temperature_K) {
  constexpr double joule_per_kcal = 4184.0;  // thermochemical calorie
  switch (unit) {
    case MapUnit::kT_e:
      return boltzmann_eV_K * temperature_K;
    case MapUnit::kcal_mol_e:
      return joule_per_kcal / (avogadro_per_mol * elementary_charge_C);
    case MapUnit::kJ_mol_e:
      return 1000.0 / (avogadro_per_mol * elementary_charge_C);
    case MapUnit::mV:
      return 1e-3;
    case MapUnit::V:
      break;
  }
  return 1.0;
}

}  // namespace ionwell
