#include <doctest/doctest.h>
#include <sys/mount.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include "support/run_program.hpp"

using namespace ionwell::test;

namespace {

const std::string duplex = IONWELL_SOURCE_DIR "/examples/nucleic_acid/duplex.pqr";

ProgramResult place(const std::string& structure, const std::vector<std::string>& more,
                    const RunSettings& settings = {}) {
  std::vector<std::string> arguments = {"place", structure, "--ion", "MG:2", "--spacing", "1"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_ionwell(arguments, settings);
}

/// Waits until `folder` holds something else than before; false when the program did not write for twenty
/// seconds.
bool wait_for_file(const TemporaryFolder& folder) {
  for (int i = 0; i < 2000; ++i) {
    if (!folder.entries().empty()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

}  // namespace

TEST_CASE("outputs: a file is not overwritten by its own result, nor two results by each other") {
  const TemporaryFolder folder;
  const std::string structure = folder / "solute.pqr";
  const std::string before = read_text(duplex);
  write_text(structure, before);
  std::filesystem::create_symlink("solute.pqr", folder / "link.pdb");
  for (const std::string& output : {structure, folder / "./solute.pqr", folder / "link.pdb"}) {
    CAPTURE(output);
    const ProgramResult result = place(structure, {"-o", output});
    CHECK(result.exit_code == 2);
    CHECK(result.err.find(output) != std::string::npos);
    CHECK(read_text(structure) == before);
  }
  for (const char* const option : {"--report", "--save-map", "--save-map-after"}) {
    CAPTURE(std::string(option));
    const std::string same = folder / "ions.dx";
    const ProgramResult result = place(structure, {"-o", same, option, same});
    CHECK(result.exit_code == 2);
    CHECK(result.err.find(same) != std::string::npos);
    CHECK(folder.entries() == std::vector<std::string>{"link.pdb", "solute.pqr"});
  }
}

TEST_CASE("outputs: what cannot be written is refused before anything is computed") {
  const TemporaryFolder folder;
  std::vector<std::string> outputs = {folder / "no/such/folder/ions.pdb", folder.path()};
  if (std::filesystem::exists("/proc/self")) outputs.push_back("/proc/ions.pdb");
  for (const std::string& output : outputs) {
    CAPTURE(output);
    const ProgramResult result = place(duplex, {"-o", output});
    CHECK((result.exit_code == 1 || result.exit_code == 2));
    CHECK(result.out.empty());
    CHECK(result.err.substr(0, 9) == "ionwell: ");
    CHECK(result.err.find('\n') == result.err.size() - 1);
    CHECK(folder.entries().empty());
  }
}

TEST_CASE("outputs: a disk that fills up leaves no file") {
  const TemporaryFolder folder;
  RunSettings settings;
  settings.largest_file_bytes = 2000;  // the map needs more
  const ProgramResult result =
      place(duplex, {"-o", folder / "ions.pdb", "--save-map", folder / "map.dx"}, settings);
  CHECK(result.exit_code == 1);
  CHECK(result.err.find("map.dx") != std::string::npos);
  CHECK(folder.entries().empty());

  const TemporaryFolder disk;
  if (mount("tmpfs", disk.path().c_str(), "tmpfs", 0, "size=16k") != 0) {
    MESSAGE("skipped: a small disk can only be mounted by root");
    return;
  }
  const ProgramResult full = run_ionwell({"map", duplex, "--spacing", "1", "-o", disk / "map.dx"});
  CHECK(full.exit_code == 1);
  CHECK(full.err.find("map.dx") != std::string::npos);
  CHECK(full.err.find("space") != std::string::npos);
  CHECK(disk.entries().empty());
  umount(disk.path().c_str());
}

TEST_CASE("outputs: results that cannot be printed are a failed run") {
  RunSettings settings;
  settings.standard_output = "/dev/full";
  const ProgramResult result = run_ionwell({"info", duplex}, settings);
  CHECK(result.exit_code == 1);
  CHECK(result.err.find("ionwell: cannot write to standard output") == 0);
}

TEST_CASE("signals: a run that is stopped leaves no file and dies of the signal") {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    CAPTURE(signal);
    const TemporaryFolder folder;
    // Packing ten million points takes seconds: time enough to stop it with its file half written.
    RunningProgram program({IONWELL_PROGRAM, "map", duplex, "--spacing", "0.2", "-o", folder / "map.dx.gz"});
    CHECK(wait_for_file(folder));
    program.send(signal);
    const ProgramResult result = program.wait();
    CHECK(result.exit_code == -1);
    CHECK(result.signal == signal);
    CHECK(folder.entries().empty());
  }
}

TEST_CASE("signals: progress is told in few lines when nobody looks") {
  const TemporaryFolder folder;
  const ProgramResult result =
      run_ionwell({"map", duplex, "--spacing", "0.25", "--threads", "1", "-o", folder / "map.dx.gz"});
  CHECK(result.exit_code == 0);
  CHECK(result.err.find('\r') == std::string::npos);
  CHECK(std::count(result.err.begin(), result.err.end(), '\n') < 20);
}
