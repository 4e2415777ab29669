// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "core/version.hpp"
#include "jobs/place/job/report.hpp"

using namespace ionwell;
using nlohmann::json;

namespace {

Structure solute() {
  Structure structure{.path = "rna.pqr"};
  structure.atoms.push_back(
      {.charge_e = -2.5, .name = "OP1", .residue = "G", .chain = "A", .residue_number = 7});
  structure.atoms.push_back(
      {.charge_e = -1.5, .name = "P", .residue = "C", .residue_number = 8, .insertion_code = 'B'});
  return structure;
}

const IonSpecies magnesium{"MG", "MG", 2.0};
const IonSpecies sodium{"Na+", "NA", 1.0};

Result report_of(const Structure& structure, std::size_t ions) {
  Result report{
      .run = {.command = "ionwell place rna.pqr"},
      .structure = structure,
      .potential = {.lattice = {{-10.0, 0.5, 3.25}, {0.5, 0.5, 0.5}, {3, 4, 5}}, .electrostatics = {}},
      .exclusion = ExclusionOptions{}};
  report.run.device = "avx2";
  report.run.threads = 2;
  report.run.timings_s = {{"read", 0.25}, {"total", 1.5}};
  report.run.host_peak_bytes = 1'000'000;
  report.placement.requested = std::int64_t(ions);
  for (std::size_t i = 0; i < ions; ++i)
    report.placement.ions.push_back({.species = i == 0 ? magnesium : sodium,
                                     .lattice_index = 17,
                                     .position_A = {1.5, -2.5, double(i)},
                                     .energy_kT = -12.25,
                                     .nearest_atom = i % 2,
                                     .nearest_solute_A = 5.125});
  return report;
}

}  // namespace

TEST_CASE("report: JSON holds what schema version 1 names") {
  const Structure structure = solute();
  Result report = report_of(structure, 2);
  report.placement.ions[1].nearest_ion_A = 6.5;
  report.statistics = FieldStatistics{.available_points = 60, .exact_sums = 3};
  report.run.warnings = {"careful"};
  const json parsed = json::parse(json_report(report));
  CHECK(parsed["schema_version"] == 1);
  CHECK(parsed["version"] == version());
  CHECK(parsed["command"] == "ionwell place rna.pqr");
  CHECK(parsed["structure"] == json{{"path", "rna.pqr"}, {"atoms", 2}, {"net_charge_e", -4.0}});
  CHECK(parsed["lattice"] ==
        json{{"origin_A", {-10.0, 0.5, 3.25}}, {"spacing_A", {0.5, 0.5, 0.5}}, {"counts", {3, 4, 5}}});
  CHECK(parsed["method"] == "direct");
  CHECK(parsed["backend"] ==
        json{{"kind", "cpu"}, {"device", "avx2"}, {"lattice_on", "host"}, {"threads", 2}});
  CHECK(parsed["timings_s"] == json{{"read", 0.25}, {"total", 1.5}});
  CHECK(parsed["memory_bytes"] == json{{"host_peak", 1'000'000}, {"device_peak", nullptr}});
  CHECK(parsed["exclusion"] == json{{"ion_solute_A", 5.0}, {"ion_ion_A", 5.0}});
  CHECK(parsed["statistics"]["available_points"] == 60);
  CHECK(parsed["statistics"]["exact_sums"] == 3);
  CHECK(parsed["net_charge_after_e"] == -1.0);
  CHECK(parsed["warnings"] == json{"careful"});
  REQUIRE(parsed["ions"].size() == 2);
  const json& first = parsed["ions"][0];
  CHECK(first["index"] == 1);
  CHECK(first["name"] == "MG");
  CHECK(first["charge_e"] == 2.0);
  CHECK(first["position_A"] == json{1.5, -2.5, 0.0});
  CHECK(first["energy_kT"] == -12.25);
  CHECK(first["nearest_solute_A"] == 5.125);
  CHECK(first["nearest_atom"]["residue_number"] == 7);
  CHECK(first["nearest_ion_A"].is_null());  // the only one so far: infinite
  CHECK(parsed["ions"][1]["nearest_ion_A"] == 6.5);
  CHECK(parsed["ions"][1]["nearest_atom"]["insertion_code"] == "B");
}

TEST_CASE("report: numbers and text that JSON cannot hold do not break it") {
  const Structure structure = solute();
  Result report = report_of(structure, 1);
  report.run.command = "ionwell place caf\xe9.pqr \"quoted\"";
  report.placement.ions[0].energy_kT = std::numeric_limits<double>::quiet_NaN();
  report.exclusion.reset();
  report.potential.electrostatics.ionic_strength_M = 0.15;
  const json parsed = json::parse(json_report(report));
  CHECK(parsed["command"] == "ionwell place caf\xef\xbf\xbd.pqr \"quoted\"");
  CHECK(parsed["ions"][0]["energy_kT"].is_null());
  CHECK_FALSE(parsed.contains("exclusion"));
  CHECK_FALSE(parsed.contains("statistics"));
  CHECK(parsed["electrostatics"] == json{{"kind", "debye_hueckel"},
                                         {"dielectric", 78.54},
                                         {"ddd_per_A", nullptr},
                                         {"ionic_strength_M", 0.15},
                                         {"temperature_K", 298.15}});
}

TEST_CASE("report: remarks tell the protocol and what the ions do to the charge") {
  const Structure structure = solute();
  Result report = report_of(structure, 3);
  const auto begins = [&](std::size_t remark, const std::string& expected) {
    const std::string found = protocol_remarks(report).at(remark);
    CAPTURE(found);
    CHECK(found.substr(0, expected.size()) == expected);
  };
  begins(0, std::string("Ions placed by ionwell ") + version() + " around rna.pqr");
  begins(1, "Electrostatics: Coulomb, dielectric 1 at 298.15 K; ");
  begins(2, "Distances: ion to solute more than 5 A, ion to ion at least 5 A");
  begins(3, "Lattice: 3 x 4 x 5 points, 0.5 A apart, from -10 0.5 3.25 A");
  begins(4, "Ions: 1 MG (+2), 2 Na+ (+1)");
  begins(5, "Net charge: -4 e before, 0 e after");
  report.potential.electrostatics.ddd_per_A = 3.0;
  begins(1, "Electrostatics: distance-dependent dielectric 3 r at 298.15 K; ");
  report.potential.electrostatics = {.ionic_strength_M = 0.15};
  begins(1, "Electrostatics: Debye-Hueckel, ionic strength 0.15 M, dielectric 78.54 at 298.15 K; ");
  report.placement.ions.clear();
  begins(4, "Ions: none");
}

TEST_CASE("report: positions are approximate where ions were placed, and a map has none") {
  const Structure structure = solute();
  Result report = report_of(structure, 1);
  CHECK(describe_placement(report) == describe_method(report));
  report.refined = false;
  CHECK(describe_placement(report) == "direct sum, not refined: positions are approximate");
  CHECK(describe_method(report) == "direct sum");
}
