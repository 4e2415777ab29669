// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "support/example.hpp"
#include "support/report.hpp"
#include "support/run_program.hpp"

using namespace ionwell::test;
using Json = nlohmann::json;

namespace {

std::vector<std::string> joined(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// Makes a map of the duplex: Debye-Hueckel at 0.15 M unless told otherwise.
void make_map(const std::string& path, const std::vector<std::string>& more = {}) {
  REQUIRE(run_ionwell(joined({"map", duplex, "--ionic-strength", "0.15", "-o", path, "--quiet"}, more))
              .exit_code == 0);
}

ProgramResult place(const TemporaryFolder& folder, const std::vector<std::string>& more) {
  return run_ionwell(
      joined({"place", duplex, "-o", folder / "ions.pdb", "--report", folder / "report.json"}, more));
}

std::vector<std::vector<double>> positions(const Json& report) {
  std::vector<std::vector<double>> result;
  for (const Json& ion : report["ions"]) result.push_back(ion["position_A"].get<std::vector<double>>());
  return result;
}

struct Refused {
  std::vector<std::string> words;
  std::string message;  // the beginning of it
  int exit_code = 2;
};

}  // namespace

TEST_CASE("place in a map: a map of the solute gives the ions that its charges give") {
  const TemporaryFolder folder;
  const std::vector<std::string> ions = {"--ion", "MG:3", "--ion", "NA:neutralize"};
  REQUIRE(place(folder, joined({"--ionic-strength", "0.15", "--spacing", "1"}, ions)).exit_code == 0);
  const Json direct = report_of(folder);
  for (const char* const name : {"a.dx.gz", "a.h5", "a.ccp4", "a.cube"}) {
    CAPTURE(std::string(name));
    make_map(folder / name, {"--spacing", "1"});
    const ProgramResult result = place(folder, joined({"--map", folder / name}, ions));
    CHECK(result.err.empty());
    REQUIRE(result.exit_code == 0);
    const Json imported = report_of(folder);
    CHECK(positions(imported) == positions(direct));
    for (std::size_t n = 0; n < direct["ions"].size(); ++n)
      CHECK(std::abs(imported["ions"][n]["energy_kT"].get<double>() -
                     direct["ions"][n]["energy_kT"].get<double>()) < 5e-4);  // values near 40, to six digits
    CHECK(imported["lattice"] == direct["lattice"]);
    CHECK(imported["method"] == "map");
    CHECK(imported["imported"]["maps"] == Json::array({folder / name}));
    CHECK(imported["imported"]["interpolation"] == "none");
    CHECK(imported["electrostatics"]["ionic_strength_M"] == 0.15);
  }
  make_map(folder / "b.h5", {"--spacing", "1", "--to-unit", "kJ/mol/e", "--temperature", "310"});
  REQUIRE(place(folder, joined({"--map", folder / "b.h5"}, ions)).exit_code == 0);
  // the same volts: kappa and the kT of energies differ, so compare the first energy by hand
  make_map(folder / "c.h5", {"--spacing", "1", "--to-unit", "mV", "--temperature", "310"});
  const double in_kJ = report_of(folder)["ions"][0]["energy_kT"];
  REQUIRE(place(folder, joined({"--map", folder / "c.h5"}, ions)).exit_code == 0);
  CHECK(report_of(folder)["ions"][0]["energy_kT"].get<double>() == doctest::Approx(in_kJ).epsilon(1e-6));
}

TEST_CASE("place in a map: a GPU gives the same ions, and where there is none the message says so") {
  const TemporaryFolder folder;
  make_map(folder / "a.h5", {"--spacing", "1"});
  const std::vector<std::string> words = {"--map", folder / "a.h5", "--ion", "MG:3", "--ion", "NA:4"};
  REQUIRE(place(folder, joined(words, {"--backend", "cpu"})).exit_code == 0);
  const Json cpu = report_of(folder);
  const ProgramResult result = place(folder, joined(words, {"--backend", "gpu"}));
  if (result.exit_code != 0) {
    CHECK(result.exit_code == 1);
    CHECK(result.err.find("--backend gpu is not available: ") != std::string::npos);
    return;
  }
  const Json gpu = report_of(folder);
  CHECK(gpu["backend"]["kind"] == "gpu");
  CHECK(gpu["method"] == "map");
  CHECK(positions(gpu) == positions(cpu));
}

TEST_CASE("place in a map: another lattice, interpolated, and no ion outside of the map") {
  const TemporaryFolder folder;
  make_map(folder / "a.h5", {"--spacing", "0.5"});
  const std::vector<std::string> ions = {"--ion", "NA:8"};
  REQUIRE(place(folder, joined({"--ionic-strength", "0.15", "--spacing", "0.35", "--border", "6"}, ions))
              .exit_code == 0);
  const Json direct = report_of(folder);
  for (const char* const method : {"trilinear", "tricubic"}) {
    CAPTURE(std::string(method));
    REQUIRE(
        place(folder, joined({"--map", folder / "a.h5", "--tune", std::string("map-interpolation=") + method,
                              "--spacing", "0.35", "--border", "6"},
                             ions))
            .exit_code == 0);
    const Json report = report_of(folder);
    CHECK(report["lattice"] == direct["lattice"]);
    CHECK(report["imported"]["interpolation"] == method);
    for (std::size_t n = 0; n < 8; ++n)
      CHECK(report["ions"][n]["energy_kT"].get<double>() ==
            doctest::Approx(direct["ions"][n]["energy_kT"].get<double>()).epsilon(0.02));
  }
  make_map(folder / "part.dx", {"--box", "0,-20,-20,20,20,20"});
  const ProgramResult result =
      place(folder, joined({"--map", folder / "part.dx", "--spacing", "0.7", "--border", "12"}, ions));
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("ionwell: note: the map fills (0, -20, -20) to (20, 20, 20) A, but the solute ") ==
        0);
  for (const std::vector<double>& at : positions(report_of(folder))) {
    CHECK(at[0] >= -1e-6);
    CHECK(at[0] <= 20 + 1e-6);
  }
}

TEST_CASE("place in a map: says where a map to save is empty, what it holds, and when ions act otherwise") {
  const TemporaryFolder folder;
  make_map(folder / "a.h5", {"--spacing", "1", "--border", "6"});
  const std::string saved = folder / "saved.h5";
  const ProgramResult wider = place(folder, {"--map", folder / "a.h5", "--ion", "NA:1", "--border", "9",
                                             "--spacing", "1", "--save-map-after", saved});
  CHECK(wider.exit_code == 0);
  CHECK(wider.err.find(" points of the map to save lie outside the maps of --map and have the value 0") !=
        std::string::npos);
  CHECK(run_ionwell({"info", saved})
            .out.find("the potential of " + folder / "a.h5" +
                      " and that of the ions by Debye-Hueckel, 0.15 M") != std::string::npos);

  REQUIRE(run_ionwell({"map", duplex, "--spacing", "1", "--ionic-strength", "0.5", "-o", folder / "b.h5"})
              .exit_code == 0);
  const std::vector<std::string> ions = {"--map", folder / "b.h5", "--ion", "NA:2"};
  const ProgramResult unlike = place(folder, ions);
  CHECK(unlike.exit_code == 0);
  CHECK(unlike.err.find("the map states that its potential is Debye-Hueckel, 0.5 M, eps = "
                        "78.54, 298.15 K, but the potential of ions is Debye-Hueckel, 0.15 M") !=
        std::string::npos);
  CHECK(place(folder, joined(ions, {"--ionic-strength", "0.5"})).err.empty());
  CHECK(place(folder, joined(ions, {"--update", "none"})).err.empty());
}

TEST_CASE("place in a map: of several maps the finest counts") {
  const TemporaryFolder folder;
  make_map(folder / "coarse.dx", {"--spacing", "2", "--border", "20"});
  make_map(folder / "fine.dx", {"--spacing", "0.5", "--border", "6"});
  REQUIRE(place(folder, {"--map", folder / "fine.dx", "--ion", "NA:6"}).exit_code == 0);
  const Json fine = report_of(folder);
  for (const bool turned : {false, true}) {
    REQUIRE(place(folder, {"--map", folder / (turned ? "fine.dx" : "coarse.dx"), "--map",
                           folder / (turned ? "coarse.dx" : "fine.dx"), "--ion", "NA:6"})
                .exit_code == 0);
    const Json both = report_of(folder);
    CHECK(both["lattice"]["spacing_A"] == Json::array({0.5, 0.5, 0.5}));
    CHECK(both["lattice"]["counts"][0].get<int>() > fine["lattice"]["counts"][0].get<int>() + 40);
    for (std::size_t n = 0; n < 6; ++n)
      for (std::size_t axis = 0; axis < 3; ++axis)
        CHECK(positions(both)[n][axis] == doctest::Approx(positions(fine)[n][axis]).epsilon(1e-6));
  }
}

TEST_CASE("place in a map: an ion that a wrong value on the map's edge attracts gets a warning") {
  const TemporaryFolder folder;
  make_map(folder / "a.dx", {"--spacing", "2"});
  const std::vector<std::string> one = {"--map", folder / "a.dx", "--ion", "NA:1"};
  CHECK(place(folder, one).err.empty());
  std::string map = read_text(folder / "a.dx");
  const std::size_t end = map.find("\nattribute"), last = map.find_last_of(" \n", end - 2);
  write_text(folder / "a.dx", map.replace(last + 1, end - last - 1, "-50.0"));
  const ProgramResult result = place(folder, one);
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("ionwell: warning: " + folder / "a.dx" + ": 1 ion lies on the edge of this map, ") ==
        0);
  CHECK(report_of(folder)["warnings"].size() == 1);
}

TEST_CASE("place in a map: how ions act, energies above 0, and --max-energy") {
  const TemporaryFolder folder;
  make_map(folder / "a.h5", {"--spacing", "1"});
  const std::vector<std::string> two = {"--map", folder / "a.h5", "--ion", "NA:2"};
  const ProgramResult vacuum =
      place(folder, joined(two, {"--update", "coulomb", "--tune", "update-dielectric=1"}));
  CHECK(vacuum.exit_code == 0);
  CHECK(vacuum.err.find("ionwell: warning: 1 of 2 ions has a positive energy, ion 2 (NA, ") == 0);
  CHECK(vacuum.out.find("* an energy above 0: the ion would be better off far away") != std::string::npos);
  CHECK(report_of(folder)["ions"][0]["above_zero"] == false);
  CHECK(report_of(folder)["ions"][1]["above_zero"] == true);
  CHECK(report_of(folder)["ions"][1]["nearest_solute_A"] > 15.0);

  const std::string before = read_text(folder / "ions.pdb");
  const std::vector<std::string> limited =
      joined(two, {"--update", "coulomb", "--tune", "update-dielectric=1", "--max-energy", "0"});
  const ProgramResult refused = place(folder, limited);
  CHECK(refused.exit_code == 3);
  CHECK(refused.err.find("ionwell: only 1 of 2 ions was placed, because the next would have an energy of ") ==
        0);
  CHECK(read_text(folder / "ions.pdb") == before);
  CHECK(place(folder, joined(limited, {"--allow-fewer"})).exit_code == 3);
  CHECK(report_of(folder)["ions"].size() == 1);

  CHECK(place(folder, two).exit_code == 0);
  CHECK(report_of(folder)["ions"][1]["energy_kT"] < 0.0);
  CHECK(report_of(folder)["ions"][1]["nearest_solute_A"] < 8.0);
  CHECK(place(folder, joined(two, {"--update", "none"})).exit_code == 0);
  CHECK(report_of(folder)["electrostatics"].is_null());
  CHECK(report_of(folder)["imported"]["ions_act"] == false);
  CHECK(report_of(folder)["ions"][1]["nearest_ion_A"] >= 5.0);
  CHECK(place(folder, joined(two, {"--update", "coulomb"})).exit_code == 0);
  CHECK(report_of(folder)["electrostatics"]["dielectric"] == 40.0);
}

TEST_CASE("place in a map: what does not fit together is refused") {
  const TemporaryFolder folder;
  make_map(folder / "a.h5", {"--spacing", "2"});
  const std::string one =
      "object 1 class gridpositions counts 2 2 2\norigin 500 0 0\ndelta 1 0 0\ndelta 0 1 0\n"
      "delta 0 0 1\nobject 3 class array type double rank 0 items 8 data follows\n"
      "1 2 3\n4 5 6\n7 8\n";
  write_text(folder / "silent.dx", one);
  write_text(folder / "far.dx", "# (kT/e)\n" + one);
  std::string nan = "# (kT/e)\n" + one;
  write_text(folder / "nan.dx", nan.replace(nan.find("5 6"), 1, "nan"));
  std::string turned = "# (kT/e)\n" + one;
  write_text(folder / "turned.dx", turned.replace(turned.find("delta 0 1 0"), 11, "delta 1 1 0"));
  const std::string map = folder / "a.h5";
  const Refused cases[] = {
      {{"--map", folder / "silent.dx"},
       folder / "silent.dx" + ": does not state the unit of its values; give it with ",
       1},
      {{"--map", folder / "far.dx"},
       folder / "far.dx" +
           ": the map fills (500, 0, 0) to (501, 1, 1) A, which does not overlap the solute at (-1.44, ",
       1},
      {{"--map", folder / "nan.dx"}, folder / "nan.dx" + ": the value at point (1, 0, 0), at (501.000, ", 1},
      {{"--map", folder / "turned.dx"},
       folder / "turned.dx" + ":5: delta 2 is (1, 1, 0), but maps must have axes",
       1},
      {{"--map", folder / "none.dx"}, folder / "none.dx" + ": no such file; ", 1},
      {{"--map", map, "--dielectric", "4"}, "--dielectric has no effect with --map: "},
      {{"--map", map, "--ddd", "3"}, "--ddd has no effect with --map: "},
      {{"--map", map, "--method", "direct"},
       "--method direct has no effect with --map: no charges are summed; "},
      {{"--map", map, "--tune", "msm-cutoff=4"},
       "--tune msm-cutoff has no effect with --map: no charges are summed; "},
      {{"--map", map, "--update", "vacuum"}, "--update is 'vacuum'"},
      {{"--map", map, "--tune", "update-dielectric=0"},
       "--tune update-dielectric is 0; it must be greater than 0"},
      {{"--map", map, "--update", "none", "--tune", "update-dielectric=4"},
       "--tune update-dielectric has no effect with --update none"},
      {{"--map", map, "--update", "none", "--temperature", "-300"},
       "the temperature is -300 K (it must be from 1 to 10000 K)"},
      {{"--map", map, "--update", "coulomb", "--ionic-strength", "0.1"},
       "--ionic-strength has no effect with --update coulomb: "},
      {{"--map", map, "--map-unit", "mV"},
       map + ": states that its values are in kT/e, but --map-unit is mV"},
      {{"--map", map, "--box", "400,0,0,410,9,9"},
       "the box (400, 0, 0) to (410, 9, 9) A does not overlap the solute, "},
      {{"--update", "none"},
       "--update has no effect without --map or --pb own or apbs; add one, or leave --update out"},
      {{"--map-unit", "mV"}, "--map-unit has no effect without --map; "},
      {{"--tune", "map-interpolation=tricubic"}, "--tune map-interpolation has no effect without --map; "},
      {{"--tune", "update-dielectric=40"},
       "--tune update-dielectric has no effect without --map or --pb own or apbs; "},
  };
  for (const Refused& refused : cases) {
    CAPTURE(refused.message);
    const ProgramResult result =
        run_ionwell(joined({"place", duplex, "-o", folder / "ions.pdb", "--ion", "NA:1"}, refused.words));
    CHECK(result.exit_code == refused.exit_code);
    CHECK(result.err.substr(0, 9 + refused.message.size()) == "ionwell: " + refused.message);
    CHECK(result.err.find('\n') == result.err.size() - 1);
  }
  CHECK(run_ionwell({"place", duplex, "-o", map, "--ion", "NA:1", "--map", map}).exit_code == 2);
  CHECK(folder.entries() == std::vector<std::string>{"a.h5", "far.dx", "nan.dx", "silent.dx", "turned.dx"});
}

TEST_CASE("place in a map: a map of another temperature is used with a warning that says how") {
  const TemporaryFolder folder;
  make_map(folder / "warm.h5", {"--spacing", "1", "--temperature", "350"});
  const std::vector<std::string> words = {"--map", folder / "warm.h5", "--ion", "NA:1"};
  const ProgramResult cold = place(folder, words);
  CHECK(cold.exit_code == 0);
  CHECK(cold.err == "ionwell: warning: " + folder / "warm.h5" +
                        ": the map states a temperature of 350 K, but ions are placed at 298.15 K; its "
                        "potential in volts stays the same, so its values in kT/e are multiplied by 1.174; "
                        "if that is not what you want, use --temperature 350, or make the map at 298.15 K\n");
  const double energy_kT = report_of(folder)["ions"][0]["energy_kT"];
  CHECK(report_of(folder)["warnings"].size() == 1);
  const ProgramResult warm = place(folder, joined(words, {"--temperature", "350"}));
  CHECK(warm.err.empty());
  CHECK(energy_kT / report_of(folder)["ions"][0]["energy_kT"].get<double>() ==
        doctest::Approx(350.0 / 298.15));
  make_map(folder / "warm.dx", {"--spacing", "1", "--temperature", "350", "--to-unit", "mV"});
  const ProgramResult volts = place(folder, {"--map", folder / "warm.dx", "--ion", "NA:1"});
  CHECK(volts.err.find("of 350 K, but ions are placed at 298.15 K; if that is not what you want, ") !=
        std::string::npos);
  make_map(folder / "same.dx", {"--spacing", "1", "--temperature", "298"});
  CHECK(place(folder, {"--map", folder / "same.dx", "--ion", "NA:1"}).err.empty());
}

TEST_CASE("place in a map: the same map twice is a mistake, under whatever names") {
  const TemporaryFolder folder;
  make_map(folder / "a.dx", {"--spacing", "2"});
  std::filesystem::create_symlink("a.dx", folder / "b.dx");
  for (const std::string& again : {folder / "a.dx", folder / "./a.dx", folder / "b.dx"}) {
    CAPTURE(again);
    const ProgramResult result = place(folder, {"--map", folder / "a.dx", "--map", again, "--ion", "NA:1"});
    CHECK(result.exit_code == 2);
    CHECK(result.err.find("ionwell: --map names one file twice, " + folder / "a.dx") == 0);
  }
}
