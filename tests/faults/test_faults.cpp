// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "faults/lasting_parts.hpp"
#include "support/program_paths.hpp"
#include "support/run_program.hpp"

using namespace ionwell::test;
using Strings = std::vector<std::string>;

namespace {

const std::string solute =
    "ATOM 1 P DA A 1 0.0 0.0 0.0 -1.0 1.8\nATOM 2 O1P DA A 1 1.5 0.0 0.3 -0.6 1.5\n"
    "ATOM 3 O2P DA A 1 -0.7 1.3 0.1 -0.6 1.5\nATOM 4 C1 DA A 1 0.3 -1.4 0.5 0.2 1.7\n";

// The first calls, then ever fewer: of long loops the first rounds show what there is. And the last ones,
// when files are written.
constexpr long first_calls = 250, step_part = 20, last_calls = 100;

/// The one to fail after `at`, where `step` is that of the first and the last ones.
long next_call(long at, long calls, long step) {
  if (at <= first_calls) return at + step;
  const long last_ones = calls - last_calls;
  return at >= last_ones ? at + step : std::min(at + at / step_part, last_ones);
}

/// One command on small files, and what it writes.
struct Run {
  Strings words, outputs;
  std::string program = program_path(), name = "ionwell";
  std::string checkpoint = "";  // of `outputs`: may be left, and may be missing with a warning
};

enum class Faults { one_allocation, all_from_one_on, one_file_call, quota_from_one_on };

/// The first call to fail, and the step to the next one. Of the calls that ask for memory a test fails one of
/// sixteen, other ones in each command: those of a program's start are the same in all. IONWELL_FAULTS=all
/// fails each.
std::pair<long, long> steps_of(const Run& run, Faults faults) {
  if (faults == Faults::one_file_call || faults == Faults::quota_from_one_on) return {1, 1};
  // Where all fail from one on, a failure more or less before it is the same failure.
  const long step = faults == Faults::all_from_one_on ? 5 : 1, sampled_step = 16 * step;
  const char* const which = std::getenv("IONWELL_FAULTS");
  if (which != nullptr && std::string_view(which) == "all") return {1, step};
  std::size_t letters = 0;
  for (const std::string& word : run.words) letters += word.size();
  return {1 + long(letters) % sampled_step, sampled_step};
}

const char* kind_of(Faults faults) {
  if (faults == Faults::quota_from_one_on) return "quota";
  return faults == Faults::one_file_call ? "files" : "memory";
}

/// Folders of one case: what is there before, and what a run is given for its own.
struct Workplace {
  TemporaryFolder inputs, outputs, notes;

  Workplace() {
    write_text(inputs / "a.pqr", solute);
    write_text(inputs / "points.pdb",
               "HETATM    1 MG    MG I   1       3.000   4.000   5.000  1.00  0.00          MG\n");
    write_text(inputs / "x.in",
               "GRIDSPACING 2\nBORDERSIZE 9\nBEGIN\nPLACEION MG 1 2\nPLACEION SOD 1 1\nSAVEION ions.pdb\n");
    write_text(inputs / "solver",
               "#!/bin/sh\nPATH=/usr/bin:/bin exec cp '" + inputs / "map.dx" + "' pot.dx\n");
    std::filesystem::permissions(inputs / "solver", std::filesystem::perms::owner_all);
    for (const char* const name : {"map.dx", "map.dx.gz", "map.h5", "map.ccp4", "map.cube", "map.grd"})
      REQUIRE(run_ionwell({"map", inputs / "a.pqr", "--spacing", "1", "--border", "9", "--quiet", "-o",
                           inputs / name})
                  .exit_code == 0);
  }

  /// With `at` = 0 no call fails.
  ProgramResult start(const Run& run, Faults faults, long at) const {
    const std::string note = notes / "note";
    std::filesystem::remove(note);
    Strings all = {"/usr/bin/env",
                   "-C",
                   outputs.path(),
                   "PATH=/nowhere",
                   "TMPDIR=" + outputs.path(),
                   "OMP_NUM_THREADS=1",
                   "LD_PRELOAD=" IONWELL_FAULT_LIBRARY,
                   std::string("IONWELL_FAULT=") + kind_of(faults),
                   "IONWELL_FAULT_AT=" + std::to_string(at),
                   "IONWELL_FAULT_NOTE=" + note};
    if (faults == Faults::all_from_one_on || faults == Faults::quota_from_one_on)
      all.push_back("IONWELL_FAULT_ON=1");
    all.push_back(run.program);
    for (std::string word : run.words) {
      if (const std::size_t mark = word.find("IN/"); mark != word.npos) word.replace(mark, 2, inputs.path());
      all.push_back(word);
    }
    return RunningProgram(all).wait();
  }

  std::string note() const { return read_text(notes / "note"); }
};

std::map<std::string, std::string> files_in(const TemporaryFolder& folder) {
  std::map<std::string, std::string> files;
  for (const std::string& name : folder.entries()) files[name] = lasting_part(folder / name);
  return files;
}

/// Whether all that was said is that there is no checkpoint.
bool lacks_checkpoint_only(const std::string& err) {
  return err.starts_with("ionwell: warning: no checkpoint was written: ") && err.find('\n') == err.size() - 1;
}

/// Without the warning that there is no checkpoint, which may come before why there is no result either.
std::string without_lacking_checkpoint(const std::string& err) {
  return err.starts_with("ionwell: warning: no checkpoint was written: ") ? err.substr(err.find('\n') + 1)
                                                                          : err;
}

/// What a run leaves that has failed goes on to the files of one that has not.
void check_resumed(const Workplace& place, Run run, const std::map<std::string, std::string>& expected) {
  if (std::find(run.words.begin(), run.words.end(), "--resume") == run.words.end())
    run.words.insert(run.words.end(), {"--resume", run.checkpoint});
  const ProgramResult resumed = place.start(run, Faults::one_file_call, 0);
  CHECK(resumed.exit_code == 0);
  CHECK(resumed.err.empty());
  CHECK(files_in(place.outputs) == expected);
}

/// A run in which a call fails either gives one message and leaves nothing, or is as if none had.
void check_run(const Run& run, Faults faults) {
  const Workplace place;
  const ProgramResult untouched = place.start(run, faults, 0);
  CAPTURE(untouched.err);
  REQUIRE(untouched.exit_code == 0);
  REQUIRE(untouched.err.empty());
  const std::map<std::string, std::string> expected = files_in(place.outputs);
  REQUIRE(expected.size() == run.outputs.size());
  const long calls = std::stol(place.note().substr(std::string("calls: ").size()));
  REQUIRE(calls > 2);
  long failures = 0;
  const auto [first, step] = steps_of(run, faults);
  for (long at = first; at <= calls; at = next_call(at, calls, step)) {
    for (const std::string& name : run.outputs) std::filesystem::remove(place.outputs / name);
    const ProgramResult result = place.start(run, faults, at);
    const std::string note = place.note();
    CAPTURE(note);
    CAPTURE(result.err);
    Strings left = place.outputs.entries();
    const std::string first_left = left.empty() ? "" : left.front();
    CAPTURE(first_left);
    if (result.exit_code == 0) {
      CHECK(lasting_lines(result.out) == lasting_lines(untouched.out));
      std::map<std::string, std::string> found = files_in(place.outputs);
      if (!run.checkpoint.empty() && lacks_checkpoint_only(result.err))
        found[run.checkpoint];
      else
        CHECK(result.err.empty());
      CHECK(found == expected);
    } else {
      ++failures;
      CHECK(result.signal == 0);
      CHECK(result.exit_code == 1);
      const std::string error = run.checkpoint.empty() ? result.err : without_lacking_checkpoint(result.err);
      CHECK(error.starts_with(run.name + ": "));
      if (faults == Faults::quota_from_one_on) CHECK(error.find("Disk quota exceeded") != std::string::npos);
      CHECK(std::count(error.begin(), error.end(), '\n') == 1);
      CHECK(error.ends_with("\n"));
      if (left == Strings{run.checkpoint}) {
        check_resumed(place, run, expected);
        left = place.outputs.entries();
      } else {
        CHECK(left.empty());
      }
    }
    for (const std::string& name : left) std::filesystem::remove_all(place.outputs / name);
  }
  CHECK(failures > 0);
}

void check_all(const Run& run) {
  for (const Faults faults : {Faults::one_allocation, Faults::all_from_one_on, Faults::one_file_call}) {
    CAPTURE(int(faults));
    check_run(run, faults);
  }
}

Strings place_words(const Strings& more) {
  Strings words = {"place",    "IN/a.pqr", "--ion",     "MG:1", "--ion",   "CL:1", "--spacing", "2",
                   "--border", "9",        "--threads", "1",    "--quiet", "-o",   "ions.pdb"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace

TEST_CASE("faults: place") {
  check_all({place_words({"--save-map", "before.dx", "--save-map-after", "after.h5", "--report", "run.json"}),
             {"ions.pdb", "before.dx", "after.h5", "run.json"}});
}

TEST_CASE("faults: place with a checkpoint at every ion") {
  Run run{place_words({"--checkpoint", "run.state", "--tune", "checkpoint-every=1e-9"}),
          {"ions.pdb", "run.state"}};
  run.checkpoint = "run.state";
  for (const Faults faults : {Faults::one_allocation, Faults::one_file_call}) check_run(run, faults);
}

TEST_CASE("faults and resumed runs: map, potential and compare") {
  for (Run run :
       {Run{{"map", "IN/a.pqr", "--method", "direct", "--spacing", "2", "--threads", "1", "--quiet", "-o",
             "a.mrc", "--checkpoint", "run.state", "--tune", "checkpoint-every=1e-9"},
            {"a.mrc", "run.state"}},
        Run{{"potential", "IN/a.pqr", "--at", "IN/points.pdb", "--threads", "1", "--quiet", "-o", "a.csv",
             "--checkpoint", "run.state", "--tune", "checkpoint-every=1e-9"},
            {"a.csv", "run.state"}},
        Run{{"compare", "IN/a.pqr", "IN/points.pdb", "--ion", "MG:1", "--protocol", "coulomb", "--quiet",
             "--report", "points.json", "--checkpoint", "run.state", "--tune", "checkpoint-every=1e-9"},
            {"points.json", "run.state"}}}) {
    run.checkpoint = "run.state";
    CAPTURE(run.words[0]);
    check_run(run, Faults::one_file_call);
  }
}

TEST_CASE("faults: place with multilevel summation") {
  check_all(
      {place_words({"--method", "msm", "--with-solute", "--view", "vmd"}), {"ions.pdb", "ions.vmd.tcl"}});
}

TEST_CASE("faults: a script of cionize") {
  const Run run{{"-i", "IN/x.in", "-p", "1", "IN/a.pqr"}, {"ions.pdb"}, cionize_path(), "cionize"};
  check_run(run, Faults::one_allocation);
  check_run(run, Faults::one_file_call);
}

TEST_CASE("faults: place in a map") {
  check_all({{"place", "IN/a.pqr", "--map", "IN/map.dx.gz", "--update", "coulomb", "--ion", "MG:1",
              "--threads", "1", "--quiet", "-o", "ions.pdb"},
             {"ions.pdb"}});
}

TEST_CASE("faults: place with a solver") {
  const Run run{{"place", "IN/a.pqr", "--pb", "apbs", "--tune", "pb-program=IN/solver", "--ion", "MG:1",
                 "--threads", "1", "--quiet", "-o", "ions.pdb"},
                {"ions.pdb"}};
  // Not without any memory from some call on: its scratch folder cannot be listed then, and waits for the
  // next run.
  check_run(run, Faults::one_allocation);
  check_run(run, Faults::one_file_call);
}

TEST_CASE("faults: solvate") {
  check_all({{"solvate", "IN/a.pqr", "--padding", "7", "--threads", "1", "--quiet", "-o", "wet.gro",
              "--report", "run.json"},
             {"wet.gro", "run.json"}});
  check_run(
      {{"solvate", "IN/a.pqr", "--padding", "7", "--orient", "--threads", "1", "--quiet", "-o", "wet.pdb.gz"},
       {"wet.pdb.gz"}},
      Faults::one_file_call);
}

TEST_CASE("faults: prepare") {
  check_all(
      {{"prepare", "IN/a.pqr", "--padding", "7", "--ion", "NA:neutralize", "--salt", "NaCl:1", "--threads",
        "1", "--quiet", "-o", "wet.pdb", "--report", "run.json", "--save-preset", "preset.json"},
       {"wet.pdb", "run.json", "preset.json"}});
}

TEST_CASE("faults: place in a box of water") {
  const TemporaryFolder folder;
  const std::string wet = folder / "wet.pqr";
  write_text(folder / "a.pqr", solute);
  REQUIRE(run_ionwell({"solvate", folder / "a.pqr", "--padding", "9", "--quiet", "-o", wet}).exit_code == 0);
  check_all({{"place", wet, "--ion", "MG:1", "--salt", "NaCl:0.3", "--scheme", "add", "--tune",
              "keep-water=0", "--threads", "1", "--quiet", "-o", "sys.pdb", "--report", "run.json"},
             {"sys.pdb", "run.json"}});
}

TEST_CASE("faults: map") {
  for (const char* const name : {"a.dx.gz", "a.mrc"}) {
    CAPTURE(std::string(name));
    check_all({{"map", "IN/a.pqr", "--spacing", "2", "--threads", "1", "--quiet", "-o", name, "--report",
                "run.json"},
               {name, "run.json"}});
  }
}

TEST_CASE("faults: average") {
  Run run{{"average", "IN/a.pqr", "IN/a.pqr", "IN/a.pqr", "--spacing", "2", "--threads", "1", "--quiet",
           "--statistics", "sd", "-o", "mean.dx", "--resume", "run.state", "--report", "run.json"},
          {"mean.dx", "mean.sd.dx", "run.state", "run.json"}};
  run.checkpoint = "run.state";
  for (const Faults faults : {Faults::one_allocation, Faults::one_file_call}) check_run(run, faults);
  check_run({{"average", "IN/a.pqr", "IN/a.pqr", "--spacing", "2", "--threads", "1", "--quiet", "-o",
              "mean.dx", "--report", "run.json"},
             {"mean.dx", "run.json"}},
            Faults::all_from_one_on);
}

TEST_CASE("faults: potential") {
  check_all({{"potential", "IN/a.pqr", "--at", "IN/points.pdb", "--threads", "1", "--quiet", "-o", "a.pdb",
              "--report", "run.json"},
             {"a.pdb", "run.json"}});
  check_all({{"potential", "IN/a.pqr", "--surface", "ses", "--edge-length", "1.5", "--alpb", "--threads", "1",
              "--quiet", "-o", "a.vtk"},
             {"a.vtk"}});
  for (const char* const method : {"hcp", "msm"})
    check_run({{"potential", "IN/a.pqr", "--at", "IN/points.pdb", "--method", method, "--threads", "1",
                "--quiet", "-o", "a.csv"},
               {"a.csv"}},
              Faults::one_allocation);
}

TEST_CASE("faults: sample") {
  check_all({{"sample",          "IN/a.pqr",  "--ion",      "NA:2",     "--spacing", "2",
              "--wall-distance", "6",         "--start",    "random",   "--sweeps",  "50",
              "--equilibration", "10",        "--replicas", "1",        "--threads", "1",
              "--quiet",         "--density", "density.dx", "--around", "name P",    "--rdf",
              "near.csv",        "-o",        "a.pdb",      "--report", "run.json"},
             {"density.NA.dx", "near.csv", "a.pdb", "run.json"}});
}

TEST_CASE("faults: a disk quota that is over at each write in turn, and stays so") {
  Run saved{place_words({"--checkpoint", "run.state", "--tune", "checkpoint-every=1e-9"}),
            {"ions.pdb", "run.state"}};
  saved.checkpoint = "run.state";
  const Run others[] = {
      {place_words({"--save-map", "before.dx.gz", "--save-map-after", "after.h5", "--report", "run.json"}),
       {"ions.pdb", "before.dx.gz", "after.h5", "run.json"}},
      {{"map", "IN/a.pqr", "--spacing", "2", "--threads", "1", "--quiet", "-o", "a.mrc"}, {"a.mrc"}},
      {{"potential", "IN/a.pqr", "--at", "IN/points.pdb", "--threads", "1", "--quiet", "-o", "a.h5"},
       {"a.h5"}},
      {{"solvate", "IN/a.pqr", "--padding", "7", "--threads", "1", "--quiet", "-o", "wet.pdb.gz"},
       {"wet.pdb.gz"}},
      {{"average", "IN/a.pqr", "IN/a.pqr", "--spacing", "2", "--threads", "1", "--quiet", "-o", "mean.dx"},
       {"mean.dx"}},
      {{"convert", "IN/map.h5", "a.cube", "--threads", "1", "--quiet"}, {"a.cube"}}};
  check_run(saved, Faults::quota_from_one_on);
  for (const Run& run : others) {
    CAPTURE(run.words[0]);
    check_run(run, Faults::quota_from_one_on);
  }
}

TEST_CASE("faults: convert") {
  const std::pair<const char*, const char*> formats[] = {
      {"IN/map.h5", "a.cube"}, {"IN/map.ccp4", "a.h5"}, {"IN/map.cube", "a.grd"}, {"IN/map.grd", "a.dxbin"}};
  for (const auto& [from, to] : formats) {
    CAPTURE(std::string(from));
    check_all({{"convert", from, to, "--to-unit", "mV", "--threads", "1", "--quiet"}, {to}});
  }
}

TEST_CASE("faults: info") {
  for (const char* const name : {"IN/a.pqr", "IN/map.dx.gz"}) {
    CAPTURE(std::string(name));
    check_all({{"info", name}, {}});
  }
}

TEST_CASE("faults: compare") {
  check_all({{"compare", "IN/points.pdb", "IN/points.pdb", "--report", "points.json"}, {"points.json"}});
  check_all({{"compare", "IN/a.pqr", "IN/points.pdb", "--ion", "MG:1", "--quiet", "--report", "points.json"},
             {"points.json"}});
}
