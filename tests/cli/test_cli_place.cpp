// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/example.hpp"
#include "support/report.hpp"
#include "support/run_program.hpp"
#include "support/skip.hpp"
#include "support/source_folder.hpp"

using namespace ionwell::test;
using nlohmann::json;

namespace {

std::vector<std::string> ion_records(const std::string& pdb) {
  std::vector<std::string> records;
  std::istringstream lines(pdb);
  for (std::string line; std::getline(lines, line);)
    if (line.substr(0, 6) == "HETATM" || line.substr(0, 6) == "ATOM  ") records.push_back(line);
  return records;
}

}  // namespace

TEST_CASE("place: writes ions and report, and shows them on the terminal") {
  const TemporaryFolder folder;
  const ProgramResult result = run_ionwell({"place", duplex, "--ion", "MG:4", "--ion", "NA:neutralize", "-o",
                                            folder / "ions.pdb", "--report", folder / "run.json"});
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  CHECK(folder.entries() == std::vector<std::string>{"ions.pdb", "run.json"});
  CHECK(ion_records(read_text(folder / "ions.pdb")).size() == 4 + 14);  // the duplex has -22 e
  for (const char* const expected : {"758", "-22 e", "Coulomb", "MG", folder.path().c_str()})
    CHECK(result.out.find(expected) != std::string::npos);

  const json report = report_of(folder / "run.json");
  CHECK(report["command"].get<std::string>().find("place") != std::string::npos);
  CHECK(report["structure"]["atoms"] == 758);
  CHECK(report["structure"]["net_charge_e"].get<double>() == doctest::Approx(-22.0));
  CHECK(report["lattice"]["spacing_A"] == json({0.5, 0.5, 0.5}));
  CHECK(report["method"] == "msm");  // 758 charges on 857,000 points: faster than the direct sum
  CHECK(report["backend"]["kind"] == "cpu");
  CHECK(report["backend"]["threads"].get<int>() >= 1);
  for (const char* const stage : {"read", "potential", "exclusion", "placement", "write", "total"})
    CHECK(report["timings_s"][stage].get<double>() >= 0.0);
  CHECK(report["memory_bytes"]["host_peak"].get<double>() > 1e6);
  REQUIRE(report["ions"].size() == 18);
  CHECK(report["ions"][0]["name"] == "MG");
  CHECK(report["ions"][17]["charge_e"] == 1.0);
  for (std::size_t i = 0; i < report["ions"].size(); ++i) {
    CHECK(report["ions"][i]["nearest_solute_A"].get<double>() > 5.0);
    CHECK(report["ions"][i]["nearest_ion_A"].get<double>() >= 5.0);
  }
}

TEST_CASE("place: --quiet prints nothing, and threads and SIMD change no ion") {
  const TemporaryFolder folder;
  const std::vector<std::vector<std::string>> variants = {
      {"--threads", "1"}, {"--threads", "3"}, {"--tune", "simd=baseline"}, {"--tune", "no-refine"}};
  std::vector<std::string> first;
  for (const std::vector<std::string>& variant : variants) {
    CAPTURE(variant.back());
    std::vector<std::string> arguments = {
        "place", duplex, "--ion", "MG:7", "--spacing", "1", "-o", folder / "ions.pdb", "--quiet"};
    arguments.insert(arguments.end(), variant.begin(), variant.end());
    const ProgramResult result = run_ionwell(arguments);
    CHECK(result.exit_code == 0);
    CHECK((result.out + result.err).empty());
    const std::vector<std::string> ions = ion_records(read_text(folder / "ions.pdb"));
    REQUIRE(ions.size() == 7);
    if (first.empty()) first = ions;
    CHECK(ions == first);
  }
}

TEST_CASE("place: when no free point is left nothing is written, unless fewer ions are allowed") {
  const TemporaryFolder folder;
  const std::vector<std::string> arguments = {"place", duplex,      "--ion", "MG:3", "--ion-ion",
                                              "500",   "--spacing", "1",     "-o",   folder / "ions.pdb"};
  const ProgramResult refused = run_ionwell(arguments);
  CHECK(refused.exit_code == 3);
  CHECK(refused.err.find("ionwell: only 1 of 3 ions found room") == 0);
  for (const char* const way_out : {"--ion-ion (500 A)", "--ion-solute (5 A)", "--border", "--allow-fewer"})
    CHECK(refused.err.find(way_out) != std::string::npos);
  CHECK(folder.entries().empty());

  std::vector<std::string> allowed = arguments;
  allowed.insert(allowed.end(), {"--allow-fewer", "--report", folder / "run.json"});
  const ProgramResult written = run_ionwell(allowed);
  CHECK(written.exit_code == 3);
  CHECK(ion_records(read_text(folder / "ions.pdb")).size() == 1);
  CHECK(report_of(folder / "run.json")["ions"].size() == 1);

  // A box within the solute: not one point is free.
  const ProgramResult none = run_ionwell({"place", duplex, "--ion", "MG:1", "--box", "0,7,0.5,0.5,8,1.5",
                                          "-o", folder / "none.pdb", "--allow-fewer"});
  CHECK(none.exit_code == 3);
  CHECK(none.err.find("ionwell: no ion found room, because no lattice point was free; ") == 0);
  CHECK(none.err.find("a larger --box") != std::string::npos);
  CHECK(folder.entries() == std::vector<std::string>{"ions.pdb", "run.json"});
}

TEST_CASE("place: ions that the solute repels get one warning") {
  const TemporaryFolder folder;
  const ProgramResult result =
      run_ionwell({"place", duplex, "--ion", "CL:3", "--spacing", "1", "-o", folder / "ions.pdb"});
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("ionwell: warning: ") == 0);
  CHECK(result.err.find("energy") != std::string::npos);
  CHECK(result.err.find('\n') == result.err.size() - 1);
}

TEST_CASE("place: a long list of ions is cut on the terminal, not in the files") {
  const TemporaryFolder folder;
  const ProgramResult result = run_ionwell({"place", duplex, "--ion", "NA:60", "--spacing", "1", "-o",
                                            folder / "ions.pdb", "--report", folder / "run.json"});
  CHECK(result.exit_code == 0);
  CHECK(std::count(result.out.begin(), result.out.end(), '\n') < 60);
  CHECK(ion_records(read_text(folder / "ions.pdb")).size() == 60);
  CHECK(report_of(folder / "run.json")["ions"].size() == 60);
}

TEST_CASE("place and map: save the potential, with the solute's atoms before the ions if wanted") {
  const TemporaryFolder folder;
  const ProgramResult placed = run_ionwell({"place", duplex, "--ion", "MG:2", "--spacing", "2", "-o",
                                            folder / "all.pdb", "--with-solute", "--save-map",
                                            folder / "before.dx", "--save-map-after", folder / "after.dx"});
  CHECK(placed.exit_code == 0);
  CHECK(ion_records(read_text(folder / "all.pdb")).size() == 758 + 2);
  const ProgramResult mapped = run_ionwell({"map", duplex, "--spacing", "2", "-o", folder / "map.dx"});
  CHECK(mapped.exit_code == 0);
  CHECK(folder.entries() == std::vector<std::string>{"after.dx", "all.pdb", "before.dx", "map.dx"});
  const auto body = [&](const std::string& name) {
    const std::string text = read_text(folder / name);
    return text.substr(text.find("object 1"));
  };
  CHECK(body("before.dx") == body("map.dx"));
  CHECK(body("before.dx") != body("after.dx"));
  CHECK(body("map.dx").find(" 0.000000e+00") == std::string::npos);  // excluded points have a potential, too
}

TEST_CASE("compare: ions against themselves are all found") {
  const TemporaryFolder folder;
  REQUIRE(run_ionwell({"place", duplex, "--ion", "MG:3", "--spacing", "1", "-o", folder / "ions.pdb"})
              .exit_code == 0);
  const ProgramResult result =
      run_ionwell({"compare", folder / "ions.pdb", folder / "ions.pdb", "--report", folder / "sites.json"});
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  CHECK(result.out.find('3') != std::string::npos);
  CHECK_FALSE(report_of(folder / "sites.json").empty());
}

TEST_CASE("place: the published protocol on real structures gives the reference's ions") {
  const char* const set = std::getenv("IONWELL_SHARED_DATA");
  const std::string shared = set != nullptr ? set : source_folder() + "/../shared";
  if (!std::filesystem::exists(shared + "/reference/430d.json")) {
    skip("no shared data in " + shared + "; IONWELL_SHARED_DATA says where they are");
    return;
  }
  struct Protocol {
    std::string name;
    std::vector<std::string> options;
    double energy_tolerance;  // the DDD reference is a single-precision program's
  };
  for (const Protocol& protocol :
       {Protocol{"direct", {}, 1e-5}, Protocol{"direct", {"--method", "direct"}, 1e-5},
        Protocol{"direct", {"--method", "msm"}, 1e-5},
        Protocol{"direct",
                 {"--tune", "msm-basis=cubic", "--tune", "msm-cutoff=12", "--tune", "msm-spacing=2"},
                 1e-5},
        Protocol{"ddd", {"--ddd", "3", "--method", "direct"}, 1e-4},
        Protocol{"ddd", {"--ddd", "3", "--method", "msm"}, 1e-4}}) {
    CAPTURE(protocol.name);
    const TemporaryFolder folder;
    std::vector<std::string> arguments = {"place",    shared + "/data/structures/430d.pqr.gz",
                                          "--ion",    "MG:7",
                                          "-o",       folder / "ions.pdb",
                                          "--report", folder / "run.json"};
    arguments.insert(arguments.end(), protocol.options.begin(), protocol.options.end());
    REQUIRE(run_ionwell(arguments).exit_code == 0);
    const json found = report_of(folder / "run.json")["ions"];
    const json expected = report_of(shared + "/reference/430d.json")["runs"][protocol.name];
    REQUIRE(found.size() == expected["positions_A"].size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      CAPTURE(i);
      for (std::size_t axis = 0; axis < 3; ++axis)
        CHECK(std::abs(found[i]["position_A"][axis].get<double>() -
                       expected["positions_A"][i][axis].get<double>()) < 0.01);
      CHECK(found[i]["energy_kT"].get<double>() ==
            doctest::Approx(expected["energy_kT"][i].get<double>()).epsilon(protocol.energy_tolerance));
    }
  }
}
