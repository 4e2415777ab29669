// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "support/example.hpp"
#include "support/run_program.hpp"

using namespace ionwell::test;

namespace {

const std::string table = "x,y,z\n21.06,-5.175,5.013\n60,0,0\n0,0,40\n";

ProgramResult potential(const TemporaryFolder& folder, const std::vector<std::string>& more,
                        const RunSettings& settings = {}) {
  write_text(folder / "points.csv", table);
  std::vector<std::string> words = {"potential", duplex};
  words.insert(words.end(), more.begin(), more.end());
  return run_ionwell(words, settings);
}

/// The last column of a line, counted from 0.
double value_in(const std::string& text, int line) {
  std::size_t at = 0;
  for (int n = 0; n < line; ++n) at = text.find('\n', at) + 1;
  const std::string row = text.substr(at, text.find('\n', at) - at);
  return std::stod(row.substr(row.rfind(',') + 1));
}

}  // namespace

TEST_CASE("potential: a table goes in and comes out with a column") {
  const TemporaryFolder folder;
  const ProgramResult result = potential(
      folder, {"--at", folder / "points.csv", "-o", folder / "values.csv", "--report", folder / "run.json"});
  REQUIRE(result.exit_code == 0);
  const std::string values = read_text(folder / "values.csv");
  CHECK(values.starts_with("x,y,z,potential_kT_e\n21.06,-5.175,5.013,-927.7"));
  CHECK(result.out.find("most negative points") != std::string::npos);
  const auto json = nlohmann::json::parse(read_text(folder / "run.json"));
  CHECK(json["points"]["points"] == 3);
  CHECK(json["structure"]["atoms"] == 758);
  CHECK(json["timings_s"].contains("potential"));
  CHECK(folder.entries() == std::vector<std::string>{"points.csv", "run.json", "values.csv"});

  // Standard input and output; the summary goes elsewhere.
  const ProgramResult piped =
      potential(folder, {"--at", "-", "-o", "-"}, {.standard_input = folder / "points.csv"});
  CHECK(piped.exit_code == 0);
  CHECK(piped.out == values);
}

TEST_CASE("potential: models differ as they should") {
  const TemporaryFolder folder;
  const auto at_far_point = [&](std::vector<std::string> more) {
    more.insert(more.end(), {"--at", folder / "points.csv", "-o", "-", "--quiet"});
    const ProgramResult result = potential(folder, more);
    CAPTURE(result.err);
    REQUIRE(result.exit_code == 0);
    return value_in(result.out, 2);
  };
  const double vacuum = at_far_point({});
  CHECK(at_far_point({"--dielectric", "2"}) == doctest::Approx(vacuum / 2));
  CHECK(at_far_point({"--method", "hcp"}) == doctest::Approx(vacuum).epsilon(3e-3));
  CHECK(at_far_point({"--method", "hcp", "--tune", "hcp-thresholds=10,70,20"}) ==
        doctest::Approx(vacuum).epsilon(0.1));
  CHECK(at_far_point({"--method", "msm"}) == doctest::Approx(vacuum).epsilon(3e-3));
  CHECK(std::abs(at_far_point({"--ionic-strength", "0.15"})) < std::abs(vacuum) / 80);
  CHECK(std::abs(at_far_point({"--alpb"})) < std::abs(vacuum) / 40);
  CHECK(at_far_point({"--ddd", "3"}) < 0.0);
  REQUIRE(
      run_ionwell({"map", duplex, "-o", folder / "map.dx", "--spacing", "2", "--border", "20"}).exit_code ==
      0);
  CHECK(at_far_point({"--map", folder / "map.dx", "--tune", "map-interpolation=tricubic"}) ==
        doctest::Approx(vacuum).epsilon(0.01));
  CHECK(std::abs(at_far_point({"--pb", "own", "--spacing", "2"})) < std::abs(vacuum) / 40);
}

TEST_CASE("potential: the summary says of what an error is, and how far triangles are from their surface") {
  const TemporaryFolder folder;
  const ProgramResult sum = potential(folder, {"--surface", "sas", "--edge-length", "1", "--method", "hcp",
                                               "-o", folder / "a.ply", "--report", folder / "a.json"});
  REQUIRE(sum.exit_code == 0);
  const auto json = nlohmann::json::parse(read_text(folder / "a.json"));
  const auto& error = json["sum"]["error"];
  CHECK(error["rms"] > 0.0);
  CHECK(error["rms"] < 1e-3);
  CHECK(error["largest"] > error["rms"]);
  CHECK(error["potential_rms_kT_e"] > 100.0);
  CHECK(sum.out.find("(rms) and at most ") != std::string::npos);
  CHECK(sum.out.find(" of the potential's rms, ") != std::string::npos);
  CHECK(sum.out.find(" kT/e, at ") != std::string::npos);

  // One atom of 2 A: area 16 pi, volume 32 pi / 3.
  write_text(folder / "ball.pqr", "ATOM 1 X BAL 1 1.0 2.0 3.0 1.0 2.0\n");
  for (const char* const kind : {"ses", "vdw", "gaussian"}) {
    CAPTURE(std::string(kind));
    const ProgramResult ball = run_ionwell({"potential", folder / "ball.pqr", "--surface", kind, "-o",
                                            folder / "ball.ply", "--report", folder / "ball.json"});
    REQUIRE(ball.exit_code == 0);
    const auto surface = nlohmann::json::parse(read_text(folder / "ball.json"))["surface"];
    CHECK(surface["area_A2"].get<double>() == doctest::Approx(50.265).epsilon(0.002));
    CHECK(surface["volume_A3"].get<double>() == doctest::Approx(33.510).epsilon(0.002));
    const double area_A2 = surface["of_triangles"]["area_A2"],
                 volume_A3 = surface["of_triangles"]["volume_A3"];
    CHECK(area_A2 == doctest::Approx(50.265 * 0.975).epsilon(0.005));
    CHECK(volume_A3 == doctest::Approx(33.510 * 0.95).epsilon(0.005));
    CHECK(ball.out.find("area, volume") != std::string::npos);
    CHECK(ball.out.find(" A^3 of the surface; the flat triangles have 2.") != std::string::npos);
    CHECK(ball.out.find(" % less area and ") != std::string::npos);
    CHECK(ball.out.find(" % less volume") != std::string::npos);
  }
  // Nothing is known of the surface that triangles of a file stand for.
  const ProgramResult read = potential(folder, {"--at", folder / "ball.ply", "-o", folder / "b.ply"});
  CHECK(read.exit_code == 0);
  CHECK(read.out.find("area, volume") == std::string::npos);
}

TEST_CASE("potential: what does not go together is refused before anything is read") {
  const TemporaryFolder folder;
  const auto message = [&](std::vector<std::string> more) {
    const ProgramResult result = potential(folder, more);
    CHECK(result.exit_code == 2);
    CHECK(result.out.empty());
    return result.err;
  };
  const std::string at = folder / "points.csv";
  CHECK(message({"-o", "-"}).find("--at is missing") != std::string::npos);
  CHECK(message({"--at", at}).find("-o is missing") != std::string::npos);
  CHECK(message({"--at", at, "-o", folder / "a.stl"}).find("not that of a point format") !=
        std::string::npos);
  CHECK(message({"--at", at, "-o", folder / "a.pdb"}).find("these are of CSV") != std::string::npos);
  CHECK(
      message({"--at", at, "-o", "-", "--alpb", "--map", "a.dx"}).find("--map cannot be used with --alpb") !=
      std::string::npos);
  CHECK(message({"--at", at, "-o", "-", "--solute-dielectric", "2"}).find("without --alpb") !=
        std::string::npos);
  CHECK(message({"--at", at, "-o", "-", "--map-unit", "mV"}).find("without --map") != std::string::npos);
  CHECK(message({"--at", at, "-o", "-", "--spacing", "1"}).find("--pb own") != std::string::npos);
  CHECK(message({"--at", at, "-o", "-", "--pb", "own", "--method", "hcp"}).find("no charges are summed") !=
        std::string::npos);
  CHECK(message({"--at", at, "-o", "-", "--accuracy", "0"}).find("--accuracy is 0") != std::string::npos);
  CHECK(message({"--at", at, "-o", "-", "--method", "hcp", "--tune", "hcp-thresholds=10"})
            .find("two or three") != std::string::npos);
  CHECK(message({"--at", at, "-o", "-", "--tune", "hcp-thresholds=10,70"}).find("--method hcp") !=
        std::string::npos);
  CHECK(message({"--at", at, "-o", "-", "--method", "hcp", "--backend", "gpu"})
            .find("--method hcp runs on the CPU") != std::string::npos);
  CHECK(message({"--at", at, "-o", "-", "--map", "a.dx", "--backend", "gpu"})
            .find("--backend gpu has no effect with --map") != std::string::npos);
  CHECK(message({"--at", at, "-o", "-", "--backend", "cpu", "--devices", "0"})
            .find("--devices has no effect with --backend cpu: it uses no GPU") != std::string::npos);
  CHECK(message({"--at", at, "-o", at}).find("points.csv") != std::string::npos);
  CHECK(folder.entries() == std::vector<std::string>{"points.csv"});
}

TEST_CASE("potential: a surface is made, and read back it has the same potential") {
  const TemporaryFolder folder;
  const auto lowest = [](const std::string& report) {
    return nlohmann::json::parse(read_text(report))["potential"]["lowest_kT_e"].get<double>();
  };
  for (const char* const kind : {"ses", "sas", "vdw", "gaussian"}) {
    CAPTURE(std::string(kind));
    const ProgramResult made = potential(folder, {"--surface", kind, "--edge-length", "1", "-o",
                                                  folder / "a.ply", "--report", folder / "a.json"});
    CAPTURE(made.err);
    REQUIRE(made.exit_code == 0);
    CHECK(made.out.find("most negative patches") != std::string::npos);
    CHECK(made.out.find("share of the area") != std::string::npos);
    for (const char* const name : {"b.obj", "b.vtk", "b.csv", "b.h5"}) {
      REQUIRE(
          potential(folder, {"--at", folder / "a.ply", "-o", folder / name, "--report", folder / "b.json"})
              .exit_code == 0);
      CHECK(lowest(folder / "b.json") == doctest::Approx(lowest(folder / "a.json")).epsilon(1e-4));
    }
  }
  CHECK(potential(folder, {"--surface", "ses", "-o", folder / "a.pdb"}).err.find("of a surface") !=
        std::string::npos);
  CHECK(potential(folder, {"--surface", "vdw", "--probe", "1", "-o", "-"})
            .err.find("--probe has no effect without --surface ses or sas") != std::string::npos);
  CHECK(potential(folder, {"--surface", "ses", "--at", "a.csv", "-o", "-"})
            .err.find("--at cannot be used with --surface") != std::string::npos);
  CHECK(potential(folder, {"--at", folder / "points.csv", "--vertex-density", "3", "-o", "-"})
            .err.find("--surface") != std::string::npos);
}

TEST_CASE("potential: points that cannot be read leave no file") {
  const TemporaryFolder folder;
  write_text(folder / "empty.ply", "");
  write_text(folder / "nan.obj", "v 0 0 nan\n");
  for (const char* const name : {"empty.ply", "nan.obj", "missing.csv"}) {
    const ProgramResult result = potential(folder, {"--at", folder / name, "-o", folder / "values.ply"});
    CHECK(result.exit_code == 1);
    CHECK(result.err.starts_with("ionwell: "));
    CHECK(result.err.find(name) != std::string::npos);
    CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
  }
  CHECK(folder.entries() == std::vector<std::string>{"empty.ply", "nan.obj", "points.csv"});
}
