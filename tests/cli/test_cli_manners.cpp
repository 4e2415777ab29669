// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "support/example.hpp"
#include "support/run_program.hpp"

using namespace ionwell::test;
using nlohmann::json;

namespace {

ProgramResult place(const std::vector<std::string>& more) {
  std::vector<std::string> words = {"place", duplex, "--spacing", "2"};
  words.insert(words.end(), more.begin(), more.end());
  return run_ionwell(words);
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool machine_has_gpu() {
  return !has(run_ionwell({"info"}).out, "\nGPU             none");
}

}  // namespace

TEST_CASE("help: is a command too, alone and with another one's name") {
  const std::string all = run_ionwell({"--help"}).out;
  CHECK(has(all, "ionwell help COMMAND"));
  CHECK(run_ionwell({"help"}).out == all);
  CHECK(run_ionwell({"help", "help"}).out == all);
  CHECK(run_ionwell({"--help-all"}).out == all);
  for (const char* const command : {"place", "map", "potential", "convert", "info", "compare"}) {
    const ProgramResult help = run_ionwell({"help", command});
    CHECK(help.exit_code == 0);
    CHECK(help.err.empty());
    CHECK(help.out == run_ionwell({command, "--help"}).out);
    CHECK(run_ionwell({"--help", command}).out == help.out);
    CHECK(run_ionwell({"--help-all", command}).out == run_ionwell({command, "--help-all"}).out);
  }
  const ProgramResult unknown = run_ionwell({"help", "plcae"});
  CHECK(unknown.exit_code == 2);
  CHECK(unknown.err == "ionwell: there is no command 'plcae'; did you mean 'place'?\n");
  const ProgramResult former = run_ionwell({"view", "report.json"});
  CHECK(former.exit_code == 2);
  CHECK(former.err.starts_with(
      "ionwell: the command 'view' was removed: 'ionwell place' prints the table of ions, "));
  const ProgramResult too_many = run_ionwell({"help", "place", "map"});
  CHECK(too_many.exit_code == 2);
  CHECK(too_many.err ==
        "ionwell: 'map' is one argument too many; usage: ionwell help [--man|--json] [COMMAND]\n");
}

TEST_CASE("options: -o=FILE means FILE, and no file has a name with an equals sign") {
  const TemporaryFolder folder;
  CHECK(place({"--ion", "MG:1", "-o=" + (folder / "ions.pdb")}).exit_code == 0);
  CHECK(run_ionwell({"map", duplex, "--spacing", "4", "-o=" + (folder / "map.dx")}).exit_code == 0);
  CHECK(folder.entries() == std::vector<std::string>{"ions.pdb", "map.dx"});
  const ProgramResult empty = place({"--ion", "MG:1", "-o="});
  CHECK(empty.exit_code == 2);
  CHECK(has(empty.err, "--output has an empty value"));
}

TEST_CASE("temperature: one that is in degrees Celsius, perhaps, is asked about") {
  const TemporaryFolder folder;
  const std::string map = folder / "map.dx";
  const std::string asked = "ionwell: warning: --temperature is 25 K; did you mean 298.15 K (25 C)?\n";
  CHECK(run_ionwell({"map", duplex, "--spacing", "4", "-o", map, "--temperature", "25"}).err == asked);
  CHECK(place({"--ion", "MG:1", "-o", folder / "a.pdb", "--temperature", "25"}).err == asked);
  CHECK(place({"--ion", "MG:1", "-o", folder / "a.pdb", "--map", map, "--update", "none", "--temperature",
               "25"})
            .err == asked);
  CHECK(run_ionwell({"convert", map, folder / "b.dx", "--temperature", "25"}).err == asked);
  const std::string report = folder / "report.json";
  CHECK(has(place({"--ion", "MG:1", "-o", folder / "a.pdb", "--temperature", "150", "--report", report}).err,
            "--temperature is 150 K, which is too cold for a solution"));
  CHECK(json::parse(read_text(report))["warnings"].size() == 1);
  for (const char* const usual : {"298.15", "310", "350"})
    CHECK(place({"--ion", "MG:1", "-o", folder / "a.pdb", "--temperature", usual}).err.empty());
}

TEST_CASE("GPU: where there is none, none is spoken of, and options for it are refused") {
  if (machine_has_gpu()) {
    MESSAGE("skipped: this machine has a GPU");
    return;
  }
  const TemporaryFolder folder;
  const ProgramResult brief = place({"--ion", "MG:1", "-o", folder / "a.pdb"});
  CHECK(brief.exit_code == 0);
  CHECK(has(brief.out, " instructions\n"));
  CHECK_FALSE(has(brief.out, "GPU"));
  for (const char* const backend : {"auto", "gpu"})
    for (const std::vector<std::string>& option :
         {std::vector<std::string>{"--devices", "0"}, std::vector<std::string>{"--tune", "gpu-memory=8"}}) {
      CAPTURE(backend);
      const TemporaryFolder empty;
      const ProgramResult placed =
          place({"--ion", "MG:1", "-o", empty / "a.pdb", "--backend", backend, option[0], option[1]});
      const ProgramResult mapped = run_ionwell({"map", duplex, "--spacing", "4", "-o", empty / "a.dx",
                                                "--backend", backend, option[0], option[1]});
      for (const ProgramResult& result : {placed, mapped}) {
        const bool automatic = std::string(backend) == "auto";
        CHECK(result.exit_code == (automatic ? 2 : 1));
        CHECK(has(result.err, automatic ? option[0] : "--backend gpu is not available"));
        CHECK(result.err.find('\n') == result.err.size() - 1);
      }
      CHECK(empty.entries().empty());
    }
}

TEST_CASE("map: has no positions that could be approximate") {
  const TemporaryFolder folder;
  const ProgramResult map = run_ionwell({"map", duplex, "--spacing", "4", "-o", folder / "map.dx"});
  CHECK(has(map.out, "\nmethod "));
  CHECK_FALSE(has(map.out, "approximate"));
  CHECK_FALSE(has(read_text(folder / "map.dx"), "approximate"));
  const ProgramResult placed = place(
      {"--ion", "MG:1", "-o", folder / "a.pdb", "--tune", "no-refine", "--save-map", folder / "saved.dx"});
  CHECK(has(placed.out, "positions are approximate"));
  CHECK(has(read_text(folder / "a.pdb"), "approximate"));
  CHECK_FALSE(has(read_text(folder / "saved.dx"), "approximate"));
}

TEST_CASE("numbers: one thing is not called several, and thousands are divided") {
  const TemporaryFolder folder;
  const ProgramResult one_point = run_ionwell({"info", duplex, "--box", "0,0,0,0,0,0", "--spacing", "1"});
  CHECK(has(one_point.out, "1 x 1 x 1 = 1 point, "));
  const ProgramResult one_repelled = place({"--ion", "CL:1", "-o", folder / "a.pdb"});
  CHECK(one_repelled.err.starts_with("ionwell: warning: 1 of 1 ion has a positive energy, ion 1 (CL, "));
  const ProgramResult several = place({"--ion", "CL:2", "-o", folder / "b.pdb"});
  CHECK(several.err.starts_with(
      "ionwell: warning: 2 of 2 ions have a positive energy, the first of them ion 1 (CL, "));
  const ProgramResult compared = run_ionwell({"compare", folder / "a.pdb", folder / "a.pdb"});
  CHECK(compared.out.starts_with("1 ion, 1 site\n"));
  const ProgramResult full = place({"--ion", "NA:1200", "-o", folder / "c.pdb", "--ion-ion", "30"});
  CHECK(full.exit_code == 3);
  CHECK(has(full.err, " of 1,200 ions found room"));
  const ProgramResult long_axis = run_ionwell({"info", duplex, "--spacing", "0.05"});
  CHECK(has(long_axis.out, "lattice         1,"));
}

TEST_CASE("place: a report that was asked for is written of ions that found no room, too") {
  const TemporaryFolder folder;
  const std::string report = folder / "run.json";
  const std::vector<std::string> asked = {
      "--ion", "MG:3",       "--ion-ion",      "500", "-o", folder / "ions.pdb", "--report",
      report,  "--save-map", folder / "map.dx"};
  const ProgramResult refused = place(asked);
  CHECK(refused.exit_code == 3);
  CHECK(has(refused.err, "; nothing was written but the report, " + report + " (--allow-fewer writes"));
  CHECK(refused.out.empty() == false);  // the plan
  CHECK(folder.entries() == std::vector<std::string>{"run.json"});
  const json written = json::parse(read_text(report));
  CHECK(written["requested_ions"] == 3);
  CHECK(written["ions"].size() == 1);
  CHECK(written["timings_s"]["total"].get<double>() > 0.0);
  REQUIRE(written["warnings"].size() == 1);
  const std::string reason = written["warnings"][0];
  CHECK(reason.starts_with("only 1 of 3 ions found room"));
  CHECK(has(refused.err, reason));

  // Nor for want of energy, nor when not one ion was placed.
  const ProgramResult repelled = place(
      {"--ion", "CL:2", "--max-energy", "0", "-o", folder / "ions.pdb", "--report", report, "--allow-fewer"});
  CHECK(repelled.exit_code == 3);
  CHECK(folder.entries() == std::vector<std::string>{"run.json"});
  CHECK(json::parse(read_text(report))["ions"].empty());
  CHECK(has(json::parse(read_text(report))["warnings"][0], "which is above --max-energy"));

  // A report that cannot be written does not hide why.
  const ProgramResult full =
      place({"--ion", "MG:3", "--ion-ion", "500", "-o", folder / "ions.pdb", "--report", "/dev/full"});
  CHECK(full.exit_code == 3);
  CHECK(full.err.starts_with("ionwell: only 1 of 3 ions found room"));
  CHECK(has(full.err, "; nothing was written, not even the report: cannot write /dev/full"));
}
