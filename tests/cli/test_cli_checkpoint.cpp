// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <signal.h>

#include <filesystem>
#include <optional>
#include <sstream>
#include <utility>

#include "support/dcd_bytes.hpp"
#include "support/example.hpp"
#include "support/program_paths.hpp"
#include "support/rod_files.hpp"
#include "support/run_program.hpp"
#include "support/waiting.hpp"

using namespace ionwell::test;
using Strings = std::vector<std::string>;

namespace {

Strings joined(Strings words, const Strings& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// A run with a solve for each of some ions, which takes its time.
Strings solving(const std::string& ions) {
  return {"place", duplex, "--pb", "own", "--pb-every", "1", "--spacing", "1.5", "--ion", "NA:6", "-o", ions};
}

/// What does not tell which command wrote it.
std::string ions_of(const std::string& path) {
  std::istringstream text(read_text(path));
  std::string ions;
  for (std::string line; std::getline(text, line);)
    if (line.starts_with("HETATM") || line.starts_with("ATOM")) ions += line + '\n';
  return ions;
}

/// Runs until the checkpoint is there, then gets the signal. Nothing where the run was faster.
std::optional<ProgramResult> stopped(const Strings& words, const std::string& state, int signal,
                                     const char* every_s = "0.001") {
  Strings all = joined({program_path()}, words);
  all.insert(all.end(), {"--checkpoint", state, "--tune", std::string("checkpoint-every=") + every_s});
  RunningProgram running(all);
  CHECK(wait_until([&] { return std::filesystem::exists(state); }));
  running.send(signal);
  ProgramResult result = running.wait();
  if (result.exit_code == 0) return std::nullopt;
  CHECK(result.signal == signal);
  return result;
}

/// Frames of six atoms in a row.
std::string small_trajectory() {
  struct Point {
    double x, y, z;
  };
  std::vector<std::vector<Point>> frames;
  for (int n = 0; n < 30; ++n)
    frames.push_back({{0, 0, 0.01 * n}, {5, 0, 0}, {10, 0.02 * n, 0}, {15, 0, 0}, {20, 0, 0}, {25, 0, 0}});
  return dcd_bytes(frames);
}

}  // namespace

TEST_CASE("checkpoint: stopped by SIGTERM or killed, a run goes on to the ions of one that was not") {
  const TemporaryFolder folder;
  const std::string ions = folder / "ions.pdb", state = folder / "run.state";
  REQUIRE(run_ionwell(solving(folder / "whole.pdb")).exit_code == 0);
  const std::string whole = ions_of(folder / "whole.pdb");
  for (const int signal : {SIGTERM, SIGKILL, SIGINT}) {
    CAPTURE(signal);
    const std::optional<ProgramResult> result = stopped(solving(ions), state, signal);
    REQUIRE(result);
    CHECK_FALSE(std::filesystem::exists(ions));
    if (signal != SIGKILL)
      CHECK(has(result->err,
                "; " + state + " has the state so far, and --resume " + state + " continues from there\n"));
    const ProgramResult rest = run_ionwell(joined(solving(ions), {"--resume", state, "--threads", "1"}));
    CAPTURE(rest.err);
    REQUIRE(rest.exit_code == 0);
    CHECK(has(rest.out, "checkpoint      " + state + ", every 600 s; goes on from " + state + "\n"));
    CHECK(ions_of(ions) == whole);
    for (const char* const name : {"ions.pdb", "run.state", "ions.partial.pdb"})
      std::filesystem::remove(folder / name);
  }
  CHECK(folder.entries() == Strings{"whole.pdb"});
}

TEST_CASE("checkpoint: a run that makes a folder goes on after it was stopped, with the same words") {
  const TemporaryFolder folder;
  const std::string made = folder / "made", state = folder / "run.state",
                    partial = folder / "made.partial.pdb";
  const Strings words = joined(solving(made), {"--for", "amber"});
  const std::optional<ProgramResult> result = stopped(words, state, SIGTERM);
  REQUIRE(result);
  CHECK_FALSE(std::filesystem::exists(made));
  if (std::filesystem::exists(partial)) CHECK(has(result->err, " in " + partial + "; "));
  const ProgramResult rest = run_ionwell(joined(words, {"--resume", state}));
  CAPTURE(rest.err);
  CHECK(rest.exit_code == 0);
  CHECK(std::filesystem::exists(made + "/leap.in"));
}

TEST_CASE("checkpoint: what a run that stops would write takes no other file's place") {
  const TemporaryFolder folder;
  const std::string ions = folder / "ions.pdb", partial = folder / "ions.partial.pdb";
  const ProgramResult report = run_ionwell(joined(solving(ions), {"--report", partial}));
  CHECK(report.exit_code == 2);
  CHECK(report.err == "ionwell: --report names " + partial +
                          ", where the ions of a run that stops would go; give it another file\n");
  std::filesystem::copy_file(duplex, folder / "ions.partial.pqr");
  Strings words = solving(folder / "ions.pqr");
  words[1] = folder / "ions.partial.pqr";
  const ProgramResult input = run_ionwell(words);
  CHECK(input.exit_code == 2);
  CHECK(has(input.err, "would be overwritten: the ions of a run that stops would go there"));
  CHECK(folder.entries() == Strings{"ions.partial.pqr"});
}

TEST_CASE("checkpoint: SIGUSR1 saves, and the run goes on") {
  const TemporaryFolder folder;
  const std::string state = folder / "run.state";
  Strings words = joined({program_path()}, solving(folder / "ions.pdb"));
  words.insert(words.end(), {"--checkpoint", state});
  RunningProgram running(words, {.standard_output = folder / "out"});
  CHECK(wait_until([&] { return has(read_text(folder / "out"), "\nlattice "); }));
  running.send(SIGUSR1);
  CHECK(wait_until([&] { return std::filesystem::exists(state); }));
  CHECK(running.wait().exit_code == 0);
  CHECK(has(read_text(folder / "out"), "checkpoint      " + state + ", every 600 s; begins anew\n"));
}

TEST_CASE("checkpoint: boxes, samples and averages go on as well") {
  const RodFiles files;
  const TemporaryFolder& folder = files.folder;
  const std::string state = folder / "run.state";
  write_text(folder / "run.dcd", small_trajectory());
  const std::pair<Strings, std::string> runs[] = {
      {{"prepare", files.rod, "--padding", "9", "--ion", "NA:6", "--salt", "NaCl:0.3"}, "system.pdb"},
      {{"sample", files.rod, "--ion", "NA:6", "--spacing", "2", "--wall-distance", "10", "--sweeps", "4000",
        "--sample-every", "10", "--equilibration", "100"},
       "sampled.pdb"},
      {{"average", files.rod, folder / "run.dcd", "--spacing", "1", "--border", "9"}, "mean.cube"}};
  for (const auto& [words, name] : runs) {
    CAPTURE(words[0]);
    const std::string file = folder / name, whole_file = folder / ("whole." + name);
    REQUIRE(run_ionwell(joined(words, {"-o", whole_file, "--quiet"})).exit_code == 0);
    const auto lasting = [&](const std::string& path) {
      const std::string text = read_text(path);
      return words[0] == "average" ? text.substr(text.find('\n', text.find('\n') + 1)) : ions_of(path);
    };
    const std::string whole = lasting(whole_file);
    CHECK(whole.size() > 100);
    stopped(joined(words, {"-o", file, "--quiet"}), state, SIGKILL);
    const ProgramResult rest = run_ionwell(joined(words, {"-o", file, "--quiet", "--resume", state}));
    CAPTURE(rest.err);
    REQUIRE(rest.exit_code == 0);
    CHECK(lasting(file) == whole);
    std::filesystem::remove(state);
  }
}

TEST_CASE("checkpoint: maps, potentials at points and comparisons go on as well") {
  const TemporaryFolder folder;
  const std::string state = folder / "run.state", points = folder / "points.csv";
  std::string text = "x,y,z\n";
  for (int n = 0; n < 200'000; ++n)
    text += std::to_string(n % 70 - 10) + ',' + std::to_string(n / 70 % 50) + ',' + std::to_string(n / 3500) +
            '\n';
  write_text(points, text);
  struct Case {
    Strings words;
    std::string option, file, more, refused;  // with one more option
  };
  const Strings hybrid = {"--ion", "MG:4", "--protocol", "coulomb", "--protocol", "hybrid", "--pb", "own"};
  const Case cases[] = {
      {{"map", duplex, "--method", "direct", "--spacing", "0.3"},
       "-o",
       "map.mrc",
       "--ddd=3",
       "with --ddd 3;"},
      {{"potential", duplex, "--at", points, "--method", "hcp"},
       "-o",
       "values.csv",
       "--accuracy=0.01",
       "with --accuracy 0.01;"},
      {joined({"compare", duplex}, hybrid), "--report", "one.json", "--ion=NA:1", "with --ion MG:4 NA:1;"}};
  for (const Case& one : cases) {
    CAPTURE(one.words[0]);
    const std::string file = folder / one.file, whole_file = folder / ("whole." + one.file);
    REQUIRE(run_ionwell(joined(one.words, {one.option, whole_file, "--quiet"})).exit_code == 0);
    const Strings words = joined(one.words, {one.option, file, "--quiet"});
    const std::optional<ProgramResult> result = stopped(words, state, SIGTERM);
    REQUIRE(result);
    CHECK(has(result->err,
              "; " + state + " has the state so far, and --resume " + state + " continues from there\n"));
    CHECK_FALSE(std::filesystem::exists(file));
    const ProgramResult other = run_ionwell(joined(words, {"--resume", state, one.more}));
    CHECK(other.exit_code == 1);
    CHECK(has(other.err, "is the checkpoint of another run: that was "));
    CHECK(has(other.err, one.refused));
    Strings rest = joined(words, {"--resume", state});
    if (one.words[0] != "compare") rest.insert(rest.end(), {"--threads", "1"});
    const ProgramResult resumed = run_ionwell(rest);
    CAPTURE(resumed.err);
    REQUIRE(resumed.exit_code == 0);
    if (one.words[0] == "compare")  // which has times
      CHECK(count_in(read_text(file), "\n") == count_in(read_text(whole_file), "\n"));
    else if (one.words[0] == "map")  // whose header has the command
      CHECK(read_text(file).substr(1024) == read_text(whole_file).substr(1024));
    else
      CHECK(read_text(file) == read_text(whole_file));
    std::filesystem::remove(state);
  }
}

TEST_CASE("checkpoint: where nothing is saved the option is refused") {
  const TemporaryFolder folder;
  const std::string state = folder / "run.state";
  write_text(folder / "a.pdb",
             "HETATM    1 MG    MG A   1      21.560  -5.175   5.013  1.00  0.00          MG2+\n");
  const std::pair<Strings, std::string> cases[] = {
      {{"map", duplex, "--pb", "own", "-o", folder / "a.dx"},
       "--checkpoint has no effect with --pb own: no charges are summed; leave one of them out"},
      {{"potential", duplex, "--pb", "own", "--at", folder / "a.pdb", "-o", folder / "a.csv"},
       "--checkpoint has no effect with --pb own: no charges are summed; leave one of them out"},
      {{"place", duplex, "--map", "-", "--ion", "NA:2", "-o", folder / "ions.pdb"},
       "standard input (-) cannot be compared when the run goes on; save it as a file, and give that"},
      {{"compare", folder / "a.pdb", folder / "a.pdb"},
       "--checkpoint has no effect without --ion; add it, or leave --checkpoint out"}};
  for (const auto& [words, message] : cases) {
    const ProgramResult result = run_ionwell(joined(words, {"--checkpoint", state}));
    CHECK(result.exit_code == 2);
    CHECK(has(result.err, message));
    CHECK(folder.entries() == Strings{"a.pdb"});
  }
}

TEST_CASE("checkpoint: of another run it is refused, the difference is named, and the file stays") {
  const TemporaryFolder folder;
  const std::string state = folder / "run.state", other = folder / "other.pqr", ions = folder / "ions.pdb";
  REQUIRE(stopped(solving(ions), state, SIGKILL));
  const std::string saved = read_text(state);
  const std::string text = read_text(duplex);
  const std::size_t second = text.find("ATOM", text.find("ATOM") + 4);
  write_text(other, text.substr(0, text.find("ATOM")) + text.substr(second));
  const auto refused = [&](const Strings& words, const std::string& message) {
    const ProgramResult result = run_ionwell(joined(words, {"--resume", state}));
    CAPTURE(result.err);
    CHECK(result.exit_code == 1);
    CHECK(result.err.starts_with("ionwell: " + state + ": is the checkpoint of another run: that was "));
    CHECK(has(result.err, message));
    CHECK(has(result.err, "; give the checkpoint of this run, or start again without --resume\n"));
    CHECK(read_text(state) == saved);
    CHECK_FALSE(std::filesystem::exists(ions));
  };
  Strings words = solving(ions);
  words[9] = "NA:7";
  refused(words, "with --ion NA:6, and this run is with --ion NA:7;");
  words = solving(ions);
  words[1] = other;
  refused(words, "with atoms 758 (");
  refused(joined(solving(ions), {"--ion-ion", "4"}), "and this run is with --ion-ion 4;");
  refused({"prepare", duplex, "--ion", "NA:6", "-o", ions},
          "with command place, and this run is with command prepare;");
}

TEST_CASE("checkpoint: of a box with another cell, or of other chains, it is refused") {
  const TemporaryFolder folder;
  const std::string state = folder / "run.state", box = folder / "box.pqr";
  const auto write_box = [&](const std::string& edge, const std::string& chain) {
    std::string text = "CRYST1" + edge + edge + edge + "  90.00  90.00  90.00 P 1           1\n";
    int number = 0;
    for (int i = 0; i < 6; ++i) text += pqr_line("P", "U", ++number, 5.0 * i, 15.5, 15.5, -1.0);
    for (int x = 0; x < 10; ++x)
      for (int y = 0; y < 10; ++y)
        for (int z = 0; z < 10; ++z) {
          if (y > 3 && y < 6 && z > 3 && z < 6) continue;
          ++number;
          text += pqr_line("O", "HOH", number, 3.1 * x, 3.1 * y, 3.1 * z, -0.834);
          text += pqr_line("H1", "HOH", number, 3.1 * x + 0.957, 3.1 * y, 3.1 * z, 0.417);
          text += pqr_line("H2", "HOH", number, 3.1 * x - 0.240, 3.1 * y + 0.927, 3.1 * z, 0.417);
        }
    for (std::size_t at = text.find(" A "); at != text.npos; at = text.find(" A ", at + 3))
      text.replace(at + 1, 1, chain);
    write_text(box, text);
  };
  write_box("   31.000", "A");
  const Strings words = {"place", box, "--ion", "MG:2", "--ion", "NA:2", "-o", folder / "ions.pdb"};
  stopped(words, state, SIGKILL);
  REQUIRE(std::filesystem::exists(state));
  write_box("   31.500", "A");
  const ProgramResult cell = run_ionwell(joined(words, {"--resume", state}));
  CHECK(cell.exit_code == 1);
  CHECK(has(cell.err, "that was with cell 31 x 31 x 31 A ("));
  CHECK(has(cell.err, "and this run is with cell 31.5 x 31.5 x 31.5 A ("));
  write_box("   31.000", "B");
  const ProgramResult chain = run_ionwell(joined(words, {"--resume", state}));
  CHECK(chain.exit_code == 1);
  CHECK(has(chain.err, "that was with atoms "));
  write_box("   31.000", "A");
  const ProgramResult same = run_ionwell(joined(words, {"--resume", state}));
  CAPTURE(same.err);
  CHECK(same.exit_code == 0);
}

TEST_CASE("checkpoint: what is no checkpoint, and options that make no sense, are refused before all else") {
  const TemporaryFolder folder;
  const std::string ions = folder / "ions.pdb";
  write_text(folder / "text.state", "no state\n");
  const std::pair<Strings, std::string> cases[] = {
      {{"--resume", folder / "text.state"}, "text.state: is not an HDF5 file, or is truncated or damaged; "},
      {{"--resume", duplex, "--checkpoint", folder / "new.state"},
       "duplex.pqr: is not an HDF5 file, or is truncated or damaged; "},
      {{"--tune", "checkpoint-every=5"},
       "--tune checkpoint-every has no effect without --checkpoint or --resume; add one"},
      {{"--checkpoint", folder / "a.state", "--tune", "checkpoint-every=0"},
       "--tune checkpoint-every is 0 s; "},
      {{"--checkpoint", folder / "none/a.state"}, "none/a.state"},
      {{"--checkpoint", ions}, "--checkpoint"},
      {{"--checkpoint", duplex}, "duplex.pqr"}};
  for (const auto& [more, message] : cases) {
    const ProgramResult result = run_ionwell(joined(solving(ions), more));
    CAPTURE(result.err);
    CHECK(result.exit_code != 0);
    CHECK(has(result.err, message));
    CHECK(folder.entries() == Strings{"text.state"});
  }
  CHECK(read_text(folder / "text.state") == "no state\n");
  CHECK(run_ionwell({"info", duplex}).exit_code == 0);
}

TEST_CASE("checkpoint: a disk that has no room for it costs a warning, not the run") {
  const TemporaryFolder folder;
  const std::string state = folder / "run.state";
  Strings words = solving(folder / "ions.pdb");
  words.insert(words.end(), {"--checkpoint", state, "--tune", "checkpoint-every=0.001", "--quiet"});
  const ProgramResult result = run_ionwell(words, {.largest_file_bytes = 20'000});
  CHECK(result.exit_code == 0);
  CHECK(count_in(result.err, "no checkpoint was written: ") == 1);
  CHECK(count_in(ions_of(folder / "ions.pdb"), "\n") == 6);
  for (const std::string& name : folder.entries()) CHECK((name == "ions.pdb" || name == "run.state"));
}
