// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "output/chemistry_report.hpp"

using namespace ionwell;

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
