// SPDX-License-Identifier: BSD-3-Clause
#include "output/views/page_data.hpp"

#include <algorithm>
#include <cmath>

#include "compute/json_parts.hpp"
#include "core/available_memory.hpp"
#include "core/chemistry/ion_radius.hpp"
#include "core/text/charge_text.hpp"
#include "core/text/count_text.hpp"
#include "core/text/note.hpp"
#include "core/text/text_stream.hpp"
#include "core/version.hpp"
#include "jobs/place/job/report.hpp"
#include "output/views/distance_distribution.hpp"
#include "output/views/html_report.hpp"
#include "output/views/solute_picture.hpp"

namespace ionwell {
namespace {

using Json = nlohmann::ordered_json;

/// With so many decimals; null for what is not finite.
Json rounded(double value, double decimals = 3) {
  const double factor = std::pow(10.0, decimals);
  return std::isfinite(value) ? Json(std::round(value * factor) / factor) : Json(nullptr);
}

/// A column of a table: cell(ion) of each.
template <typename Cell>
Json page_column(const Placement& placement, const Cell& cell) {
  Json column = Json::array();
  for (const PlacedIon& ion : placement.ions) column.push_back(cell(ion));
  return column;
}

/// What an ion of an unknown radius is drawn with.
constexpr double usual_radius_A = 1.2;

Json ion_columns(const Result& result) {
  const Placement& placement = result.placement;
  const std::vector<Atom>& atoms = result.structure.atoms;
  Json xyz = Json::array();
  for (const PlacedIon& ion : placement.ions)
    for (const double x : {ion.position_A.x, ion.position_A.y, ion.position_A.z}) xyz.push_back(rounded(x));
  const auto column = [&](const auto& cell) { return page_column(placement, cell); };
  Json columns = {
      {"name", column([](const PlacedIon& ion) { return ion.species.name; })},
      {"charge_e", column([](const PlacedIon& ion) { return ion.species.charge_e; })},
      {"radius_A", column([](const PlacedIon& ion) {
         return ionic_radius_A(ion.species.element, ion.species.charge_e).value_or(usual_radius_A);
       })},
      {"position_A", xyz},
      {"energy_kT", column([](const PlacedIon& ion) { return rounded(ion.energy_kT, 4); })},
      {"nearest_solute_A", column([](const PlacedIon& ion) { return rounded(ion.nearest_solute_A); })},
      {"nearest_atom", column([&](const PlacedIon& ion) {
         return std::isfinite(ion.nearest_solute_A) ? describe(atoms[ion.nearest_atom]) : std::string("-");
       })},
      {"nearest_ion_A", column([](const PlacedIon& ion) { return rounded(ion.nearest_ion_A); })}};
  const auto has = [&](const auto& property) {
    return std::any_of(placement.ions.begin(), placement.ions.end(), property);
  };
  if (has([](const PlacedIon& ion) { return ion.probability.has_value(); }))
    columns["probability"] = column(
        [](const PlacedIon& ion) { return ion.probability ? rounded(*ion.probability) : Json(nullptr); });
  if (has([](const PlacedIon& ion) { return ion.by_chance; }))
    columns["by_chance"] = column([](const PlacedIon& ion) { return ion.by_chance; });
  return columns;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t bits = 0;
    for (std::size_t n = 0; n < 3; ++n)
      bits = bits << 8 | (n < count ? std::uint8_t(bytes[at + n]) : std::uint32_t(0));
    for (std::size_t n = 0; n < 4; ++n) text += n <= count ? digits[bits >> (18 - 6 * n) & 63] : '=';
  }
  return text;
}

/// The deepest potential that an ion was placed at: what surfaces are measured by. At least 1 kT/e.
double potential_scale_kT_e(const Placement& placement) {
  double scale = 1.0;
  for (const PlacedIon& ion : placement.ions)
    if (ion.species.charge_e != 0.0 && std::isfinite(ion.energy_kT))
      scale = std::max(scale, std::abs(ion.energy_kT / ion.species.charge_e));
  return scale;
}

/// Values in 16 bits, cut at 1.5 times the scale: on top of charges there is no end to them.
Json map_json(const Result& result, const CoarseMap& map) {
  if (map.values_kT_e.empty())
    return {{"why_not", map.why_not.empty() ? "no map was computed" : map.why_not}};
  constexpr double most = 32'767.0, beyond_scale = 1.5;
  const double scale_kT_e = potential_scale_kT_e(result.placement);
  const double limit_kT_e = beyond_scale * scale_kT_e;
  std::string bytes;
  bytes.reserve(2 * map.values_kT_e.size());
  for (const float value : map.values_kT_e) {
    const double cut = std::isfinite(value) ? std::clamp(double(value), -limit_kT_e, limit_kT_e) : 0.0;
    const auto step = std::uint16_t(std::int16_t(std::lround(cut / limit_kT_e * most)));
    bytes += char(step & 0xff);
    bytes += char(step >> 8);
  }
  Json json = lattice_json(map.lattice);
  json["scale_kT_e"] = scale_kT_e;
  json["step_kT_e"] = limit_kT_e / most;
  json["int16"] = base64(bytes);
  return json;
}

/// Rows of label and value for the top of the page.
Json facts(const Result& result) {
  Json rows = Json::array();
  const auto row = [&](const char* label, const auto&... parts) {
    TextStream text;
    (text << ... << parts);
    rows.push_back({label, text.str()});
  };
  row("Structure", result.structure.path);
  row("Atoms", grouped(std::ssize(result.structure.atoms)));
  row("Net charge", charge_text(charge_before_e(result)), " e before, ", charge_text(charge_after_e(result)),
      " e after");
  if (result.box && result.box->sites != nullptr)
    row("Ions at sites", describe_ions(result.box->sites->placement), ", placed before the water by the ",
        describe_method(*result.box->sites), "; they are shown with the structure");
  if (result.box)
    row("Box", count_of(result.box->waters, "water"), ", of which ions replaced ",
        grouped(std::ssize(result.placement.ions)));
  else {
    const auto& [nx, ny, nz] = result.potential.lattice.counts;
    row("Lattice", grouped(nx), " x ", grouped(ny), " x ", grouped(nz), " points, ",
        result.potential.lattice.spacing_A.x, " A apart");
  }
  if (!result.potential.imported)
    row("Electrostatics", describe_electrostatics(result.potential.electrostatics));
  if (result.potential.imported)
    for (const std::string& path : result.potential.imported->paths) row("Potential", path);
  row("Method", describe_placement(result));
  if (result.exclusion)
    row("Distances", "ion to solute more than ", result.exclusion->ion_solute_A, " A, ion to ion at least ",
        result.exclusion->ion_ion_A, " A");
  row("Computed on", result.run.device_use ? result.run.device
                                           : count_of(result.run.threads, "CPU thread") + ", " +
                                                 result.run.device + " instructions");
  row("Memory", describe_bytes(result.run.host_peak_bytes),
      result.run.device_use ? ", and " + describe_bytes(result.run.device_use->peak_bytes) + " of the GPU"
                            : std::string());
  return rows;
}

}  // namespace

nlohmann::ordered_json page_data(const Result& result, const CoarseMap& map,
                                 std::span<const ChemistryRow> chemistry) {
  Json timings = Json::array();
  for (const auto& [stage, seconds] : result.run.timings_s) timings.push_back({stage, rounded(seconds, 4)});
  Json decisions = Json::array();
  for (const ChemistryRow& row : chemistry)
    decisions.push_back({row.residue, row.what, row.why, row.otherwise});
  Json json = {{"version", version()},
               {"command", result.run.command},
               {"structure", result.structure.path},
               {"facts", facts(result)},
               {"chemistry", decisions},
               {"warnings", warnings_of(result.run.warnings)},
               {"notes", notes_of(result.run.warnings)},
               {"timings_s", timings},
               {"requested", result.placement.requested},
               {"ions", ion_columns(result)},
               {"solute", solute_picture(result.structure)},
               {"map", map_json(result, map)}};
  if (!result.placement.ions.empty() && !result.structure.atoms.empty()) {
    const DistanceDistribution found =
        distance_distribution(result.structure.atoms, result.placement, result.run.threads);
    Json g = Json::array();
    for (const double value : found.g) g.push_back(rounded(value));
    json["radial"] = {{"step_A", found.step_A}, {"ions", found.ions}, {"g", g}};
  }
  return json;
}

std::string script_safe(const nlohmann::ordered_json& json) {
  std::string text;
  for (const char c : json.dump(-1, ' ', true, Json::error_handler_t::replace))
    c == '<' ? void(text += "\\u003c") : void(text += c);
  return text;
}

std::string html_text(const std::string& text) {
  // JSON's writer knows what is UTF-8.
  const auto valid =
      Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
  std::string safe;
  for (const char c : valid) switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        safe += c;
    }
  return safe;
}

}  // namespace ionwell
