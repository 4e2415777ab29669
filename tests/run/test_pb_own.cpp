#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "programs/child_process.hpp"
#include "run/report.hpp"
#include "run/run.hpp"
#include "structures/read_structure.hpp"
#include "support/error_of.hpp"
#include "support/example.hpp"
#include "support/skip.hpp"

// Placing in the potential of ionwell's own Poisson-Boltzmann solver.
using namespace ionwell;
using namespace ionwell::test;

namespace {

const IonSpecies magnesium{"MG", "MG", 2.0}, sodium{"NA", "NA", 1.0};

/// A lattice of the solver's usual border, coarse enough to be solved on in no time.
Job duplex_job(const Structure& structure, const PbOptions& options) {
  return {.structure = structure,
          .ions = {{magnesium, 1}, {sodium, 3}},
          .source = options,
          .lattice = {.spacing_A = 1.5}};
}

/// APBS's own lattice and model in both programs' words, so that they solve the same equation.
std::vector<std::string> same_equation() {
  return {"dime=65 65 65", "fglen=62 38 38", "fgcent=20.6 0 0", "srfm=smol", "chgm=spl2", "bcfl=sdh"};
}

}  // namespace

TEST_CASE("own Poisson-Boltzmann: hybrid and iterated, and threads change nothing") {
  const Structure structure = read_structure(duplex);
  for (const int every : {3, 1}) {
    CAPTURE(every);
    Job job = duplex_job(structure, {.every = every});
    job.field.threads = 1;
    const Result one = run(job);
    job.field.threads = 3;
    const Result three = run(job);
    REQUIRE(one.placement.ions.size() == 4);
    REQUIRE(three.placement.ions.size() == 4);
    for (std::size_t i = 0; i < 4; ++i) {
      CHECK(one.placement.ions[i].lattice_index == three.placement.ions[i].lattice_index);
      CHECK(one.placement.ions[i].energy_kT == three.placement.ions[i].energy_kT);
    }
    CHECK(one.method == "pb");
    REQUIRE(one.solver);
    CHECK(one.solver->solves == (every == 3 ? 2 : 4));
    REQUIRE(one.solver->convergence);
    CHECK(one.solver->convergence->iterations > 0);
    CHECK(one.solver->convergence->residual <= 1e-6);
    CHECK(one.solver->convergence->residual > 0.0);
    CHECK(json_report(one).find("\"solver\": \"own\"") != std::string::npos);
    CHECK(one.lattice == plan(job).lattice);
  }
}

TEST_CASE("own Poisson-Boltzmann: an ion that joins is as one that was there from the start") {
  const Structure structure = read_structure(duplex);
  Job job = duplex_job(structure, {.every = 1, .options = {"etol=1e-8"}});
  job.ions = {{sodium, 2}};
  // The lattice is to stay where it is when the ion is part of the solute.
  job.lattice = {.spacing_A = 1.5, .box = Box{{-10, -18, -18}, {50, 18, 18}}};
  const Result both = run(job);
  REQUIRE(both.placement.ions.size() == 2);
  Structure with_ion = structure;
  with_ion.atoms.push_back(
      {.position_A = both.placement.ions[0].position_A, .charge_e = 1.0, .radius_A = 1.02, .name = "NA"});
  Job second = duplex_job(with_ion, {.every = 1, .options = {"etol=1e-8"}});
  second.ions = {{sodium, 1}};
  second.lattice = job.lattice;
  const Result alone = run(second);
  REQUIRE(alone.placement.ions.size() == 1);
  CHECK(alone.placement.ions[0].lattice_index == both.placement.ions[1].lattice_index);
  // Made anew around the ion only, some tens of faces of the surface are others than in the whole: 0.12 %
  // here.
  CHECK(alone.placement.ions[0].energy_kT == doctest::Approx(both.placement.ions[1].energy_kT).epsilon(5e-3));
}

TEST_CASE("own Poisson-Boltzmann: the solute's potential without ions") {
  const Structure structure = read_structure(duplex);
  Job job = duplex_job(structure, {});
  job.ions.clear();
  job.field.every_point = true;
  const Result map = run(job);
  REQUIRE(map.field != nullptr);
  std::vector<float> values(std::size_t(map.lattice.size()));
  map.field->copy_values(values);
  job.ions = {{sodium, 1}};
  const Result placed = run(job);
  REQUIRE(placed.placement.ions.size() == 1);
  const PlacedIon& ion = placed.placement.ions[0];
  CHECK(double(values[std::size_t(ion.lattice_index)]) == doctest::Approx(ion.energy_kT).epsilon(1e-6));
  CHECK(std::any_of(values.begin(), values.end(), [](float value) { return value < -1.0f; }));
}

TEST_CASE("own Poisson-Boltzmann: words are APBS's, and those that it has no use for are refused by name") {
  const Structure structure = read_structure(duplex);
  const auto refused = [&](const std::string& word) {
    return error_of([&] { plan(duplex_job(structure, {.options = {word}})); });
  };
  CHECK(refused("calcenergy=total").find("'calcenergy=total', which only APBS has a use for") !=
        std::string::npos);
  CHECK(refused("smpbe").find("--pb apbs") != std::string::npos);
  CHECK(refused("bcfl=focus").find("zero, sdh or mdh") != std::string::npos);
  CHECK(refused("etol=2").find("between 0 and 1") != std::string::npos);
  CHECK(refused("dime=65 65").find("three numbers") != std::string::npos);
  CHECK(refused("fgcent=mol 1").find("three numbers") != std::string::npos);
  CHECK(refused("srfm=round").find("srfm=round") != std::string::npos);
  CHECK(refused("pdie=0").find("pdie=0") != std::string::npos);
  const LatticeGeometry lattice =
      plan(duplex_job(structure, {.options = {"dime=65 97 33", "fglen=64 48 32", "fgcent=1 2 3"}})).lattice;
  CHECK(lattice.counts == Vec3<std::int64_t>{65, 97, 33});
  CHECK(lattice.spacing_A == Vec3<double>{1.0, 0.5, 1.0});
  CHECK(lattice.origin_A == Vec3<double>{-31.0, -22.0, -13.0});
  const Result screened = run(duplex_job(structure, {.options = {"sdens=20", "pdie=2", "npbe"}}));
  REQUIRE(screened.warnings.size() >= 1);
  CHECK(std::any_of(screened.warnings.begin(), screened.warnings.end(), [](const std::string& warning) {
    return warning.find("sdens=20") != std::string::npos;
  }));
}

TEST_CASE("own Poisson-Boltzmann: what does not converge says so, with the solve") {
  const Structure structure = read_structure(duplex);
  std::int64_t kept = -1;
  Stages stages({.stopped = [&](const Result& so_far) { kept = std::ssize(so_far.placement.ions); }});
  const std::string message =
      error_of([&] { run(duplex_job(structure, {.options = {"etol=1e-300"}}), stages); });
  CHECK(message.starts_with("Poisson-Boltzmann, solve 1 of 1: "));
  CHECK(message.find("a larger tolerance") != std::string::npos);
  CHECK(kept == 0);
}

TEST_CASE("own Poisson-Boltzmann: ions have the energies that they have with APBS") {
  if (find_program("apbs").empty()) {
    skip("apbs is not installed here");
    return;
  }
  const Structure structure = read_structure(duplex);
  for (const int every : {4, 1}) {
    CAPTURE(every);
    Job job = duplex_job(structure, {.every = every, .options = same_equation()});
    const Result own = run(job);
    job.source = PbOptions{.solved_by = PbSolvedBy::apbs, .every = every, .options = same_equation()};
    const Result apbs = run(job);
    REQUIRE(own.placement.ions.size() == apbs.placement.ions.size());
    CHECK(own.lattice.counts == apbs.lattice.counts);
    // The duplex has two ends that are alike, and one ion may go to either: positions can differ, and then do
    // so for all ions after it; energies do not. The surfaces are not the same to the last face.
    for (std::size_t i = 0; i < own.placement.ions.size(); ++i) {
      const double here = own.placement.ions[i].energy_kT, there = apbs.placement.ions[i].energy_kT;
      CAPTURE(i);
      CHECK(std::abs(here - there) < 0.05 * std::abs(there) + 0.2);
    }
  }
}
