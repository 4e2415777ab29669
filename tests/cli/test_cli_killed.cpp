// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <signal.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "support/example.hpp"
#include "support/program_paths.hpp"
#include "support/run_program.hpp"
#include "support/waiting.hpp"

using namespace ionwell::test;

namespace {

/// What the stand-in for a solver writes when it has started: a line of words.
std::vector<std::string> words_in(const std::string& path) {
  CHECK(wait_until([&] { return std::filesystem::exists(path); }));
  std::ifstream file(path);
  return {std::istream_iterator<std::string>(file), {}};
}

/// A folder for ionwell's results, one for temporary files, and a solver that never ends: it has a child in
/// its group, one in a session of its own, and the child of one that is gone.
struct Workplace {
  TemporaryFolder folder;
  std::string scratch = folder / "scratch", solver = folder / "solver";

  Workplace() {
    std::filesystem::create_directory(scratch);
    write_text(solver, "#!/bin/sh\ncd '" + folder.path() + "'\nsleep 100 & a=$!\n" +
                           "setsid sh -c 'echo $$ > b; exec sleep 100' &\n"
                           "(setsid sh -c 'sleep 100 & echo $! > c') &\n"
                           "until [ -s b ] && [ -s c ]; do sleep 0.01; done\n"
                           "echo $$ $a $(cat b c) $PPID > part; rm b c; mv part started; wait; sleep 100\n");
    std::filesystem::permissions(solver, std::filesystem::perms::owner_all);
  }

  std::vector<std::string> words(const std::vector<std::string>& arguments) const {
    std::vector<std::string> all = {"/usr/bin/env", "TMPDIR=" + scratch, program_path()};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return all;
  }
  std::vector<std::string> solving(const std::string& program) const {
    return words({"place", duplex, "--pb", "apbs", "--tune", "pb-program=" + program, "--ion", "MG:1", "-o",
                  folder / "ions.pdb"});
  }
  std::vector<std::string> left() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(scratch))
      names.push_back(entry.path().filename().string());
    return names;
  }
};

bool has_part(const TemporaryFolder& folder) {
  for (const std::string& name : folder.entries())
    if (std::error_code error;
        name.ends_with(".part") && std::filesystem::file_size(folder / name, error) > 0)
      return true;
  return false;
}

/// A run that has written its map, under a temporary name, and waits to write its report.
std::vector<std::string> waiting_run(const TemporaryFolder& folder) {
  CHECK(mkfifo((folder / "report").c_str(), 0600) == 0);
  return {program_path(),    "map",      duplex,           "--spacing", "2", "-o",
          folder / "map.dx", "--report", folder / "report"};
}

void place_in(const TemporaryFolder& folder) {
  REQUIRE(run_ionwell({"place", duplex, "--ion", "MG:1", "--spacing", "2", "-o", folder / "ions.pdb"})
              .exit_code == 0);
}

}  // namespace

TEST_CASE("killed: nothing that the solver started outlives the program, nor does its folder") {
  const Workplace place;
  RunningProgram running(place.solving(place.solver));
  const std::vector<std::string> processes = words_in(place.folder / "started");
  REQUIRE(processes.size() == 5);
  CHECK(place.left().size() == 1);
  for (const std::string& process : processes) CHECK(kill(std::stoi(process), 0) == 0);
  running.send(SIGKILL);
  CHECK(running.wait().signal == SIGKILL);
  for (const std::string& process : processes) {
    CAPTURE(process);
    CHECK(is_gone(std::stoi(process)));
  }
  CHECK(wait_until([&] { return place.left().empty(); }));
  CHECK(place.folder.entries() == std::vector<std::string>{"scratch", "solver", "started"});
}

TEST_CASE("killed: a solver whose time is up ends with all that it started") {
  const Workplace place;
  std::vector<std::string> words = place.solving(place.solver);
  words.insert(words.end(), {"--tune", "pb-timeout=2"});
  const ProgramResult result = RunningProgram(words).wait();
  CHECK(result.exit_code == 1);
  CHECK(result.err.find("was stopped after 2 s (--tune pb-timeout)") != std::string::npos);
  for (const std::string& process : words_in(place.folder / "started"))
    CHECK(kill(std::stoi(process), 0) != 0);
  CHECK(place.left().empty());
}

TEST_CASE("killed: so does a solver that ends before what it started") {
  const Workplace place;
  std::string script = read_text(place.solver);
  script.resize(script.find("wait;"));
  write_text(place.solver, script + "exit 3\n");
  const ProgramResult result = RunningProgram(place.solving(place.solver)).wait();
  CHECK(result.err.find("failed with exit code 3") != std::string::npos);
  for (const std::string& process : words_in(place.folder / "started"))
    CHECK(kill(std::stoi(process), 0) != 0);
}

TEST_CASE("killed: without the process that watches the solver there is one message, and no solver") {
  const Workplace place;
  RunningProgram running(place.solving(place.solver));
  const std::vector<std::string> processes = words_in(place.folder / "started");
  REQUIRE(processes.size() == 5);
  kill(std::stoi(processes.back()), SIGKILL);
  const ProgramResult result = running.wait();
  CHECK(result.exit_code == 1);
  CHECK(result.err == "ionwell: " + place.solver +
                          " was stopped because the process that monitors it was stopped; start again\n");
  for (const std::size_t n : {0, 1}) CHECK(is_gone(std::stoi(processes[n])));  // of the solver's group
  for (const std::size_t n : {2, 3}) kill(std::stoi(processes[n]), SIGKILL);
  CHECK(place.left().empty());
}

TEST_CASE("killed: the next run removes the scratch folder of a dead run, and of no other") {
  const Workplace place;
  std::filesystem::create_directory(place.scratch + "/ionwell-abcdef");
  write_text(place.scratch + "/ionwell-abcdef/solute.pqr", "the user's");
  RunningProgram dead(place.solving(place.solver));
  const std::vector<std::string> processes = words_in(place.folder / "started");
  REQUIRE(processes.size() == 5);
  const pid_t guard = std::stoi(processes.back());
  kill(guard, SIGSTOP);  // so that it cannot tidy up either
  dead.send(SIGKILL);
  CHECK(dead.wait().signal == SIGKILL);
  kill(guard, SIGKILL);
  CHECK(is_gone(std::stoi(processes.front())));
  for (const std::size_t n : {1, 2, 3}) kill(std::stoi(processes[n]), SIGKILL);
  CHECK(place.left().size() == 2);

  std::filesystem::remove(place.folder / "started");
  const RunningProgram living(place.solving(place.solver));
  words_in(place.folder / "started");
  CHECK(place.left().size() == 2);  // the dead run's is gone, the living one's has come
  CHECK(RunningProgram(place.solving("/bin/false")).wait().exit_code == 1);
  CHECK(place.left().size() == 2);
  CHECK(read_text(place.scratch + "/ionwell-abcdef/solute.pqr") == "the user's");
}

TEST_CASE("killed: the next run removes the unfinished files of a dead run, and of no other") {
  const TemporaryFolder folder;
  const std::vector<std::string> words = waiting_run(folder);
  {
    RunningProgram dead(words);
    CHECK(wait_until([&] { return has_part(folder); }));
    dead.send(SIGKILL);
    CHECK(dead.wait().signal == SIGKILL);
  }
  CHECK(has_part(folder));
  place_in(folder);
  CHECK(folder.entries() == std::vector<std::string>{"ions.pdb", "report"});

  RunningProgram living(words);
  CHECK(wait_until([&] { return has_part(folder); }));
  place_in(folder);
  CHECK(has_part(folder));
  std::ifstream(folder / "report").ignore(1 << 20);
  CHECK(living.wait().exit_code == 0);
  CHECK(folder.entries() == std::vector<std::string>{"ions.pdb", "map.dx", "report"});
}
