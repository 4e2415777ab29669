#include "output/views/report_file.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/error.hpp"
#include "core/text/json_nesting.hpp"
#include "core/text/quoting.hpp"
#include "files/input_file.hpp"

namespace ionwell {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* what_view_reads = "; give a report of 'ionwell place --report' or 'prepare --report'";

/// An object of a report, and where it is in it.
class ReportPart {
 public:
  ReportPart(const Json& json, std::string where) : json_(json), where_(std::move(where)) {
    if (!json_.is_object()) fail(where_, " is no object in { }", what_view_reads);
  }

  const Json& at(const char* key) const {
    if (!json_.contains(key)) fail(where_, " has no \"", key, "\"", what_view_reads);
    return json_.at(key);
  }
  ReportPart part(const char* key) const { return {at(key), where_of(key)}; }
  bool has(const char* key) const { return json_.contains(key) && !json_.at(key).is_null(); }

  const Json& list(const char* key) const {
    const Json& found = at(key);
    if (!found.is_array()) fail(where_of(key), " is no list in [ ]", what_view_reads);
    return found;
  }

  std::string text(const char* key) const {
    const Json& found = at(key);
    if (!found.is_string()) fail(where_of(key), " is no text in quotes", what_view_reads);
    return one_line(found.get<std::string>());
  }

  /// NaN for null, which stands for what is not finite.
  double number(const char* key) const {
    const Json& found = at(key);
    if (found.is_null()) return std::nan("");
    if (!found.is_number()) fail(where_of(key), " is no number", what_view_reads);
    return found.get<double>();
  }

  std::int64_t whole_number(const char* key) const {
    const double found = number(key);
    constexpr double most = 9007199254740992.0;  // 2^53
    if (!(std::abs(found) <= most) || found != std::floor(found))
      fail(where_of(key), " is no whole number", what_view_reads);
    return std::int64_t(found);
  }

 private:
  std::string where_of(const char* key) const { return where_ + ", \"" + key + '"'; }

  const Json& json_;
  std::string where_;
};

Atom atom_of(const ReportPart& part) {
  constexpr std::int64_t most = 1'000'000'000;
  const std::int64_t number = part.whole_number("residue_number");
  if (std::abs(number) > most)
    fail("a residue's number is ", number, ", which no structure has", what_view_reads);
  const std::string code = part.text("insertion_code");
  return {.name = std::string_view(part.text("name")),
          .residue = std::string_view(part.text("residue")),
          .chain = std::string_view(part.text("chain")),
          .residue_number = int(number),
          .insertion_code = code.empty() ? ' ' : code.front()};
}

PlacedIon ion_of(const ReportPart& part) {
  PlacedIon ion;
  ion.species.name = part.text("name");
  ion.species.element = part.has("element") ? part.text("element") : std::string();
  ion.species.charge_e = part.number("charge_e");
  const Json& position = part.list("position_A");
  if (position.size() != 3 || !position[0].is_number() || !position[1].is_number() ||
      !position[2].is_number())
    fail("the position of ion ", ion.species.name, " is not three numbers", what_view_reads);
  ion.position_A = {position[0].get<double>(), position[1].get<double>(), position[2].get<double>()};
  ion.energy_kT = part.number("energy_kT");
  ion.nearest_solute_A = part.number("nearest_solute_A");
  ion.nearest_ion_A = part.number("nearest_ion_A");
  if (part.has("probability")) ion.probability = part.number("probability");
  ion.by_chance = part.has("placed_by") && part.text("placed_by") == "chance";
  return ion;
}

}  // namespace

ReportFile parse_report(std::string_view text, const std::string& name) {
  if (is_nested_too_deep(text))
    fail(name, ": is nested more than ", deepest_json, " deep, as no report is", what_view_reads);
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::parse_error& error) {
    if (error.byte > text.size()) fail(name, ": is JSON that ends too early", what_view_reads);
    fail(name, ": is no JSON, by its byte ", error.byte, what_view_reads);
  } catch (const Json::out_of_range&) {
    fail(name, ": has a number too large for one", what_view_reads);
  }
  const ReportPart report(json, name + ": the report");
  constexpr std::int64_t known_schema = 1;
  if (const std::int64_t schema = report.whole_number("schema_version"); schema != known_schema)
    fail(name, ": is a report of schema version ", schema, ", and this is ionwell of schema version ",
         known_schema, "; read it with the ionwell that wrote it");
  const ReportPart structure = report.part("structure");
  ReportFile file{.version = report.text("version"),
                  .command = report.text("command"),
                  .path = structure.text("path"),
                  .atoms = structure.whole_number("atoms"),
                  .charge_before_e = structure.number("net_charge_e"),
                  .charge_after_e = report.number("net_charge_after_e"),
                  .placement = {},
                  .neighbours = {},
                  .timings_s = {},
                  .warnings = {}};
  file.placement.requested = report.whole_number("requested_ions");
  for (const Json& entry : report.list("ions")) {
    const ReportPart part(entry, name + ": ion " + std::to_string(file.placement.ions.size() + 1));
    PlacedIon ion = ion_of(part);
    ion.nearest_atom = file.neighbours.atoms.size();
    file.neighbours.atoms.push_back(part.has("nearest_atom") ? atom_of(part.part("nearest_atom")) : Atom());
    file.placement.ions.push_back(std::move(ion));
  }
  const Json& timings = report.at("timings_s");
  const ReportPart stages = report.part("timings_s");
  for (const auto& [stage, unused] : timings.items())
    file.timings_s.emplace_back(one_line(stage), stages.number(stage.c_str()));
  for (const Json& warning : report.list("warnings")) {
    if (!warning.is_string()) fail(name, ": a warning is no text in quotes", what_view_reads);
    file.warnings.push_back(one_line(warning.get<std::string>()));
  }
  return file;
}

ReportFile read_report(const std::string& path) {
  InputFile input(path);
  const std::string name = input.name();
  const FileBytes bytes = read_input_file(std::move(input));
  return parse_report(bytes.text(), name);
}

}  // namespace ionwell
