// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <signal.h>
#include <algorithm>

#include <chrono>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "support/example.hpp"
#include "support/program_paths.hpp"
#include "support/rod_files.hpp"
#include "support/run_program.hpp"

using namespace ionwell::test;
using Strings = std::vector<std::string>;

namespace {

/// The rod of six charges, sampled for a moment.
struct SampledRod : RodFiles {
  std::string ions = folder / "ions.pdb";

  ProgramResult sample(const Strings& more) const {
    Strings words = {"sample",          rod,  "-o",       ions,  "--spacing",      "1",
                     "--wall-distance", "10", "--sweeps", "100", "--sample-every", "2",
                     "--equilibration", "20"};
    if (std::find(more.begin(), more.end(), "--salt") != more.end())
      words.insert(words.end(), {"--tune", "bulk-sweeps=100"});
    words.insert(words.end(), more.begin(), more.end());
    return run_ionwell(words);
  }
};

std::string ions_of(const std::string& pdb) {
  std::istringstream text(pdb);
  std::string ions;
  for (std::string line; std::getline(text, line);)
    if (line.starts_with("HETATM")) ions += line + '\n';
  return ions;
}

}  // namespace

TEST_CASE("sample: counter-ions and salt, with maps, distributions and a report") {
  const SampledRod files;
  const ProgramResult result =
      files.sample({"--ion", "NA:neutralize", "--salt", "NaCl:0.2", "--density", files.folder / "d.dx",
                    "--occupancy", files.folder / "o.h5", "--rdf", files.folder / "rdf.csv", "--around",
                    "name P", "--report", files.report});
  CAPTURE(result.err);
  REQUIRE(result.exit_code == 0);
  CHECK(files.folder.entries() ==
        Strings{"d.CL.dx", "d.NA.dx", "ions.pdb", "o.CL.h5", "o.NA.h5", "rdf.csv", "rod.pqr", "run.json"});
  CHECK(has(result.out, "bath            NaCl:0.2: mu excess "));
  CHECK(has(result.out,
            "sampled by      Monte Carlo, 4 replicas of 100 sweeps after 20 sweeps, 200 samples, seed 1\n"));
  CHECK(has(result.out, "charge "));
  const nlohmann::json told = files.told();
  CHECK(told["sampling"]["samples"] == 200);
  CHECK(told["sampling"]["moves"]["insertion"]["tried"] > 100);
  CHECK(told["energy_kT"]["standard_error"] > 0.0);
  CHECK(told["species"][0]["count"]["mean"] > 6.0);
  const std::string pdb = read_text(files.ions);
  CHECK(has(pdb, "Ions sampled by ionwell"));
  CHECK(count_in(pdb, "NA1+") - count_in(pdb, "CL1-") == 6);
  CHECK(read_text(files.folder / "rdf.csv").starts_with("around,ion,from_A,to_A,concentration_M,"));
  const ProgramResult info = run_ionwell({"info", files.folder / "d.NA.dx"});
  CHECK(has(info.out, "density of NA [mol/L], 200 samples"));
}

TEST_CASE("sample: the same seed gives the same bytes, whatever the threads and the sampler") {
  const SampledRod files;
  for (const Strings& sampler : {Strings{}, Strings{"--sampler", "bd", "--steps", "400"}}) {
    Strings words = {
        "sample", files.rod,         "-o", "-",     "--quiet", "--spacing", "1",    "--wall-distance",
        "10",     "--equilibration", "20", "--ion", "NA:4",    "--ion",     "MG:1", "--sample-every",
        "5"};
    if (sampler.empty()) words.insert(words.end(), {"--sweeps", "100"});
    words.insert(words.end(), sampler.begin(), sampler.end());
    const auto sampled = [&](const Strings& more) {
      Strings all = words;
      all.insert(all.end(), more.begin(), more.end());
      const ProgramResult result = run_ionwell(all);
      CAPTURE(result.err);
      CHECK(result.exit_code == 0);
      return result.out;
    };
    const std::string one = sampled({"--threads", "1"});
    CHECK(count_in(ions_of(one), "\n") == 5);
    CHECK(sampled({"--threads", "2"}) == one);
    CHECK(ions_of(sampled({"--threads", "2", "--seed", "2"})) != ions_of(one));
  }
}

TEST_CASE("sample: in a map, in the solution of the Poisson-Boltzmann equation, and in a periodic box") {
  const SampledRod files;
  REQUIRE(run_ionwell(
              {"map", files.rod, "--ionic-strength", "0.15", "--spacing", "1", "-o", files.folder / "pot.dx"})
              .exit_code == 0);
  const Strings shorter = {"sample", files.rod,        "-o", files.ions, "--sweeps", "50", "--equilibration",
                           "10",     "--sample-every", "2",  "--ion",    "NA:3"};
  for (const Strings& source :
       {Strings{"--map", files.folder / "pot.dx"}, Strings{"--pb", "own", "--wall-distance", "8"},
        Strings{"--boundary", "periodic", "--cell", "40,24,24", "--spacing", "1", "--tune",
                "interpolation=bspline"}}) {
    Strings words = shorter;
    words.insert(words.end(), source.begin(), source.end());
    const ProgramResult result = run_ionwell(words);
    CAPTURE(result.err);
    CHECK(result.exit_code == 0);
    CHECK(count_in(ions_of(read_text(files.ions)), "\n") == 3);
    const bool is_summed = source[0] == "--boundary";
    CHECK(has(result.out, is_summed ? "all images (Ewald); bspline" : "ions act by     Debye-Hueckel"));
  }
}

TEST_CASE("sample: stopped, it leaves the samples so far") {
  const SampledRod files;
  // A run of hours. Where it is slow to begin, the signal comes too early, and it is given more time.
  bool has_sampled = false;
  for (int wait_ms = 500; wait_ms < 30'000 && !has_sampled; wait_ms *= 3) {
    RunningProgram running({program_path(), "sample",          files.rod,   "-o",
                            files.ions,     "--ion",           "NA:6",      "--start",
                            "random",       "--spacing",       "2",         "--wall-distance",
                            "10",           "--sweeps",        "500000000", "--sample-every",
                            "1000",         "--equilibration", "0",         "--report",
                            files.report});
    std::this_thread::sleep_for(std::chrono::milliseconds(wait_ms));
    running.send(SIGINT);
    const ProgramResult result = running.wait();
    CAPTURE(result.err);
    has_sampled = has(result.err, "ionwell: interrupted; " + files.ions + " is from the ");
    if (!has_sampled) CHECK(files.folder.entries() == Strings{"rod.pqr"});
  }
  REQUIRE(has_sampled);
  CHECK(files.told()["sampling"]["interrupted"] == true);
  CHECK(count_in(ions_of(read_text(files.ions)), "\n") == 6);
}

TEST_CASE("sample: what makes no sense is refused before anything is computed") {
  const SampledRod files;
  const auto refused = [&](const Strings& more, const std::string& message) {
    const ProgramResult result = files.sample(more);
    CAPTURE(message);
    CAPTURE(result.err);
    CHECK(result.exit_code == 2);
    CHECK(has(result.err, message));
    CHECK(files.folder.entries() == Strings{"rod.pqr"});
  };
  refused({}, "--ion and --salt are missing");
  refused({"--ion", "NA:6", "--time-step", "0.01"}, "--time-step has no effect without --sampler bd; add it");
  refused({"--ion", "NA:6", "--steps", "10"}, "--steps has no effect without --sampler bd; add it");
  refused({"--ion", "NA:6", "--rdf", files.folder / "r.csv"}, "--rdf has no effect without --around");
  refused({"--ion", "NA:6", "--around", "name P"}, "--around has no effect without --rdf");
  refused({"--ion", "NA:6", "--around", "name QQ", "--rdf", files.folder / "r.csv"}, "QQ");
  refused({"--ion", "NA:6", "--density", "-"}, "--density makes the names of the ions' files");
  refused({"--ion", "NA:6", "--tune", "density-spacing=2"},
          "--tune density-spacing has no effect without --density or --occupancy; add one");
  refused({"--salt", "NaCl:0.1", "--start", "random"}, "--start has no effect without --ion; add it");
  refused({"--ion", "NA:6", "--within", "3,x"}, "--within is '3,x'");
  refused({"--ion", "NA:6", "--ion-radius", "NA"}, "--ion-radius 'NA' cannot be understood");
  refused({"--ion", "NA:6", "--ion-radius", "NA:-1"}, "--ion-radius 'NA:-1' cannot be understood");
  refused({"--ion", "NA:6", "--ion-radius", "K:2"}, "there is no ion K in this run");
  refused({"--ion", "NA:6", "--cell", "30,30,30"}, "--cell has no effect without --boundary periodic");
  refused({"--ion", "NA:6", "--boundary", "periodic"},
          "--wall-distance has no effect with --boundary periodic");
  refused({"--salt", "NaCl:0.1", "--ddd", "3"}, "--ddd has no solution ");
  refused({"--salt", "NaCl:0.1:above"}, "names one side of a membrane");
  refused({"--ion", "NA:6", "--start", "gready"}, "--start is 'gready', but there is no such file");
  refused({"--ion", "NA:6", "--seed", "-1"}, "--seed is -1");
  refused({"--ion", "NA:6", "--replicas", "0"}, "--replicas is 0");
  refused({"--ion", "NA:6", "--blocks", "80"}, "80 blocks need at least as many");
}

TEST_CASE("sample: refuses hard spheres and long steps of Brownian dynamics") {
  const SampledRod files;
  const Strings words = {"sample",    files.rod, "-o",        files.ions, "--ion",   "NA:6",
                         "--spacing", "2",       "--sampler", "bd",       "--steps", "500"};
  const auto message_of = [&](const Strings& more) {
    Strings all = words;
    all.insert(all.end(), more.begin(), more.end());
    const ProgramResult result = run_ionwell(all);
    CHECK(result.exit_code == 2);
    return result.err;
  };
  CHECK(has(message_of({"--repulsion", "hard"}), "hard spheres have no force, but --sampler bd needs one"));
  CHECK(has(message_of({"--time-step", "0.5"}),
            "the time step is 0.5 ps; it must be greater than 0 and at most 0.0"));
  CHECK(has(message_of({"--sweeps", "500"}),
            "--sweeps has no effect with --sampler bd: --steps sets the length of Brownian dynamics; leave "
            "one of them out"));
}

TEST_CASE("sample: ions around a solute without charges, by sums and by Poisson-Boltzmann") {
  const SampledRod files;
  std::string text = read_text(files.rod);
  const std::string charged = " -1.0";
  for (std::size_t at = text.find(charged); at != std::string::npos; at = text.find(charged, at))
    text.replace(at, charged.size(), "  0.0");
  write_text(files.rod, text);
  for (const Strings& more : {Strings{}, Strings{"--pb", "own"}, Strings{"--start", "random"}}) {
    Strings words = {"--ion", "NA:3", "--ion", "CL:3", "--report", files.report};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult result = files.sample(words);
    CAPTURE(result.err);
    REQUIRE(result.exit_code == 0);
    CHECK(has(result.err, "are zero, so the solute neither attracts nor repels ions"));
    CHECK(files.told()["sampling"]["samples"] == 200);
  }
}
