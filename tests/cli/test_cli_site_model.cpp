// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <sstream>

#include "support/example.hpp"
#include "support/report.hpp"
#include "support/run_program.hpp"

using namespace ionwell::test;

namespace {

/// Coordinates of the ions in a PDB file.
std::string ions_in(const std::string& path) {
  std::string ions;
  const std::string text = read_text(path);
  for (std::size_t at = text.find("HETATM"); at != std::string::npos; at = text.find("HETATM", at + 1))
    ions += text.substr(at, 54) + '\n';
  return ions;
}

}  // namespace

TEST_CASE("place --model sites: ions with their chances, the same on any number of threads") {
  const TemporaryFolder folder;
  const auto place = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {
        "place", duplex, "--ion", "MG:5", "-o", folder / "ions.pdb", "--report", folder / "report.json"};
    words.insert(words.end(), more.begin(), more.end());
    return run_ionwell(words);
  };
  const ProgramResult one = place({"--model", "sites", "--threads", "1"});
  REQUIRE(one.exit_code == 0);
  CHECK(one.out.find("site model of MG") != std::string::npos);
  CHECK(one.out.find("near a site") != std::string::npos);
  const std::string ions = ions_in(folder / "ions.pdb");
  nlohmann::json report = report_of(folder);
  CHECK(report["method"] == "sites");
  CHECK(report["site_model"]["learned_score"] == true);
  CHECK(report["site_model"]["provenance"].get<std::string>().find("fit-sites") != std::string::npos);
  CHECK(report["exclusion"]["ion_solute_A"] == 1.7);
  REQUIRE(report["ions"].size() == 5);
  double before_kT = -1e9;
  for (const auto& ion : report["ions"]) {
    CHECK(ion["energy_kT"].get<double>() >= before_kT);
    before_kT = ion["energy_kT"];
    CHECK(ion["probability"].get<double>() > 0.0);
    CHECK(ion["probability"].get<double>() < 1.0);
    CHECK(ion["site_energy_kT"].is_number());
    CHECK(ion["nearest_ion_A"].get<double>() >= 4.999);
    CHECK(ion["above_zero"] == false);
  }
  REQUIRE(place({"--model", "sites", "--threads", "3"}).exit_code == 0);
  CHECK(ions_in(folder / "ions.pdb") == ions);

  REQUIRE(place({"--model", "site-terms"}).exit_code == 0);
  report = report_of(folder);
  CHECK(report["site_model"]["learned_score"] == false);
  CHECK_FALSE(report["ions"][0].contains("probability"));
  CHECK(report["ions"][0]["energy_kT"].get<double>() < 0.0);

  REQUIRE(place({"--model", "sites", "--ion-ion", "9", "--ion-solute", "3"}).exit_code == 0);
  report = report_of(folder);
  for (const auto& ion : report["ions"]) CHECK(ion["nearest_ion_A"].get<double>() >= 8.999);

  // More than the points that get a score at first have room for.
  REQUIRE(place({"--model", "sites", "--ion", "MG:200"}).exit_code == 0);
  CHECK(report_of(folder)["ions"].size() == 205);
  const ProgramResult many = place({"--model", "sites", "--ion", "MG:900"});
  CHECK(many.exit_code == 3);
  CHECK(many.err.find("A) or --ion-solute (1.7 A) makes room") != std::string::npos);
}

TEST_CASE("place --ion MG:likely: ions down to a probability, and how many sites to expect") {
  const TemporaryFolder folder;
  const auto place = [&](const std::string& ion, const std::vector<std::string>& more) {
    std::vector<std::string> words = {
        "place", duplex, "--ion", ion, "-o", folder / "ions.pdb", "--report", folder / "report.json"};
    words.insert(words.end(), more.begin(), more.end());
    return run_ionwell(words);
  };
  REQUIRE(place("MG:4", {"--model", "sites"}).exit_code == 0);
  const std::string four = ions_in(folder / "ions.pdb");
  const nlohmann::json all = report_of(folder);
  CHECK_FALSE(all["expected_sites"].contains("next_probability"));
  std::size_t likely = 0;
  double sum = 0.0;
  for (const auto& ion : all["ions"])
    if (ion["probability"] >= 0.1) {
      ++likely;
      sum += ion["probability"].get<double>();
    }
  REQUIRE(likely > 0);
  REQUIRE(likely < 4);

  const ProgramResult placed = place("MG:likely:0.1", {"--model", "sites"});
  CHECK(placed.exit_code == 0);
  CHECK(placed.out.find("within 3 A of a site (") != std::string::npos);
  CHECK(placed.out.find("\nrecall          48 % of the sites of other crystals") != std::string::npos);
  const nlohmann::json report = report_of(folder);
  CHECK(report["ions"].size() == likely);
  CHECK(report["requested_ions"] == likely);
  CHECK(four.starts_with(ions_in(folder / "ions.pdb")));
  CHECK(report["expected_sites"]["ions_near_site"].get<double>() == doctest::Approx(sum));
  CHECK(report["expected_sites"]["precision"].get<double>() == doctest::Approx(sum / double(likely)));
  CHECK(report["expected_sites"]["next_probability"].get<double>() ==
        doctest::Approx(all["ions"][likely]["probability"].get<double>()));

  const ProgramResult none = place("MG:likely:0.99", {"--model", "sites"});
  CHECK(none.exit_code == 0);
  CHECK(none.out.find("no MG: the first would be near a site with a probability of ") != std::string::npos);
  CHECK(report_of(folder)["ions"].empty());

  const auto refused = [&](const std::string& ion, const std::vector<std::string>& more) {
    const ProgramResult result = place(ion, more);
    CHECK(result.exit_code == 2);
    return result.err;
  };
  CHECK(refused("MG:likely", {}).find("needs --model sites") != std::string::npos);
  CHECK(refused("MG:likely", {"--model", "site-terms"}).find("needs --model sites") != std::string::npos);
  CHECK(refused("MG:likely:1", {"--model", "sites"}).find("not a number between 0 and 1") !=
        std::string::npos);
  CHECK(refused("MG:likely:x", {"--model", "sites"}).find("not a number between 0 and 1") !=
        std::string::npos);
  CHECK(refused("NA:neutralize", {"--model", "sites", "--ion", "MG:likely"}).find("the first --ion") !=
        std::string::npos);
  const ProgramResult prepared =
      run_ionwell({"prepare", duplex, "--ion", "MG:likely", "-o", folder / "system.pdb"});
  CHECK(prepared.exit_code == 2);
  CHECK(prepared.err.find("needs --model sites") != std::string::npos);
}

TEST_CASE("place --model sites: ions keep their distance from those that a crystal has") {
  const TemporaryFolder folder;
  const std::string report = folder / "report.json", with_ion = folder / "with_ion.pqr";
  const auto first_ion = [&](const std::string& structure) {
    const ProgramResult result = run_ionwell({"place", structure, "--model", "sites", "--ion", "MG:1", "-o",
                                              folder / "ions.pdb", "--report", report, "--quiet"});
    REQUIRE_MESSAGE(result.exit_code == 0, result.err);
    return report_of(report)["ions"][0]["position_A"].get<std::vector<double>>();
  };
  const std::vector<double> site_A = first_ion(duplex);
  std::string text = read_text(duplex);
  std::ostringstream ion;  // without a charge: distance alone keeps the next one away
  ion << "HETATM 900 MG MG I 1 " << site_A[0] + 4.5 << ' ' << site_A[1] << ' ' << site_A[2] << " 0.0 0.7\n";
  text.insert(text.rfind("END"), ion.str());
  write_text(with_ion, text);
  const std::vector<double> other_A = first_ion(with_ion);
  CHECK(std::hypot(other_A[0] - site_A[0] - 4.5, other_A[1] - site_A[1], other_A[2] - site_A[2]) > 4.99);
}

TEST_CASE("place --tune model-file: a model of its own, also for another ion") {
  const TemporaryFolder folder;
  write_text(folder / "k.json", R"({"format": "ionwell site model 1", "ion": "K", "charge_e": 1,
      "terms": [{"energy_kT": -0.2, "width_A": 3}], "ionic_strength_M": 0.5})");
  const std::vector<std::string> words = {
      "place", duplex, "--model",           "sites",  "--ion",
      "K:4",   "-o",   folder / "ions.pdb", "--tune", "model-file=" + (folder / "k.json")};
  const ProgramResult placed = run_ionwell(words);
  CHECK(placed.exit_code == 0);
  CHECK(placed.out.find("site model of K from ") != std::string::npos);
  write_text(folder / "k.json", "{}");
  const ProgramResult broken = run_ionwell(words);
  CHECK(broken.exit_code == 1);
  CHECK(broken.err.find("k.json: \"format\" is missing") != std::string::npos);
}

TEST_CASE("place --model sites: what cannot be used with it is refused") {
  const TemporaryFolder folder;
  const auto error = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"place", duplex, "-o", folder / "ions.pdb"};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult result = run_ionwell(words);
    CHECK(result.exit_code == 2);
    return result.err;
  };
  const auto with_sites = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"--model", "sites", "--ion", "MG:2"});
    return error(more);
  };
  for (const char* option : {"--dielectric", "--ddd", "--ionic-strength", "--temperature"})
    CHECK(with_sites({option, "4"})
              .find(std::string(option) +
                    " has no effect with --model sites: it uses a potential of its own") !=
          std::string::npos);
  CHECK(with_sites({"--pb", "own"}).find("--pb own has no effect with --model sites") != std::string::npos);
  CHECK(with_sites({"--save-map", folder / "m.dx"}).find("--save-map has no effect with") !=
        std::string::npos);
  CHECK(with_sites({"--devices", "0,1"}).find("--model sites uses one GPU; name one in --devices") !=
        std::string::npos);
  CHECK(error({"--model", "sites", "--ion", "NA:2"})
            .find("--model sites places MG, but no such ion is requested") != std::string::npos);
  CHECK(error({"--ion", "MG:2", "--tune", "model-file=m.json"})
            .find("--tune model-file has no effect without --model sites") != std::string::npos);
}
