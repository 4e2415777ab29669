// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/example.hpp"
#include "support/report.hpp"
#include "support/run_program.hpp"

using namespace ionwell::test;
using nlohmann::json;

namespace {

/// Lines of the ions of this residue in a PDB file, from chain and number on left out.
std::vector<std::string> ions_of(const std::string& path, const std::string& residue) {
  std::vector<std::string> ions;
  const std::string text = read_text(path);
  for (std::size_t at = text.find("HETATM"); at != std::string::npos; at = text.find("HETATM", at + 1))
    if (text.substr(at + 17, 3).find(residue) != std::string::npos) ions.push_back(text.substr(at + 30, 24));
  return ions;
}

ProgramResult run_with(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return run_ionwell(words);
}

/// One lattice for solutes with and without ions at sites.
const std::string box = "-20,-28,-28,68,28,28";

}  // namespace

TEST_CASE("place --model sites with others: they go where they go around a solute that has the first") {
  const TemporaryFolder folder;
  const std::string at_sites = folder / "mg.pdb", with_mg = folder / "with_mg.pqr",
                    both = folder / "both.pdb";
  const std::vector<std::string> sites = {"place", duplex, "--model", "sites", "--ion", "MG:3", "--box", box};
  REQUIRE(run_with(sites, {"-o", at_sites}).exit_code == 0);
  REQUIRE(run_with(sites, {"-o", with_mg, "--with-solute"}).exit_code == 0);
  const std::vector<std::string> sodium = {"--ion", "NA:neutralize", "--ionic-strength", "0.15"};
  const std::vector<std::string> around = {"place",     with_mg, "--box", box,
                                           "--ion-ion", "5.01",  "-o",    folder / "na.pdb"};
  REQUIRE(run_with(around, sodium).exit_code == 0);
  // 5 A from the Mg2+ of a solute is too near, and from another ion far enough.
  const ProgramResult result =
      run_with(sites, {"-o", both, "--ion-ion", "5.01", "--report", folder / "report.json", "--ion",
                       "NA:neutralize", "--ionic-strength", "0.15"});
  REQUIRE_MESSAGE(result.exit_code == 0, result.err);
  CHECK(ions_of(both, "MG") == ions_of(at_sites, "MG"));
  CHECK(ions_of(both, "NA").size() == 16);
  CHECK(ions_of(both, "NA") == ions_of(folder / "na.pdb", "NA"));
  CHECK(result.out.find("\nother ions      Debye-Hueckel, 0.15 M") != std::string::npos);
  CHECK(result.out.find("\nexpected ") == std::string::npos);  // as many as were asked for
  const json report = report_of(folder);
  CHECK(report["method"] != "sites");
  CHECK(report["site_model"]["exclusion"]["ion_solute_A"] == 1.7);
  CHECK(report["exclusion"]["ion_ion_A"] == 5.01);
  CHECK(report["requested_ions"] == 19);
  CHECK(report["net_charge_after_e"] == 0.0);
  CHECK(report["ions"][2].contains("probability"));
  CHECK_FALSE(report["ions"][3].contains("probability"));
  for (const json& ion : report["ions"]) CHECK(ion["nearest_ion_A"].get<double>() >= 4.999);
}

TEST_CASE("place and prepare --ion MG:likely with others: files as of that number, and a charge of zero") {
  const TemporaryFolder folder;
  for (const std::string command : {"place", "prepare"}) {
    CAPTURE(command);
    const std::vector<std::string> words = [&] {
      std::vector<std::string> all = {command,     duplex, "--model", "sites",
                                      "--hydrate", "MG:6", "--for",   "amber"};
      if (command == "prepare") all.insert(all.end(), {"--padding", "5"});
      return all;
    }();
    const std::string report = folder / (command + ".json");
    const auto run = [&](const std::string& magnesium, const std::string& to) {
      return run_with(words, {"--ion", magnesium, "--ion", "NA:neutralize", "-o", folder / (command + to),
                              "--report", report});
    };
    const ProgramResult likely = run("MG:likely:0.07", "-likely");
    REQUIRE_MESSAGE(likely.exit_code == 0, likely.err);
    const json told = json::parse(read_text(report));
    const json& placed = command == "place" ? told : told["sites"];
    std::size_t magnesium = 0;
    double sum = 0.0;
    for (const json& ion : placed["ions"])
      if (ion["name"] == "MG") {
        ++magnesium;
        sum += ion["probability"].get<double>();
        CHECK(ion["probability"] >= 0.07);
      }
    REQUIRE(magnesium > 0);
    CHECK(placed["expected_sites"]["ions_near_site"].get<double>() == doctest::Approx(sum));
    CHECK(placed["expected_sites"]["next_probability"] < 0.07);
    CHECK(placed["expected_sites"].contains("recall"));
    CHECK(told["net_charge_after_e"] == 0.0);
    CHECK(likely.out.find("\nexpected        0.") != std::string::npos);
    CHECK(likely.out.find(" % of the sites of other crystals") != std::string::npos);

    const ProgramResult fixed = run("MG:" + std::to_string(magnesium), "-fixed");
    REQUIRE_MESSAGE(fixed.exit_code == 0, fixed.err);
    CHECK(fixed.out.find("\nexpected ") == std::string::npos);
    for (const char* file : {"/ions.pdb", "/solute.pdb", "/leap.in", "/water.pdb"}) {
      const std::string text = read_text(folder / (command + "-likely" + file));
      CHECK(text.size() > 100);
      CHECK(text == read_text(folder / (command + "-fixed" + file)));
    }

    const ProgramResult none = run("MG:likely:0.99", "-none");
    REQUIRE_MESSAGE(none.exit_code == 0, none.err);
    CHECK(none.out.find("no MG: the first would be near a site with a probability of ") != std::string::npos);
    CHECK(json::parse(read_text(report))["net_charge_after_e"] == 0.0);
  }
}

TEST_CASE("place --model sites with others: what does not go with them is refused") {
  const TemporaryFolder folder;
  const auto error = [&](const std::vector<std::string>& more) {
    const ProgramResult result =
        run_with({"place", duplex, "--model", "sites", "-o", folder / "ions.pdb"}, more);
    CHECK(result.exit_code == 2);
    return result.err;
  };
  const std::vector<std::string> ions = {"--ion", "MG:2", "--ion", "NA:4"};
  const auto with_others = [&](std::vector<std::string> more) {
    more.insert(more.end(), ions.begin(), ions.end());
    return error(more);
  };
  CHECK(with_others({"--pb", "own"}).find("--pb own has no effect with --model sites") != std::string::npos);
  CHECK(with_others({"--save-map", folder / "m.dx"}).find("--save-map has no effect with") !=
        std::string::npos);
  CHECK(error({"--ion", "MG:2", "--ion", "MG:3", "--ddd", "3"})
            .find("--ddd has no effect with --model sites") != std::string::npos);
  CHECK(error({"--ion", "MG:likely", "--ion", "NA:1", "--ion", "MG:2"})
            .find("--ion MG:2 is given after ions whose number follows") != std::string::npos);
}
