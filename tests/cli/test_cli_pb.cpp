// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <signal.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/example.hpp"
#include "support/program_paths.hpp"
#include "support/report.hpp"
#include "support/run_program.hpp"
#include "support/shared_data.hpp"
#include "support/skip.hpp"
#include "support/waiting.hpp"

using namespace ionwell::test;
using Json = nlohmann::json;

namespace {

/// A stand-in for APBS: a shell script that finds `$map` and `$log` set.
std::string stand_in(const TemporaryFolder& folder, const std::string& script) {
  const std::string path = folder / "solver";
  write_text(path,
             "#!/bin/sh\nmap='" + folder / "map.dx" + "' log='" + folder.path() + "'\n" + script + "\n");
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

void make_map(const TemporaryFolder& folder) {
  REQUIRE(run_ionwell({"map", duplex, "--ionic-strength", "0.15", "--spacing", "1", "-o", folder / "map.dx",
                       "--quiet"})
              .exit_code == 0);
}

std::vector<std::string> words(const TemporaryFolder& folder, const std::string& program,
                               const std::vector<std::string>& more = {}) {
  std::vector<std::string> all = {"place", duplex, "--pb", "apbs", "--tune", "pb-program=" + program};
  all.insert(all.end(), {"--ion", "MG:2", "--ion", "NA:3", "-o", folder / "ions.pdb", "--report",
                         folder / "report.json"});
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

std::int64_t lines_of(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}

bool is_installed(const std::string& name) {
  std::istringstream folders(std::getenv("PATH") != nullptr ? std::getenv("PATH") : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (std::filesystem::exists(folder + '/' + name)) return true;
  return false;
}

bool have_apbs() {
  if (is_installed("apbs")) return true;
  skip("apbs is not installed here");
  return false;
}

double distance(const Json& a, const Json& b) {
  double sum = 0.0;
  for (std::size_t axis = 0; axis < 3; ++axis)
    sum += std::pow(a[axis].get<double>() - b[axis].get<double>(), 2);
  return std::sqrt(sum);
}

}  // namespace

TEST_CASE("PB: solves again after every few ions, with those placed in the structure") {
  const TemporaryFolder folder;
  make_map(folder);
  const std::string program =
      stand_in(folder,
               "n=$(ls $log | grep -c seen); cp solute.pqr $log/seen$n.pqr; cp apbs.in $log/in$n\n"
               "cp $map pot-PE0.dx");
  const ProgramResult result =
      run_ionwell(words(folder, program, {"--pb-every", "2", "--pb-option", "npbe", "--temperature", "310"}));
  CHECK(result.err.empty());
  REQUIRE(result.exit_code == 0);
  const Json report = report_of(folder);
  CHECK(report["method"] == "apbs");
  CHECK(report["poisson_boltzmann"]["solves"] == 3);
  CHECK(report["poisson_boltzmann"]["options"] == Json::array({"npbe"}));
  CHECK(report["electrostatics"]["kind"] == "coulomb");  // the published hybrid
  CHECK(report["electrostatics"]["dielectric"] == 40.0);
  CHECK(report["ions"].size() == 5);
  for (int n = 0; n < 3; ++n) {
    const std::string pqr = read_text(folder / ("seen" + std::to_string(n) + ".pqr"));
    CHECK(lines_of(pqr) == 758 + 2 * n);
    const std::string input = read_text(folder / ("in" + std::to_string(n)));
    CHECK(input.find("  npbe\n") != std::string::npos);
    CHECK(input.find("  temp 310\n") != std::string::npos);
    CHECK(input.find("  dime 65 65 65\n") != std::string::npos);  // 60.2 x 36.3 x 36.0 A, at most 1 A apart
  }
  const std::string last = read_text(folder / "seen2.pqr");
  CHECK(last.find(" 2.000000 0.7200\n") != std::string::npos);
  CHECK(last.substr(last.size() - 16) == "1.000000 1.0200\n");
  for (const Json& a : report["ions"]) {
    CHECK(a["nearest_solute_A"] > 5.0);
    for (const Json& b : report["ions"])
      if (a["index"] != b["index"]) CHECK(distance(a["position_A"], b["position_A"]) > 5.0 - 1e-6);
  }
  // The stand-in's map has no ions in it, so each first ion of a map sees the solute alone.
  REQUIRE(run_ionwell({"place", duplex, "--map", folder / "map.dx", "--ion", "MG:1", "--temperature", "310",
                       "-o", folder / "one.pdb", "--report", folder / "report.json"})
              .exit_code == 0);
  CHECK(report_of(folder)["ions"][0]["position_A"] == report["ions"][0]["position_A"]);
  CHECK(!std::filesystem::exists(folder / "ions.partial.pdb"));
}

TEST_CASE("PB: a solver that fails in any way gives one message, and the ions so far are kept") {
  const TemporaryFolder folder;
  make_map(folder);
  struct Failure {
    std::string script, message;
    std::vector<std::string> more;
  };
  const std::string second = "[ -e $log/again ] || { touch $log/again; cp $map pot.dx; exit 0; }\n";
  const Failure failures[] = {
      {"echo; echo 'no such thing'; echo ----; exit 13",
       "failed with exit code 13; its last output: 'no such thing'",
       {}},
      {"echo 'parse: Unrecognized keyword (foo)!'; echo; echo rank 0 size 1...; exit 13",
       "failed with exit code 13; its last output: 'parse: Unrecognized keyword (foo)!'",
       {}},
      {"echo done", "finished without an error, but wrote no map; its last output: 'done'", {}},
      {"kill -9 $$", "was killed by signal 9, perhaps because of too little memory", {}},
      {"sleep 100 & echo $! > $log/child; wait",
       "was stopped after 0.3 s (--tune pb-timeout)",
       {"--tune", "pb-timeout=0.3"}},
      {"head -c 20000 $map > pot.dx", "wrote an incomplete map; is the disk full? ", {}},
  };
  for (const Failure& failure : failures) {
    CAPTURE(failure.script);
    for (const bool at_second : {false, true}) {
      std::filesystem::remove(folder / "again");
      std::filesystem::remove(folder / "ions.partial.pdb");
      const std::string program = stand_in(folder, (at_second ? second : "") + failure.script);
      std::vector<std::string> more = {"--pb-every", "2"};
      more.insert(more.end(), failure.more.begin(), failure.more.end());
      const ProgramResult result = run_ionwell(words(folder, program, more));
      CHECK(result.exit_code == 1);
      const std::string start =
          "ionwell: APBS (" + program + "), solve " + (at_second ? "2" : "1") + " of 3, ";
      CHECK(result.err.substr(0, start.size() + failure.message.size()) == start + failure.message);
      CHECK(result.err.find('\n') == result.err.size() - 1);
      CHECK(!std::filesystem::exists(folder / "ions.pdb"));
      CHECK(std::filesystem::exists(folder / "ions.partial.pdb") == at_second);
      CHECK((result.err.find("; the 2 ions placed before are in " + folder / "ions.partial.pdb") !=
             std::string::npos) == at_second);
    }
  }
  const pid_t left = pid_t(std::stol(read_text(folder / "child")));
  CHECK(is_gone(left));  // what the solver had started, too
}

TEST_CASE("PB: ions act in the solution that the solver's options describe") {
  const TemporaryFolder folder;
  make_map(folder);
  const std::string program = stand_in(folder, "cp $map pot.dx");
  REQUIRE(
      run_ionwell(words(folder, program,
                        {"--update", "debye-hueckel", "--pb-option", "sdie=60", "--pb-option",
                         "ion=charge 1 conc 0.5 radius 2", "--pb-option", "ion=charge -1 conc 0.5 radius 2"}))
          .exit_code == 0);
  const Json report = report_of(folder);
  CHECK(report["electrostatics"]["ionic_strength_M"] == 0.5);
  CHECK(report["electrostatics"]["dielectric"] == 60.0);
  CHECK(report["poisson_boltzmann"]["ionic_strength_M"] == 0.5);
}

TEST_CASE("PB: a solver's failure is seen by whoever was told to ignore that children end, too") {
  const TemporaryFolder folder;
  make_map(folder);
  std::vector<std::string> all = words(folder, stand_in(folder, "cp $map pot.dx; exit 13"));
  all.insert(all.begin(), {"/usr/bin/env", "--ignore-signal=CHLD", program_path()});
  const ProgramResult result = RunningProgram(all).wait();
  CHECK(result.exit_code == 1);
  CHECK(result.err.find("failed with exit code 13") != std::string::npos);
}

TEST_CASE("PB: an interrupted run ends its solver, saves its ions and leaves no files behind") {
  const TemporaryFolder folder;
  make_map(folder);
  const std::string program = stand_in(folder,
                                       "[ -e $log/again ] || { touch $log/again; cp $map pot.dx; exit 0; }\n"
                                       "pwd > $log/where; echo $$ > $log/solver.pid; exec sleep 100");
  for (const int signal : {SIGTERM, SIGINT}) {  // of SIGKILL: test_cli_killed
    CAPTURE(signal);
    for (const char* const name : {"again", "solver.pid", "ions.partial.pdb"})
      std::filesystem::remove(folder / name);
    std::vector<std::string> all = words(folder, program, {"--pb-every", "2"});
    all.insert(all.begin(), program_path());
    RunningProgram running(all);
    REQUIRE(wait_until([&] { return !read_text(folder / "solver.pid").empty(); }));
    const pid_t solver = pid_t(std::stol(read_text(folder / "solver.pid")));
    running.send(signal);
    CHECK(running.wait().signal == signal);
    CHECK(is_gone(solver));
    std::string where = read_text(folder / "where");
    where.pop_back();
    CHECK(!std::filesystem::exists(where));
    CHECK(std::filesystem::exists(folder / "ions.partial.pdb"));
    CHECK(!std::filesystem::exists(folder / "ions.pdb"));
  }
}

TEST_CASE("PB: a signal while the solver's map is read saves the ions and leaves no files behind") {
  const TemporaryFolder folder;
  make_map(folder);
  // The second map is a pipe: ionwell has opened it once there is a writer.
  const std::string program = stand_in(folder,
                                       "[ -e $log/again ] || { touch $log/again; cp $map pot.dx; exit 0; }\n"
                                       "mkfifo pot.dx; pwd > $log/part; mv $log/part $log/where");
  std::vector<std::string> all = words(folder, program, {"--pb-every", "2"});
  all.insert(all.begin(), program_path());
  RunningProgram running(all);
  REQUIRE(wait_until([&] { return std::filesystem::exists(folder / "where"); }));
  std::string pipe = read_text(folder / "where");
  pipe.back() = '/';
  std::ofstream writer(pipe + "pot.dx");  // waits for the reader
  running.send(SIGTERM);
  writer << read_text(folder / "map.dx");
  writer.close();
  const ProgramResult ended = running.wait();
  CHECK(ended.signal == SIGTERM);
  CHECK(ended.err == "ionwell: stopped by SIGTERM; the 2 ions placed before are in " +
                         (folder / "ions.partial.pdb") + "\n");
  std::string where = read_text(folder / "where");
  where.pop_back();
  CHECK(where.find("ionwell-") != std::string::npos);
  CHECK(!std::filesystem::exists(where));
  CHECK(std::filesystem::exists(folder / "ions.partial.pdb"));
  CHECK(!std::filesystem::exists(folder / "ions.pdb"));
}

TEST_CASE("PB: the solver's files can be kept, and old ones are not taken for new") {
  const TemporaryFolder folder;
  make_map(folder);
  const std::string kept = folder / "a/b";
  CHECK(run_ionwell(words(folder, stand_in(folder, "cp $map pot.dx"), {"--tune", "keep-scratch=" + kept}))
            .exit_code == 0);
  for (const char* const name : {"apbs.in", "apbs.out", "solute.pqr", "pot.dx"})
    CHECK(std::filesystem::exists(kept + '/' + name));
  const ProgramResult result =
      run_ionwell(words(folder, stand_in(folder, "exit 0"), {"--tune", "keep-scratch=" + kept}));
  CHECK(result.exit_code == 1);
  CHECK(result.err.find("wrote no map; see apbs.in and apbs.out in " + kept) != std::string::npos);
}

TEST_CASE("PB: what makes no sense is refused before anything is solved") {
  const TemporaryFolder folder;
  make_map(folder);
  const std::string program = stand_in(folder, "touch $log/started");
  struct Refused {
    std::vector<std::string> more;
    std::string message;
    int exit_code = 2;
  };
  const Refused cases[] = {
      {{"--pb-every", "0"}, "--pb-every is 0; it must be at least 1"},
      {{"--pb-option", "write=pot dx a"},
       "--pb-option is 'write=pot dx a', but 'write' is set by ionwell, which has to find the map; "},
      {{"--pb-option", "temp=310"},
       "--pb-option is 'temp=310', but the energies of ions also need the temperature; "},
      {{"--ionic-strength", "0.1", "--pb-option", "ion=1 0.1 2"},
       "--ionic-strength and --pb-option ion=... both set the salt"},
      {{"--ion-radius", "MGG:1"}, "--ion-radius gives MGG a radius, but no --ion places that"},
      {{"--pb-option", "=1"}, "--pb-option is '=1'; write it as KEY=VALUE"},
      {{"--tune", "pb-timeout=-1"}, "--tune pb-timeout is -1 s; it must not be negative"},
      {{"--ion-radius", "NA"}, "--ion-radius is 'NA'; write it as NAME:RADIUS in A"},
      {{"--ion", "NCO:1"},
       "the radius of NCO with a charge of 3 e is not known; give it with --ion-radius NCO:R"},
      {{"--map", folder / "map.dx"},
       "--map cannot be used with --pb apbs: only one of them can give the potential; "},
      {{"--map-unit", "mV"}, "--map-unit has no effect without --map; "},
      {{"--dielectric", "4"}, "--dielectric has no effect with --pb apbs: "},
      {{"--method", "msm"}, "--method msm has no effect with --pb apbs: no charges are summed; "},
      {{"--save-map", folder / "x.dx"}, "--save-map has no effect with --pb apbs: there are several maps; "},
      {{"--spacing", "0.01"}, "a lattice of ", 1},
  };
  for (const Refused& refused : cases) {
    CAPTURE(refused.message);
    const ProgramResult result = run_ionwell(words(folder, program, refused.more));
    CHECK(result.exit_code == refused.exit_code);
    CHECK(result.err.substr(0, 9 + refused.message.size()) == "ionwell: " + refused.message);
    CHECK(!std::filesystem::exists(folder / "started"));
  }
  const ProgramResult missing = run_ionwell(words(folder, "no-such-solver"));
  CHECK(missing.exit_code == 1);
  CHECK(
      missing.err.find("ionwell: there is no program no-such-solver to solve the Poisson-Boltzmann equation; "
                       "on Debian and Ubuntu install the package apbs, ") == 0);
  const auto alone = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = {"place", duplex, "--ion", "MG:1", "-o", folder / "i.pdb"};
    all.insert(all.end(), more.begin(), more.end());
    return run_ionwell(all).err;
  };
  for (const char* const option : {"--pb-every", "--pb-option", "--ion-radius"})
    CHECK(alone({option, "7"})
              .starts_with(std::string("ionwell: ") + option + " has no effect without --pb own or apbs; "));
  for (const std::string key : {"pb-timeout", "pb-program", "keep-scratch"})
    CHECK(alone({"--tune", key + "=7"}).find(key + " has no effect without --pb apbs") != std::string::npos);
}

TEST_CASE("PB: hybrid and iterated with APBS itself") {
  if (!have_apbs()) return;
  const TemporaryFolder folder;
  for (const char* const every : {"5", "1"}) {
    CAPTURE(std::string(every));
    const ProgramResult result =
        run_ionwell({"place", duplex, "--pb", "apbs", "--pb-every", every, "--ion", "MG:1", "--ion", "NA:5",
                     "-o", folder / "ions.pdb", "--report", folder / "report.json", "--tune",
                     "keep-scratch=" + (folder / "kept") + every, "--update", "debye-hueckel", "--quiet"});
    CHECK(result.err.empty());
    REQUIRE(result.exit_code == 0);
    const Json report = report_of(folder);
    CHECK(report["ions"].size() == 6);
    for (const Json& ion : report["ions"]) {
      CHECK(ion["energy_kT"] < 0.0);
      CHECK(ion["nearest_solute_A"] < 8.0);
      CHECK(ion["nearest_ion_A"] >= 5.0 - 1e-6);
    }
    // The sixth ion is the only one in the last map, so its energy is the map's.
    const std::string map = folder / "kept" + every + "/pot-PE0.dxbin",
                      other = folder / "kept" + every + "/pot.dxbin";
    const ProgramResult alone =
        run_ionwell({"place", duplex, "--map", std::filesystem::exists(map) ? map : other, "--update", "none",
                     "--ion", "NA:1", "-o", folder / "one.pdb", "--report", folder / "one.json"});
    REQUIRE(alone.exit_code == 0);
    const Json one = Json::parse(read_text(folder / "one.json"));
    CHECK(one["ions"][0]["energy_kT"].get<double>() <= report["ions"][5]["energy_kT"].get<double>() + 1e-9);
    CHECK(one["lattice"] == report["lattice"]);
  }
}

TEST_CASE("PB: all counter-ions in APBS's map of a published RNA lie at it, at negative energies") {
  const std::string structure = shared_data("data/structures/430d.pqr.gz");
  if (structure.empty() || !have_apbs()) return;
  const TemporaryFolder folder;
  REQUIRE(run_ionwell({"place", structure, "--pb", "apbs", "--pb-every", "1", "--ion", "NA:1", "-o",
                       folder / "one.pdb", "--tune", "keep-scratch=" + (folder / "kept"), "--quiet"})
              .exit_code == 0);
  const std::string map = folder / "kept/pot-PE0.dxbin", other = folder / "kept/pot.dxbin";
  const ProgramResult result =
      run_ionwell({"place", structure, "--map", std::filesystem::exists(map) ? map : other, "--ion",
                   "NA:neutralize", "-o", folder / "ions.pdb", "--report", folder / "report.json"});
  CHECK(result.err.empty());
  REQUIRE(result.exit_code == 0);
  const Json report = report_of(folder);
  CHECK(report["ions"].size() == 28);
  for (const Json& ion : report["ions"]) {
    CHECK(ion["energy_kT"] < 0.0);
    CHECK(ion["nearest_solute_A"] < 8.0);
  }
}

TEST_CASE("compare: the published protocols side by side, with the sites that each finds") {
  const TemporaryFolder folder;
  REQUIRE(run_ionwell({"place", duplex, "--ion", "MG:3", "-o", folder / "sites.pdb", "--quiet"}).exit_code ==
          0);
  const ProgramResult result = run_ionwell(
      {"compare", duplex, folder / "sites.pdb", "--ion", "MG:3", "--report", folder / "report.json"});
  REQUIRE(result.exit_code == 0);
  const Json report = report_of(folder);
  REQUIRE(report["protocols"].size() == 5);
  const Json& coulomb = report["protocols"][0];
  CHECK(coulomb["name"] == "coulomb");
  CHECK(coulomb["positions_A"].size() == 3);
  CHECK(coulomb["within"][0]["matched"] == 3);  // the sites are its own ions
  CHECK(coulomb["within"].size() == 5);
  const double there = coulomb["mean_distance_A"]["ddd"];
  CHECK(there > 0.0);
  CHECK(report["protocols"][1]["mean_distance_A"]["coulomb"].get<double>() == doctest::Approx(there));
  for (const char* const name : {"coulomb", "ddd", "debye-hueckel", "hybrid", "iterated"})
    CHECK(result.out.find(std::string("\n") + name + ' ') != std::string::npos);
  CHECK(report["protocols"][4]["positions_A"].size() == 3);  // by ionwell's own solver, APBS or none
}

TEST_CASE("compare: warns of the structure and the request as placing does") {
  const TemporaryFolder folder;
  write_text(folder / "a.pqr", "ATOM 1 O1 X 1 0.0 0.0 0.0 -1.3 1.5\nATOM 2 O2 X 1 3.0 0.0 0.0 -1.0 1.5\n");
  const ProgramResult result = run_ionwell(
      {"compare", folder / "a.pqr", "--ion", "NA:neutralize", "--report", folder / "report.json"});
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("warning: ") != std::string::npos);
  CHECK(result.err.find("-2.3") != std::string::npos);
  CHECK(report_of(folder)["warnings"].size() >= 1);
  CHECK(report_of(folder)["solute"]["composition"]["unknown"]["residues"] == 1);
  CHECK(result.out.find("\nunknown         1 residue, 2 atoms, -2.3 e: 1 X\n") != std::string::npos);
}
