// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <signal.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/dcd_bytes.hpp"
#include "support/example.hpp"
#include "support/program_paths.hpp"
#include "support/run_program.hpp"
#include "support/shared_data.hpp"
#include "support/waiting.hpp"

using namespace ionwell::test;
using Strings = std::vector<std::string>;

namespace {

struct Point {
  double x, y, z;
};

std::vector<Point> duplex_positions() {
  std::istringstream text(read_text(duplex));
  std::vector<Point> positions_A;
  for (std::string line; std::getline(text, line);)
    if (line.starts_with("ATOM"))
      positions_A.push_back(
          {std::stod(line.substr(30, 8)), std::stod(line.substr(38, 8)), std::stod(line.substr(46, 8))});
  return positions_A;
}

/// The example's duplex in `count` frames, each turned a little more about x.
void write_frames(const std::string& path, int count) {
  const std::vector<Point> at = duplex_positions();
  std::vector<std::vector<Point>> frames;
  for (int n = 0; n < count; ++n) {
    const double c = std::cos(0.03 * n), s = std::sin(0.03 * n);
    frames.emplace_back();
    for (const auto& [x, y, z] : at) frames.back().push_back({x, c * y - s * z, s * y + c * z});
  }
  write_text(path, dcd_bytes(frames));
}

ProgramResult average(const Strings& more) {
  Strings words = {"average", duplex};
  words.insert(words.end(), more.begin(), more.end());
  return run_ionwell(words);
}

/// A map's text without its comments, which have the command.
std::string numbers_of(const std::string& path) {
  std::istringstream text(read_text(path));
  std::string numbers;
  for (std::string line; std::getline(text, line);)
    if (!line.starts_with('#')) numbers += line + '\n';
  return numbers;
}

nlohmann::json report(const std::string& path) {
  return nlohmann::json::parse(read_text(path));
}

}  // namespace

TEST_CASE("average: maps of mean, deviation and error, and a place in the mean") {
  const TemporaryFolder folder;
  write_frames(folder / "run.dcd", 12);
  const ProgramResult result =
      average({folder / "run.dcd", "--spacing", "2", "-o", folder / "mean.h5", "--statistics", "mean,sd,se",
               "--blocks", "3", "--report", folder / "a.json"});
  CAPTURE(result.err);
  REQUIRE(result.exit_code == 0);
  CHECK(folder.entries() == Strings{"a.json", "mean.h5", "mean.sd.h5", "mean.se.h5", "run.dcd"});
  CHECK(result.out.find("averaged        12 frames\n") != std::string::npos);
  CHECK(result.out.find("blocks          3 of 3 for the standard error\n") != std::string::npos);
  CHECK(result.out.find("at 8 frames: ") != std::string::npos);
  const nlohmann::json json = report(folder / "a.json")["average"];
  CHECK(json["frames"] == 12);
  CHECK(json["convergence"]["changes"].size() == 3);
  CHECK(json["blocks"]["done"] == 3);
  const ProgramResult info = run_ionwell({"info", folder / "mean.se.h5"});
  CHECK(info.out.find("standard error of the mean potential, by 3 blocks of frames; ") != std::string::npos);
  CHECK(info.out.find("mean over 12 frames of " + folder / "run.dcd") != std::string::npos);
  const ProgramResult placed = run_ionwell(
      {"place", duplex, "--map", folder / "mean.h5", "--ion", "MG:2", "-o", folder / "ions.pdb", "--quiet"});
  CAPTURE(placed.err);
  CHECK(placed.exit_code == 0);
  CHECK(read_text(folder / "ions.pdb").find("MG2+") != std::string::npos);
}

TEST_CASE("average: of one frame it is the map of that structure") {
  const TemporaryFolder folder;
  write_frames(folder / "run.dcd", 1);
  REQUIRE(average({folder / "run.dcd", "--spacing", "2", "-o", folder / "mean.dx", "--box",
                   "0,-10,-10,30,10,10", "--quiet"})
              .exit_code == 0);
  REQUIRE(run_ionwell({"map", duplex, "--spacing", "2", "-o", folder / "map.dx", "--box",
                       "0,-10,-10,30,10,10", "--quiet"})
              .exit_code == 0);
  std::istringstream mean(numbers_of(folder / "mean.dx")), map(numbers_of(folder / "map.dx"));
  int numbers = 0;
  for (std::string a, b; mean >> a && map >> b;) {
    if (a == b) continue;
    const double x = std::stod(a), y = std::stod(b);
    // Coordinates in single precision, 2e-6 A off, where values change by up to 1e-5 of themselves.
    CHECK(std::abs(x - y) <= 2e-5 * std::abs(y) + 1e-3);
    ++numbers;
  }
  CHECK(numbers > 0);
}

TEST_CASE("average: --resume gives the bytes of a run that was never stopped") {
  const TemporaryFolder folder;
  write_frames(folder / "run.dcd", 40);
  const Strings settings = {program_path(), "average", duplex,      folder / "run.dcd",
                            "--statistics", "sd",      "--spacing", "0.6"};
  Strings words = settings, once = settings;
  words.insert(words.end(), {"-o", folder / "mean.dx", "--resume", folder / "state.h5"});
  once.insert(once.end(), {"-o", folder / "once.dx", "--quiet"});
  ProgramResult stopped;
  for (int wait_ms = 300; read_text(folder / "state.h5").empty() && wait_ms < 60'000; wait_ms *= 2) {
    RunningProgram running(words, {.standard_output = folder / "out"});
    CHECK(wait_until([&] { return read_text(folder / "out").find("\nframes ") != std::string::npos; }));
    std::this_thread::sleep_for(std::chrono::milliseconds(wait_ms));
    running.send(SIGINT);
    stopped = running.wait();
    CHECK(stopped.signal == SIGINT);
    if (stopped.err.find("before the first frames were summed; nothing was written") != std::string::npos)
      CHECK(read_text(folder / "mean.dx").empty());
  }
  CAPTURE(stopped.err);
  CHECK(stopped.err.find("interrupted; " + folder / "mean.dx" + " has the mean over ") != std::string::npos);
  CHECK(stopped.err.find(" of 40, and --resume " + folder / "state.h5" + " continues from there") !=
        std::string::npos);
  CHECK(run_ionwell({"info", folder / "mean.dx"}).exit_code == 0);
  const ProgramResult rest = RunningProgram(words).wait();
  CHECK(rest.exit_code == 0);
  CHECK(rest.out.find("\nresumed         behind ") != std::string::npos);
  CHECK(rest.out.find("averaged        40 frames") != std::string::npos);
  REQUIRE(RunningProgram(once).wait().exit_code == 0);
  CHECK(numbers_of(folder / "mean.dx") == numbers_of(folder / "once.dx"));
  CHECK(numbers_of(folder / "mean.sd.dx") == numbers_of(folder / "once.sd.dx"));
}

TEST_CASE("average: what makes no sense is refused with one message, and nothing is left") {
  const TemporaryFolder folder;
  write_frames(folder / "run.dcd", 3);
  write_text(folder / "few.dcd", dcd_bytes<Point>({{{0, 0, 0}, {1, 1, 1}}}));
  write_text(folder / "rna.pdb",
             "ATOM      1  N   ALA A   1       1.000   2.000   3.000  1.00  0.00           N\n");
  struct Wrong {
    Strings words;
    int exit_code;
    std::string message;
  };
  const std::string run = folder / "run.dcd";
  const std::vector<Wrong> wrong = {
      {{duplex}, 2, "TOPOLOGY TRAJECTORY"},
      {{duplex, run}, 2, "-o is missing"},
      {{duplex, run, "-o", "a.txt"}, 2, "cannot tell the format of the map"},
      {{duplex, run, "--statistics", "mean,var"},
       2,
       "--statistics has 'var', which is not a map of an average"},
      {{duplex, run, "--statistics", "se", "--blocks", "4"}, 2, "--blocks is 4"},
      {{duplex, run, "--statistics", "se", "--blocks", "1"}, 2, "--blocks is 1"},
      {{duplex, run, "--first", "4"}, 2, "--first 4 is not among the 3 frames"},
      {{duplex, run, "--every", "0"}, 2, "--every is 0"},
      {{duplex, run, "--fit", "name QQ"}, 2, "QQ"},
      {{duplex, run, "--reference", duplex}, 2, "--reference has no effect without --fit; add it"},
      {{duplex, run, "--fit", "name P", "--reference", folder / "few.dcd"},
       1,
       "has 2 atoms, and the trajectory has 758"},
      {{duplex, run, "--solute", "name P", "--ignore", "name P"},
       2,
       "--solute and --ignore select none of the 758 atoms"},
      {{duplex, run, "--boundary", "periodic"}, 2, "the first frame has none"},
      {{duplex, run, "--ewald-factor", "0.25"},
       2,
       "--ewald-factor has no effect without --boundary periodic"},
      {{duplex, run, "--boundary", "periodic", "--method", "direct"},
       2,
       "--method direct has no effect with --boundary periodic: images are summed by Ewald's method"},
      {{duplex, run, "--resume", run}, 2, "run.dcd is an input file, which would be overwritten"},
      {{duplex, folder / "few.dcd"}, 1, "has 2 atoms, and " + duplex + " has 758"},
      {{run, run}, 2, "which has no charges; give a topology"},
      {{folder / "rna.pdb", folder / "rna.pdb"}, 1, "which has no charges, and PDB2PQR would add atoms"},
      {{duplex, "-"}, 2, "standard input is a pipe, but trajectory files are read more than once"},
  };
  for (const Wrong& one : wrong) {
    Strings words = {"average"};
    words.insert(words.end(), one.words.begin(), one.words.end());
    if (one.message != "-o is missing" && one.words.back() != "a.txt")
      words.insert(words.end(), {"-o", folder / "mean.dx"});
    const ProgramResult result = run_ionwell(words);
    CAPTURE(result.err);
    CAPTURE(one.message);
    CHECK(result.exit_code == one.exit_code);
    CHECK(result.err.find(one.message) != std::string::npos);
    CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
  }
  CHECK(folder.entries() == Strings{"few.dcd", "rna.pdb", "run.dcd"});
}

TEST_CASE("average: a real trajectory whose header claims more frames than it holds") {
  const std::string psf = shared_data("data/md/adk.psf.gz"), dcd = shared_data("data/md/adk_dims.dcd.gz");
  if (psf.empty() || dcd.empty()) return;
  const TemporaryFolder folder;
  const ProgramResult result =
      run_ionwell({"average", psf, dcd, "-o", folder / "mean.dx", "--spacing", "3", "--fit", "name CA"});
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("contains 98 frames, but its header states 500") != std::string::npos);
  CHECK(result.out.find("averaged        98 frames\n") != std::string::npos);
  CHECK(result.out.find("fit             214 atoms (name CA) to the first frame\n") != std::string::npos);
}
