// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>

#include "compute/ranks/rank_equations.hpp"
#include "compute/ranks/rank_shares.hpp"
#include "compute/ranks/ranked_equations.hpp"
#include "core/error.hpp"
#include "electrostatics/poisson_boltzmann/solver/host_vectors.hpp"
#include "jobs/place/run.hpp"
#include "programs/child_process.hpp"
#include "structures/formats/read_structure.hpp"
#include "support/error_of.hpp"
#include "support/example.hpp"
#include "support/pb_slabs.hpp"
#include "support/stand_in_backend.hpp"
#include "support/thread_ranks.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

/// The equation of a duplex on lattices that ranks share.
OwnPbCalculation duplex_calculation(const Structure& structure, double spacing_A) {
  OwnPbCalculation calculation =
      own_pb_calculation(structure, {.spacing_A = spacing_A, .border_A = {}, .box = {}}, {}, {});
  calculation.solver.threads = 1;
  return calculation;
}

std::shared_ptr<RankedEquations> ranked(RankGroup& group) {
  auto equations = std::make_shared<RankedEquations>();
  equations->orders = std::make_shared<RankOrders>(group);
  return equations;
}

}  // namespace

TEST_CASE("ranks: equations that one process solves sooner are not shared") {
  const auto cubes = [](std::int64_t outer, std::int64_t inner) {
    const auto cube = [](std::int64_t edge) {
      return LatticeGeometry{{}, {1.0, 1.0, 1.0}, {edge, edge, edge}};
    };
    OwnPbCalculation calculation;
    calculation.outer = cube(outer);
    calculation.lattice = cube(inner);
    return calculation;
  };
  for (const int ranks : {2, 8}) {
    CHECK_FALSE(are_to_be_shared(cubes(3, 3), ranks, nullptr));
    CHECK_FALSE(are_to_be_shared(cubes(3, 97), ranks, nullptr));
    CHECK_FALSE(are_to_be_shared(cubes(21, 21), ranks, nullptr));
    CHECK(are_to_be_shared(cubes(97, 97), ranks, nullptr));
    CHECK(are_to_be_shared(cubes(49, 400), ranks, nullptr));
  }
  CHECK_FALSE(are_to_be_shared(cubes(400, 400), 1, nullptr));
}

TEST_CASE("ranks: what one of them cannot do is told by the first, which can go on") {
  const Structure structure = read_structure(duplex);
  const OwnPbCalculation calculation = duplex_calculation(structure, 1.0);
  OwnPbCalculation huge = calculation;
  huge.lattice.counts = {100000, 100000, 100000};
  std::vector<Atom> negative = structure.atoms;
  negative.back().radius_A = -1.0;
  const auto ends = [](double) {};
  ThreadRanks(2).run([&](RankGroup& group) {
    const std::shared_ptr<RankedEquations> equations = ranked(group);
    const std::string message = error_of([&] { RankedPb(equations, huge, structure.atoms); });
    CHECK(message.find("needs") != std::string::npos);
    CHECK(message.find("(rank 1 of 2, on thread1)") != std::string::npos);
    CHECK(error_of([&] { RankedPb(equations, calculation, negative); }).find("radius") != std::string::npos);
    CHECK(group.in_step);
    RankedPb equation(equations, calculation, structure.atoms);
    negative.erase(negative.begin(), negative.end() - 1);
    CHECK(error_of([&] { equation.add(negative); }).find("radius") != std::string::npos);
    CHECK(group.in_step);
    CHECK(!group.is_free());
    CHECK(RankedPb(equations, calculation, structure.atoms).solve(ends, {}).iterations > 3);
  });
}

TEST_CASE("ranks: who ends a solution ends it for all, and what does not converge does so everywhere") {
  struct Ended {};
  const Structure structure = read_structure(duplex);
  const OwnPbCalculation calculation = duplex_calculation(structure, 1.0);
  OwnPbCalculation short_of_iterations = calculation;
  short_of_iterations.solver.max_iterations = 2;
  const auto goes_on = [](double) {};
  const auto ends_at = [](double limit) {
    return [limit](double at) {
      if (at > limit) throw Ended();
    };
  };
  ThreadRanks(3).run([&](RankGroup& group) {
    const std::shared_ptr<RankedEquations> equations = ranked(group);
    CHECK(error_of([&] {
            RankedPb(equations, short_of_iterations, structure.atoms).solve(goes_on, {});
          }).find("not solved after 2 iterations") != std::string::npos);
    CHECK(group.in_step);
    RankedPb equation(equations, calculation, structure.atoms);
    CHECK_THROWS_AS(equation.solve(ends_at(0.6), {}), Ended);
    CHECK_THROWS_AS(equation.solve(goes_on, ends_at(0.0)), Ended);
    CHECK(group.in_step);
    FocusedPb alone(calculation, structure.atoms, on_host_alone());
    alone.solve(goes_on, {});
    group.while_waiting = [] { throw Interrupted(SIGTERM); };  // is heard at the next progress, not between
    const PbConvergence shared = equation.solve(goes_on, {});
    CHECK_THROWS_AS(equation.solve(ends_at(0.0), {}), Ended);
    group.while_waiting = {};
    CHECK(group.in_step);
    CHECK(shared.residual < calculation.solver.tolerance);
    CHECK(equation.atoms().size() == structure.atoms.size());
    OwnPbCalculation nonlinear = calculation;
    nonlinear.solver.equation = PbEquation::nonlinear;
    int heard = 0;
    const PbConvergence slow =
        RankedPb(equations, nonlinear, structure.atoms).solve([&](double) { ++heard; }, {});
    CHECK(heard > slow.iterations);
    CHECK(slow.iterations > slow.newton_steps);
  });
}

TEST_CASE("ranks: what they have of a solute's equation is what one process has, to the last bit") {
  const Structure structure = read_structure(duplex);
  const std::vector<Atom> ions{{.position_A = {4.0, 2.0, 12.0}, .charge_e = 2.0, .radius_A = 0.9},
                               {.position_A = {-7.0, 5.0, -9.0}, .charge_e = 1.0, .radius_A = 1.2}};
  const auto goes_on = [](double) {};
  std::vector<OwnPbCalculation> calculations(4, duplex_calculation(structure, 1.0));
  calculations[1].model.charges = ChargeAssignment::quintic;
  calculations[1].model.boundary = BoundaryKind::single_debye_hueckel;
  calculations[2].model.dielectric.faces = FaceRule::averaged_midpoint;
  calculations[2].solver.equation = PbEquation::nonlinear;
  calculations[3].model.charges = ChargeAssignment::regularized;
  for (const OwnPbCalculation& calculation : calculations) {
    CAPTURE(int(calculation.model.charges));
    CAPTURE(int(calculation.model.dielectric.faces));
    FocusedPb alone(calculation, structure.atoms, on_host_alone());
    const PbConvergence first = alone.solve(goes_on, {});
    const double energy_kT = alone.charge_energy_kT();
    alone.add(ions);
    const SolutePb::Solutions between_kT_e = alone.solutions_kT_e();
    const PbConvergence second = alone.solve(goes_on, {});
    for (const int ranks : {2, 3, 12}) {  // of which some have no planes
      CAPTURE(ranks);
      ThreadRanks(ranks).run([&](RankGroup& group) {
        RankedPb equation(ranked(group), calculation, structure.atoms);
        CHECK(equation.solve(goes_on, {}).history == first.history);
        CHECK(equation.charge_energy_kT() == energy_kT);
        equation.add(ions);
        CHECK(equation.solutions_kT_e().inner == between_kT_e.inner);
        CHECK(equation.solutions_kT_e().outer == between_kT_e.outer);
        CHECK(equation.solve(goes_on, {}).history == second.history);
        CHECK(equation.charge_energy_kT() == alone.charge_energy_kT());
        equation.start_from(between_kT_e);
        CHECK(equation.solve(goes_on, {}).history == second.history);
        for (const PbArray which : {PbArray::eps_x, PbArray::eps_y, PbArray::eps_z, PbArray::accessibility,
                                    PbArray::charge, PbArray::potential}) {
          CAPTURE(int(which));
          const LargeArray<float> mine = equation.values(which), expected = alone.values(which);
          REQUIRE(mine.size() == expected.size());
          CHECK(std::equal(mine.data(), mine.data() + mine.size(), expected.data()));
        }
        const LatticeGeometry slab = rank_slabs(calculation.lattice, ranks).front();
        const std::span<const double> part = equation.values_of(slab);
        REQUIRE(part.size() == std::size_t(slab.size()));
        CHECK(std::equal(part.begin(), part.end(), alone.system().boundary_kT_e.begin()));
        // No rank has much more than its part.
        CHECK(equation.system().lattice.counts.z <=
              calculation.lattice.counts.z / std::min(ranks, 4) + 2 * most_ghosts(0) + 2);
      });
    }
  }
}

TEST_CASE("ranks: a run with its own Poisson-Boltzmann solutions is that of one process, to the last bit") {
  const Structure structure = read_structure(duplex);
  Job job{.structure = structure,
          .ions = {{{"MG", "MG", 2.0}, 3}, {{"NA", "NA", 1.0}, 2}},
          .source = PbOptions{.every = 2, .solvation_energy = true},
          .lattice = {.spacing_A = 0.8}};
  job.field.threads = 1;
  const Result expected = run(job);
  ThreadRanks(3).run([&](RankGroup& group) {
    const Result shared = run(job, {{}, &group});
    CHECK(group.had_work);
    REQUIRE(shared.placement.ions.size() == 5);
    for (std::size_t i = 0; i < 5; ++i) {
      CHECK(shared.placement.ions[i].lattice_index == expected.placement.ions[i].lattice_index);
      CHECK(shared.placement.ions[i].energy_kT == expected.placement.ions[i].energy_kT);
    }
    CHECK(shared.potential.solver->convergence->iterations ==
          expected.potential.solver->convergence->iterations);
    CHECK(*shared.potential.solver->solvation_energy_with_ions_kJ_mol ==
          *expected.potential.solver->solvation_energy_with_ions_kJ_mol);
  });
}

TEST_CASE("ranks: a run whose devices share its Poisson-Boltzmann solutions is that of one process") {
  const Structure structure = read_structure(duplex);
  Job job{.structure = structure,
          .ions = {{{"MG", "MG", 2.0}, 3}},
          .source = PbOptions{.every = 2, .solvation_energy = true},
          .lattice = {.spacing_A = 0.8}};
  job.field.threads = 1;
  const Result expected = run(job);
  job.backend.backend = Backend::gpu;
  constexpr std::int64_t enough = std::int64_t{1} << 40, too_little = 21'000'000;
  const StandInBackend large({enough, enough, enough}), devices({too_little, too_little, too_little});
  ThreadRanks(3).run(
      [&](RankGroup& group) {
        const Result alone = run(job, {{&large}, &group});  // sooner where one has the memory
        CHECK(alone.run.backend == Backend::gpu);
        CHECK(alone.run.ranks == 1);
        CHECK_FALSE(group.had_work);
        const Result shared = run(job, {{&devices}, &group});
        CHECK(shared.run.backend == Backend::gpu);
        CHECK(shared.run.ranks == 3);
        CHECK(group.had_work);
        REQUIRE(shared.placement.ions.size() == 3);
        for (std::size_t i = 0; i < 3; ++i) {
          CHECK(shared.placement.ions[i].lattice_index == expected.placement.ions[i].lattice_index);
          CHECK(shared.placement.ions[i].energy_kT == expected.placement.ions[i].energy_kT);
        }
        CHECK(shared.potential.solver->convergence->iterations ==
              expected.potential.solver->convergence->iterations);
        CHECK(*shared.potential.solver->solvation_energy_with_ions_kJ_mol ==
              *expected.potential.solver->solvation_energy_with_ions_kJ_mol);
      },
      {&devices});
}

TEST_CASE("ranks: a rank without the device that it is to solve on is told by the first, which can go on") {
  const Structure structure = read_structure(duplex);
  const OwnPbCalculation calculation = duplex_calculation(structure, 1.0);
  const StandInBackend two({std::int64_t{1} << 40, std::int64_t{1} << 40}), none({});
  ThreadRanks(2).run(
      [&](RankGroup& group) {
        {
          const std::shared_ptr<RankedEquations> equations = ranked(group);
          equations->owner = &two;
          const std::string message = error_of([&] { RankedPb(equations, calculation, structure.atoms); });
          CHECK(message.find("there is no stand-in") != std::string::npos);
          CHECK(message.find("(rank 1 of 2, on thread1)") != std::string::npos);
        }
        CHECK(group.is_free());
        CHECK(group.in_step);
      },
      {&none});
}
