#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "fuzz/report_invariants.hpp"
#include "jobs/place/job/report.hpp"
#include "output/views/report_file.hpp"
#include "support/error_of.hpp"
#include "support/source_folder.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell;
using ionwell::test::error_of;
using nlohmann::json;

namespace {

std::string written_report() {
  Structure structure{.path = "rna.pqr"};
  structure.atoms.push_back({.charge_e = -2.0,
                             .name = "OP1",
                             .residue = "G",
                             .chain = "A",
                             .residue_number = 7,
                             .insertion_code = 'B'});
  Result result{.run = {.command = "ionwell place rna.pqr"},
                .structure = structure,
                .potential = {.lattice = {{0, 0, 0}, {1, 1, 1}, {1, 1, 1}}, .electrostatics = {}}};
  result.placement.requested = 3;
  result.placement.ions.push_back({.species = {"MG", "MG", 2.0},
                                   .position_A = {1.5, -2.5, 3.25},
                                   .energy_kT = -12.25,
                                   .nearest_solute_A = 5.125});
  result.placement.ions.push_back(
      {.species = {"NA", "NA", 1.0}, .probability = 0.25, .nearest_solute_A = 6.0, .nearest_ion_A = 7.0});
  result.run.timings_s = {{"read", 0.5}, {"total", 1.5}};
  result.run.warnings = {"careful"};
  return json_report(result);
}

/// The report with one key of it changed; null takes it away.
std::string changed(const json::json_pointer& where, const json& value) {
  json report = json::parse(written_report());
  report[where] = value;
  return report.dump();
}

}  // namespace

TEST_CASE("report file: gives back what was written") {
  const ReportFile report = parse_report(written_report(), "r.json");
  CHECK(report.command == "ionwell place rna.pqr");
  CHECK(report.path == "rna.pqr");
  CHECK(report.atoms == 1);
  CHECK(report.charge_before_e == -2.0);
  CHECK(report.charge_after_e == 1.0);
  CHECK(report.placement.requested == 3);
  REQUIRE(report.placement.ions.size() == 2);
  const PlacedIon &first = report.placement.ions[0], &second = report.placement.ions[1];
  CHECK(first.species.name == "MG");
  CHECK(first.species.charge_e == 2.0);
  CHECK(first.position_A.y == -2.5);
  CHECK(first.energy_kT == -12.25);
  CHECK_FALSE(std::isfinite(first.nearest_ion_A));
  CHECK_FALSE(first.probability.has_value());
  CHECK(second.probability.value_or(0) == 0.25);
  CHECK(second.nearest_ion_A == 7.0);
  CHECK(describe(report.neighbours.atoms[second.nearest_atom]) == "G 7B A OP1");
  CHECK(report.timings_s == std::vector<std::pair<std::string, double>>{{"read", 0.5}, {"total", 1.5}});
  CHECK(report.warnings == std::vector<std::string>{"careful"});
}

TEST_CASE("report file: what is no report of placed ions is named") {
  const auto message = [](const std::string& text) {
    return error_of([&] { parse_report(text, "r.json"); });
  };
  CHECK(message("{").starts_with("r.json: is JSON that ends too early; give a report of"));
  CHECK(message("ATOM 1").starts_with("r.json: is no JSON, by its byte 1;"));
  CHECK(message("[]").starts_with("r.json: the report is no object in { };"));
  const auto nested = [](int deep) {
    return std::string(std::size_t(deep), '[') + "\"[[\\\"[\"" + std::string(std::size_t(deep), ']');
  };
  CHECK(message(nested(100)).starts_with("r.json: the report is no object in { };"));
  CHECK(message(nested(101))
            .starts_with("r.json: is nested more than 100 deep, as no report is; give a report"));
  CHECK(message("{}").starts_with("r.json: the report has no \"schema_version\";"));
  CHECK(message(changed("/schema_version"_json_pointer, 2)).find("schema version 2") != std::string::npos);
  CHECK(message(changed("/ions"_json_pointer, "none")).find("\"ions\" is no list") != std::string::npos);
  CHECK(message(changed("/ions/1"_json_pointer, 5)).starts_with("r.json: ion 2 is no object"));
  CHECK(message(changed("/ions/1/energy_kT"_json_pointer, "low"))
            .starts_with("r.json: ion 2, \"energy_kT\" is no number;"));
  CHECK(message(changed("/ions/0/position_A"_json_pointer, {1, 2})).find("three numbers") !=
        std::string::npos);
  CHECK(message(changed("/structure/atoms"_json_pointer, 1.5)).find("whole number") != std::string::npos);
  CHECK(message(changed("/ions/0/nearest_atom/residue_number"_json_pointer, 1e12)).find("residue's number") !=
        std::string::npos);
}

TEST_CASE("report file: no text of it can command a terminal") {
  const ReportFile report =
      parse_report(changed("/command"_json_pointer, "a\x1b[2Jb\u009bc\x7f\u00c5\n"), "r.json");
  CHECK(report.command == "a?[2Jb?c?\u00c5?");
  CHECK(parse_report(changed("/ions/0/name"_json_pointer, "M\x07G"), "r").placement.ions[0].species.name ==
        "M?G");
}

TEST_CASE("report file: what the fuzzer starts from keeps its invariant") {
  int files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(test::source_folder() + "/tests/data/fuzz/reports")) {
    const std::string name = entry.path().filename().string();
    CAPTURE(name);
    CHECK(ionwell::test::broken_report_invariant(ionwell::test::read_text(entry.path().string())) == "");
    ++files;
  }
  CHECK(files > 0);
  // Cut after every byte, too.
  const std::string report = written_report();
  for (std::size_t length = 0; length < report.size(); length += 7)
    CHECK(ionwell::test::broken_report_invariant(report.substr(0, length)) == "");
}
