#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "output/chemistry_report.hpp"
#include "output/solvated_files.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

TEST_CASE("report: the table of chemistry has all rows, and a report without rows stays as it is") {
  const std::vector<ChemistryRow> rows(25, {"PTR 527 A", "kept", "modified", "--replace-nonstandard"});
  const std::string report = "{\n  \"version\": \"1\"\n}\n";
  CHECK(with_chemistry(report, {}) == report);
  const auto json = nlohmann::json::parse(with_chemistry(report, rows));
  CHECK(json["version"] == "1");
  REQUIRE(json["chemistry"].size() == 25);
  CHECK(json["chemistry"][24]["residue"] == "PTR 527 A");
  CHECK(json["chemistry"][24]["otherwise"] == "--replace-nonstandard");
  const std::vector<ChemistryRow> plain = {{"GLY 1 A", "what", "why", ""}};
  CHECK(nlohmann::json::parse(with_chemistry(report, plain))["chemistry"][0]["otherwise"].is_null());
}

TEST_CASE("report: a folder for an engine is refused for what it cannot have, with the residues") {
  const std::vector<ChemistryRow> rows = {{"HIS 4 A", "its proton is on NE2 (HIE)", "ND1 is near", ""},
                                          {"CYS 6 A", "disulfide bond to CYS 9 A", "near", "", true}};
  CHECK(error_of([&] { check_folder_chemistry(Engine::openmm, rows); })
            .starts_with(
                "--for: a folder for an engine cannot have the chemistry of CYS 6 A (disulfide bond to "
                "CYS 9 A) yet; "));
  CHECK_NOTHROW(check_folder_chemistry(Engine::openmm, std::span(rows).first(1)));
}

TEST_CASE("report: the check of what a folder for an engine is made of includes the chemistry") {
  Input input;
  CHECK_NOTHROW(check_engine_input(Engine::openmm, input));
  input.chemistry = {{"CYS 6 A", "disulfide bond to CYS 9 A", "near", "", true}};
  CHECK(error_of([&] { check_engine_input(Engine::openmm, input); }).find("CYS 6 A") != std::string::npos);
}
