// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <sys/mount.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

#include "support/example.hpp"
#include "support/program_paths.hpp"
#include "support/run_program.hpp"
#include "support/skip.hpp"
#include "support/waiting.hpp"

using namespace ionwell::test;

namespace {

ProgramResult place(const std::string& structure, const std::vector<std::string>& more,
                    const RunSettings& settings = {}) {
  std::vector<std::string> arguments = {"place", structure, "--ion", "MG:2", "--spacing", "1"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_ionwell(arguments, settings);
}

/// A disk with room for `size`; only root can mount one.
class SmallDisk : public TemporaryFolder {
 public:
  explicit SmallDisk(const std::string& size)
      : mounted_(mount("tmpfs", path().c_str(), "tmpfs", 0, ("size=" + size).c_str()) == 0) {
    if (!mounted_) skip("a small disk can only be mounted by root");
  }
  ~SmallDisk() {
    if (mounted_) umount(path().c_str());
  }

  bool mounted() const { return mounted_; }

 private:
  bool mounted_;
};

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

  const SmallDisk disk("16k");
  if (!disk.mounted()) return;
  const std::string small = folder / "small.dx";
  REQUIRE(run_ionwell({"map", duplex, "--spacing", "2", "-o", small, "--quiet"}).exit_code == 0);
  std::vector<std::vector<std::string>> runs = {
      {"place", duplex, "--ion", "MG:2", "--with-solute", "-o", disk / "ions.pdb"},
      {"place", duplex, "--ion", "MG:99", "-o", folder / "ions.pdb", "--report", disk / "report.json"},
      {"place", duplex, "--ion", "MG:2", "-o", folder / "ions.pdb", "--save-map", disk / "map.h5"},
      {"place", duplex, "--ion", "MG:2", "-o", disk / "ions.pdb", "--save-map-after", disk / "map.dx"}};
  for (const char* const name :
       {"a.dx", "a.dx.gz", "a.dxbin", "a.h5", "a.cmap", "a.ccp4", "a.mrc", "a.cube", "a.grd"})
    runs.push_back({"convert", small, disk / name});
  for (const std::vector<std::string>& words : runs) {
    CAPTURE(words.back());
    const ProgramResult full = run_ionwell(words);
    CHECK(full.exit_code == 1);
    CHECK(full.err.find("ionwell: cannot write " + disk.path()) != std::string::npos);
    CHECK(full.err.ends_with(": No space left on device; free some space or choose another disk\n"));
    CHECK(disk.entries().empty());
    CHECK(folder.entries() == std::vector<std::string>{"small.dx"});
  }
}

TEST_CASE("outputs: what goes to /dev/stdout comes between what others write there") {
  const TemporaryFolder folder;
  for (const char* const name : {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}) {
    CAPTURE(std::string(name));
    const std::vector<std::string> all = {"/bin/sh",
                                          "-c",
                                          "(echo head; \"$0\" \"$@\"; echo foot) > '" + folder / "log" + "'",
                                          program_path(),
                                          "place",
                                          duplex,
                                          "--ion",
                                          "MG:1",
                                          "--spacing",
                                          "2",
                                          "-o",
                                          folder / "ions.pdb",
                                          "--report",
                                          name,
                                          "--quiet"};
    CHECK(RunningProgram(all).wait().exit_code == 0);
    const std::string log = read_text(folder / "log");
    CHECK(log.starts_with("head\n{\n"));
    CHECK(log.ends_with("}\nfoot\n"));
  }
}

TEST_CASE("outputs: results that cannot be printed are a failed run") {
  RunSettings settings;
  settings.standard_output = "/dev/full";
  const ProgramResult result = run_ionwell({"info", duplex}, settings);
  CHECK(result.exit_code == 1);
  CHECK(result.err.find("ionwell: cannot write to standard output") == 0);
}

TEST_CASE("signals: a run that is stopped leaves no file and dies of the signal") {
  const TemporaryFolder input;
  REQUIRE(run_ionwell({"map", duplex, "--spacing", "0.25", "-o", input / "map.h5", "--quiet"}).exit_code ==
          0);
  // Packing millions of points takes seconds: time enough to stop a run with its file half written.
  const auto runs = [&](const TemporaryFolder& folder) {
    return std::vector<std::vector<std::string>>{
        {"map", duplex, "--spacing", "0.2", "-o", folder / "map.dx.gz"},
        {"convert", input / "map.h5", folder / "map.dx.gz"},
        {"place", duplex, "--ion", "MG:2", "--spacing", "0.2", "-o", folder / "ions.pdb", "--save-map",
         folder / "map.dx.gz", "--report", folder / "report.json"}};
  };
  for (std::size_t n = 0; n < 3; ++n)
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
      const TemporaryFolder folder;
      std::vector<std::string> words = runs(folder)[n];
      CAPTURE(words[0]);
      CAPTURE(signal);
      words.insert(words.begin(), program_path());
      RunningProgram program(words);
      CHECK(wait_until([&] { return !folder.entries().empty(); }));
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
