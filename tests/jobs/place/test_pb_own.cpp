// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <numeric>

#include "compute/poisson_boltzmann/own_pb_options.hpp"
#include "core/lattice_extents.hpp"
#include "jobs/place/job/report.hpp"
#include "jobs/place/run.hpp"
#include "potential/equation_maps.hpp"
#include "potential/request/pb_request.hpp"
#include "programs/child_process.hpp"
#include "structures/formats/read_structure.hpp"
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
    CHECK(one.potential.method == "pb");
    REQUIRE(one.potential.solver);
    CHECK(one.potential.solver->solves == (every == 3 ? 2 : 4));
    REQUIRE(one.potential.solver->convergence);
    CHECK(one.potential.solver->convergence->iterations > 0);
    CHECK(one.potential.solver->convergence->residual <= 1e-6);
    CHECK(one.potential.solver->convergence->residual > 0.0);
    CHECK(json_report(one).find("\"solver\": \"own\"") != std::string::npos);
    CHECK(one.potential.lattice == plan(job).lattice);
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
  CHECK(alone.placement.ions[0].energy_kT == doctest::Approx(both.placement.ions[1].energy_kT).epsilon(1e-4));
}

TEST_CASE("own Poisson-Boltzmann: the solute's potential without ions") {
  const Structure structure = read_structure(duplex);
  Job job = duplex_job(structure, {});
  job.ions.clear();
  job.field.every_point = true;
  const Result map = run(job);
  REQUIRE(map.field != nullptr);
  std::vector<float> values(std::size_t(map.potential.lattice.size()));
  map.field->copy_values(values);
  job.ions = {{sodium, 1}};
  const Result placed = run(job);
  REQUIRE(placed.placement.ions.size() == 1);
  const PlacedIon& ion = placed.placement.ions[0];
  CHECK(double(values[std::size_t(ion.lattice_index)]) == doctest::Approx(ion.energy_kT).epsilon(1e-6));
  CHECK(std::any_of(values.begin(), values.end(), [](float value) { return value < -1.0f; }));
}

TEST_CASE("own Poisson-Boltzmann: boxes with one lattice plane") {
  const Structure structure = read_structure(duplex);
  const auto potential = [&](const Box& box) {
    Job job = duplex_job(structure, {});
    job.ions.clear();
    job.field.every_point = true;
    job.lattice.box = box;
    const Result map = run(job);
    std::vector<float> values(std::size_t(map.potential.lattice.size()));
    map.field->copy_values(values);
    return std::pair(map, values);
  };
  const Box whole{{-6, -18, -18}, {48, 18, 18}};
  const auto [thick, expected] = potential(whole);
  for (int axis = 0; axis < 3; ++axis) {
    CAPTURE(axis);
    Box box = whole;
    const bool x = axis == 0, y = axis == 1, z = axis == 2;
    if (x) box.lowest_A.x = box.highest_A.x = 21.0;
    if (y) box.lowest_A.y = box.highest_A.y = 0.0;
    if (z) box.lowest_A.z = box.highest_A.z = 0.0;
    const auto [map, values] = potential(box);
    CHECK(map.potential.lattice.spacing_A == Vec3<double>{1.5, 1.5, 1.5});
    CHECK(map.potential.lattice.counts == Vec3<std::int64_t>{x ? 1 : 37, y ? 1 : 25, z ? 1 : 25});
    REQUIRE(map.run.warnings.size() == 1);
    CHECK(map.run.warnings[0].find("points has no points between its faces") != std::string::npos);
    double squares = 0.0, expected_squares = 0.0;  // in the solvent: the solute's field is finer than 3 A
    for (std::int64_t p = 0; p < map.potential.lattice.size(); ++p) {
      const Vec3<double> at_A = map.potential.lattice.position_A(p);
      if (std::ranges::any_of(structure.atoms, [&](const Atom& atom) {
            return distance_squared(atom.position_A, at_A) < 25.0;
          }))
        continue;
      const Vec3<std::int64_t> at = map.potential.lattice.point(p);
      const double value = double(
          expected[std::size_t(thick.potential.lattice.index(x ? 18 : at.x, y ? 12 : at.y, z ? 12 : at.z))]);
      squares += std::pow(double(values[std::size_t(p)]) - value, 2);
      expected_squares += value * value;
    }
    CHECK(std::sqrt(squares / expected_squares) < 0.1);
  }
  Job flat = duplex_job(structure, {});
  flat.lattice.box = Box{{-6, 0, -20}, {46, 0, 20}};
  CHECK(run(flat).placement.ions.size() == 4);
  flat.lattice.box = Box{{21, 0, 0}, {21, 0, 0}};  // a single point, where no ion can be
  flat.ions.clear();
  flat.field.every_point = true;
  CHECK(run(flat).potential.lattice.counts == Vec3<std::int64_t>{1, 1, 1});
}

TEST_CASE("own Poisson-Boltzmann: words are APBS's, and those that it has no use for are refused by name") {
  const Structure structure = read_structure(duplex);
  const auto refused = [&](const std::string& word) {
    return error_of([&] { plan(duplex_job(structure, {.options = {word}})); });
  };
  CHECK(refused("calcenergy=total").find("'calcenergy=total', which only APBS uses") != std::string::npos);
  CHECK(refused("smpbe").find("--pb apbs") != std::string::npos);
  CHECK(refused("bcfl=focus").find("zero, sdh or mdh") != std::string::npos);
  CHECK(refused("etol=2").find("between 0 and 1") != std::string::npos);
  CHECK(refused("dime=65 65").find("three numbers") != std::string::npos);
  CHECK(refused("fgcent=mol 1").find("three numbers") != std::string::npos);
  CHECK(refused("cgcent=mol 1").find("three numbers") != std::string::npos);
  const OwnPbCalculation moved =
      own_pb_calculation(structure, {.spacing_A = 1.5}, {}, {"cglen=120 100 100", "cgcent=30 5 -5"});
  const Box outer = extents(moved.outer), inner = extents(moved.lattice);
  CHECK(0.5 * (outer.lowest_A.x + outer.highest_A.x) == doctest::Approx(30.0));
  CHECK(0.5 * (outer.lowest_A.z + outer.highest_A.z) == doctest::Approx(-5.0));
  CHECK(outer.lowest_A.x < inner.lowest_A.x);
  CHECK(outer.highest_A.z > inner.highest_A.z);
  CHECK(refused("srfm=round").find("srfm=round") != std::string::npos);
  CHECK(refused("pdie=0").find("pdie=0") != std::string::npos);
  const LatticeGeometry lattice =
      plan(duplex_job(structure, {.options = {"dime=65 97 33", "fglen=64 48 32", "fgcent=1 2 3"}})).lattice;
  CHECK(lattice.counts == Vec3<std::int64_t>{65, 97, 33});
  CHECK(lattice.spacing_A == Vec3<double>{1.0, 0.5, 1.0});
  CHECK(lattice.origin_A == Vec3<double>{-31.0, -22.0, -13.0});
  const Result screened = run(duplex_job(structure, {.options = {"sdens=20", "pdie=2", "npbe"}}));
  REQUIRE(screened.run.warnings.size() >= 1);
  CHECK(
      std::any_of(screened.run.warnings.begin(), screened.run.warnings.end(),
                  [](const std::string& warning) { return warning.find("sdens=20") != std::string::npos; }));
}

TEST_CASE("own Poisson-Boltzmann: the energy of solvation is Born's, and with ions that of solute and ions") {
  Structure born;
  born.atoms.push_back({.position_A = {0.1, 0.2, 0.3}, .charge_e = 1.0, .radius_A = 3.0, .name = "BORN"});
  const std::vector<std::string> words{"pdie=1", "sdie=78.54", "ion=charge 1 conc 0 radius 2",
                                       "ion=charge -1 conc 0 radius 2"};
  Job job{.structure = born,
          .source = PbOptions{.options = words, .solvation_energy = true},
          .lattice = {.spacing_A = 0.5}};
  const Result alone = run(job);
  REQUIRE(alone.potential.solver->solvation_energy_kJ_mol);
  CHECK(*alone.potential.solver->solvation_energy_kJ_mol == doctest::Approx(-228.61).epsilon(0.003));
  CHECK_FALSE(alone.potential.solver->solvation_energy_with_ions_kJ_mol);
  CHECK(json_report(alone).find("\"solvation_energy_kJ_mol\": -22") != std::string::npos);

  const Structure structure = read_structure(duplex);
  PbOptions options{.every = 2, .solvation_energy = true};
  Job with_ions = duplex_job(structure, options);
  with_ions.lattice = {.spacing_A = 1.5, .box = Box{{-10, -18, -18}, {50, 18, 18}}};
  const Result placed = run(with_ions);
  REQUIRE(placed.placement.ions.size() == 4);
  CHECK(placed.potential.solver->solves == 2);
  Structure whole = structure;
  for (const PlacedIon& ion : placed.placement.ions)
    whole.atoms.push_back({.position_A = ion.position_A,
                           .charge_e = ion.species.charge_e,
                           .radius_A = ion.species.name == "MG" ? 0.72 : 1.02,
                           .name = "ION"});
  Job again = duplex_job(whole, options);
  again.lattice = with_ions.lattice;
  again.ions.clear();
  const double of_whole = *run(again).potential.solver->solvation_energy_kJ_mol;
  CHECK(*placed.potential.solver->solvation_energy_with_ions_kJ_mol ==
        doctest::Approx(of_whole).epsilon(1e-4));
  CHECK(of_whole > *placed.potential.solver->solvation_energy_kJ_mol);  // less charge is left to be screened

  const auto refused = [&](const PbOptions& given) { return error_of([&] { validate(given); }); };
  CHECK(refused({.options = {"NPBE"}, .solvation_energy = true}).find("--pb-energy is for the linear") !=
        std::string::npos);
  CHECK(refused({.solved_by = PbSolvedBy::apbs, .solvation_energy = true}).find("needs --pb own") !=
        std::string::npos);
  again.lattice.box = Box{{-10, -8, -8}, {50, 8, 8}};
  CHECK(error_of([&] { run(again); }).find("--pb-energy needs all charges on the lattice, and ") !=
        std::string::npos);
}

TEST_CASE("own Poisson-Boltzmann: the energy of solvation takes another equation's memory") {
  const Structure structure = read_structure(duplex);
  const std::int64_t without = plan(duplex_job(structure, {})).host_bytes,
                     with = plan(duplex_job(structure, {.solvation_energy = true})).host_bytes;
  CHECK(with > without + 24 * plan(duplex_job(structure, {})).lattice.size());
}

TEST_CASE("own Poisson-Boltzmann: maps of the equation") {
  const Structure structure = read_structure(duplex);
  const Job job = duplex_job(structure, {});
  Stages stages;
  const LatticePotential result = compute_potential(
      {.structure = structure, .origin = PbOptions{}, .lattice = job.lattice, .field = job.field}, stages);
  REQUIRE(result.potential.solver->equation);
  std::vector<EquationMap> maps;
  for_each_equation_map(result, parse_equation_parts("kappa,charge,eps"),
                        [&](EquationMap&& map) { maps.push_back(std::move(map)); });
  REQUIRE(maps.size() == 5);
  const auto range = [](const EquationMap& map) {
    const auto [least, most] = std::minmax_element(map.values.data(), map.values.data() + map.values.size());
    return std::pair(double(*least), double(*most));
  };
  const char* const names[] = {"eps_x", "eps_y", "eps_z", "kappa", "charge"};
  for (std::size_t n = 0; n < 5; ++n) {
    CAPTURE(names[n]);
    CHECK(maps[n].name == names[n]);
    CHECK(maps[n].lattice.counts == result.potential.lattice.counts);
    CHECK(maps[n].lattice.origin_A.x ==
          doctest::Approx(result.potential.lattice.origin_A.x + (n == 0 ? 0.75 : 0.0)));
    CHECK(maps[n].lattice.origin_A.z ==
          doctest::Approx(result.potential.lattice.origin_A.z + (n == 2 ? 0.75 : 0.0)));
    if (n > 2) continue;
    CHECK(range(maps[n]).first == doctest::Approx(4.0));
    CHECK(range(maps[n]).second == doctest::Approx(78.54));
  }
  // kappa^2 eps of 0.15 M: a Debye length of 7.854 A at 298.15 K in water of 78.54.
  CHECK(range(maps[3]).first == 0.0);
  CHECK(range(maps[3]).second == doctest::Approx(78.54 / (7.854 * 7.854)).epsilon(0.002));
  CHECK(std::accumulate(maps[4].values.data(), maps[4].values.data() + maps[4].values.size(), 0.0) ==
        doctest::Approx(net_charge_e(structure.atoms)));

  CHECK(equation_map_paths("a.b/pot.dx.gz", {EquationPart::kappa}) ==
        std::vector<std::string>{"a.b/pot.kappa.dx.gz"});
  CHECK(equation_map_path("pot.v2.CCP4", "eps_x") == "pot.v2.eps_x.CCP4");
  for (const std::string text : {"", "eps,", "kapa", "eps;kappa"})
    CHECK(
        error_of([&] { parse_equation_parts(text); }).starts_with("--pb-maps is '" + text + "'; write eps,"));
}

TEST_CASE("own Poisson-Boltzmann: tells residuals, and a signal keeps the ions so far") {
  const Structure structure = read_structure(duplex);
  std::vector<double> residuals;
  Stages told({.residual = [&](double residual) { residuals.push_back(residual); }});
  run(duplex_job(structure, {.every = 4}), told);
  CHECK(residuals.size() > 4);  // on two lattices
  CHECK(residuals.back() <= 1e-6);
  CHECK(*std::max_element(residuals.begin(), residuals.end()) <= 1.0 + 1e-6);

  std::int64_t kept = -1;
  Stages stages({.stage = [](const std::string&, const std::string& shown) -> Progress {
                   if (shown == "solve 3/4") std::raise(SIGTERM);
                   return {};
                 },
                 .stopped = [&](const Result& so_far) { kept = std::ssize(so_far.placement.ions); }});
  CHECK_THROWS_AS(run(duplex_job(structure, {.every = 1}), stages), Interrupted);
  CHECK(kept == 2);
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

TEST_CASE("own Poisson-Boltzmann: ions go where they go with APBS, on the same lattice") {
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
    CHECK(own.potential.lattice.counts == apbs.potential.lattice.counts);
    for (std::size_t i = 0; i < own.placement.ions.size(); ++i) {
      CAPTURE(i);
      const PlacedIon &here = own.placement.ions[i], &there = apbs.placement.ions[i];
      CHECK(here.lattice_index == there.lattice_index);
      // The surfaces are not the same to the last face: dots have a density.
      CHECK(std::abs(here.energy_kT - there.energy_kT) < 0.05);
    }
  }
}
