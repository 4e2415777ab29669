// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "compute/backend.hpp"
#include "compute/poisson_boltzmann/plane_exchange.hpp"
#include "compute/ranks/rank_equations.hpp"
#include "core/error.hpp"
#include "electrostatics/poisson_boltzmann/pb_system.hpp"
#include "electrostatics/poisson_boltzmann/plain_pb.hpp"
#include "electrostatics/poisson_boltzmann/plain_sphere.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_levels.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_solver.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_vectors.hpp"
#include "electrostatics/poisson_boltzmann/solver/plane_shares.hpp"
#include "electrostatics/poisson_boltzmann/solver/shared_planes.hpp"
#include "gpu/backend.hpp"
#include "jobs/place/run.hpp"
#include "structures/formats/read_structure.hpp"
#include "support/backends.hpp"
#include "support/example.hpp"
#include "support/pb_slabs.hpp"
#include "support/skip.hpp"
#include "support/thread_ranks.hpp"

namespace ionwell::test {
namespace {

PbSolver solver_on_gpu(PbSystem& system, const PbSolverOptions& options) {
  return {system, options, [](PbSystem& of, const PbSolverOptions& by) {
            return gpu_backend().pb_vectors({gpu_backend().devices().devices.front().number}, of,
                                            by.equation == PbEquation::nonlinear);
          }};
}

}  // namespace

TEST_CASE("gpu: the Poisson-Boltzmann equation is solved as on the CPU, in not many more iterations") {
  if (!have_gpu()) return;
  for (const Vec3<std::int64_t>& n : {Vec3<std::int64_t>{3, 3, 3},
                                      {4, 4, 4},
                                      {5, 3, 4},
                                      {9, 9, 9},
                                      {34, 17, 18},
                                      {66, 35, 3},
                                      {3, 70, 41},
                                      {67, 66, 65},
                                      {5, 4, 130}})
    for (const Vec3<double>& spacing_A : {Vec3<double>{0.5, 0.5, 0.5}, {0.2, 1.0, 0.6}})
      for (const PbEquation equation : {PbEquation::linear, PbEquation::nonlinear}) {
        CAPTURE(n.x);
        CAPTURE(n.y);
        CAPTURE(spacing_A.x);
        CAPTURE(int(equation));
        PbSystem on_cpu = random_system({n, spacing_A});
        PbSystem on_gpu = on_cpu;
        const PbSolverOptions options{.equation = equation, .tolerance = 1e-8};
        const PbConvergence cpu = PbSolver(on_cpu, options).solve();
        const PbConvergence gpu = solver_on_gpu(on_gpu, options).solve();
        CHECK(gpu.residual <= 1e-8);
        // The CPU's takes the odd points out and sweeps coarse levels once more: most is 24 for 18.
        CHECK(gpu.iterations >= cpu.iterations - 2);
        CHECK(gpu.iterations <= 2 + 1.4 * cpu.iterations);
        CHECK(std::abs(gpu.newton_steps - cpu.newton_steps) <= 1);
        const PlainPb plain(on_gpu);
        CHECK(plain.residual_norm(as_double(on_gpu.boundary_kT_e), equation == PbEquation::nonlinear) <
              1e-6 * plain.right_side_norm());
        CHECK(relative_difference(on_gpu.boundary_kT_e, as_double(on_cpu.boundary_kT_e)) < 1e-6);
      }
}

TEST_CASE("gpu: a charged sphere in salts of ions of any size, against the radial equation") {
  if (!have_gpu()) return;
  for (const double ion_radius_A : {0.0, 0.5, 2.0}) {
    CAPTURE(ion_radius_A);
    const SphereInSalt sphere(-30.0, ion_radius_A);
    PbModel model = sphere.model(0.5);
    solver_on_gpu(model.system(), {.equation = PbEquation::nonlinear}).solve();
    CHECK(sphere.error_outside(model.system()) < 0.02);  // as on the CPU
  }
}

TEST_CASE("gpu: a changed box of the Poisson-Boltzmann equation, and the same bits in every run") {
  if (!have_gpu()) return;
  PbSystem system = random_system({{40, 33, 29}});
  const std::vector<float> start = system.boundary_kT_e;
  for (const PbEquation equation : {PbEquation::linear, PbEquation::nonlinear}) {
    CAPTURE(int(equation));
    PbSolver solver = solver_on_gpu(system, {.equation = equation});
    solver.solve();
    const PointBox box{{5, 7, 9}, {30, 8, 15}};
    for (std::int64_t k = box.low.z; k <= box.high.z; ++k)
      for (std::int64_t j = box.low.y; j <= box.high.y; ++j)
        for (std::int64_t i = box.low.x; i <= box.high.x; ++i) {
          const std::size_t p = std::size_t(system.lattice.index(i, j, k));
          system.eps_x[p] = system.eps_y[p] = system.eps_z[p] = 2.5f + float(equation);
          system.accessibility[p] = 0.25f;
          system.charge_e[p] = -0.1f;
        }
    solver.update(box);
    system.boundary_kT_e = start;
    const PbConvergence updated = solver.solve();
    PbSystem fresh = system;
    fresh.boundary_kT_e = start;
    const PbConvergence anew = solver_on_gpu(fresh, {.equation = equation}).solve();
    CHECK(updated.iterations > 1);
    CHECK(updated.history == anew.history);
    CHECK(system.boundary_kT_e == fresh.boundary_kT_e);
    system.boundary_kT_e = start;
  }
}

TEST_CASE("gpu: devices that share a Poisson-Boltzmann equation solve it to the same bits as one") {
  if (!have_gpu()) return;
  const auto& devices = gpu_backend().devices().devices;
  const int first = devices.front().number;
  std::vector<std::vector<int>> teams{{first, first}, {first, first, first}};  // streams of one device
  if (devices.size() > 1) teams.push_back({first, devices[1].number});
  for (const PbEquation equation : {PbEquation::linear, PbEquation::nonlinear}) {
    CAPTURE(int(equation));
    // Large enough to be shared, as is the next level in part: a ninth of it is on one device.
    PbSystem alone = random_system({{211, 180, 131}});
    const PbSystem start = alone;
    PbSolver on_one = solver_on_gpu(alone, {.equation = equation});
    const PbConvergence expected = on_one.solve();
    for (const std::vector<int>& team : teams) {
      CAPTURE(team.size());
      CAPTURE(team.back());
      PbSystem shared = start;
      PbSolver solver(shared, {.equation = equation}, [&](PbSystem& of, const PbSolverOptions& by) {
        return gpu_backend().pb_vectors(team, of, by.equation == PbEquation::nonlinear);
      });
      CHECK(solver.solve().history == expected.history);
      CHECK(shared.boundary_kT_e == alone.boundary_kT_e);
    }
  }
}

namespace {

/// A rank's vectors, on the first GPU or on one each of those that there are.
MakePbVectors shared_by(RankGroup& group) {
  return [&group](PbSystem& system, const PbSolverOptions& options) {
    const auto& devices = gpu_backend().devices().devices;
    return gpu_backend().shared_pb_vectors(devices[std::size_t(group.rank()) % devices.size()].number, system,
                                           options.equation == PbEquation::nonlinear, group);
  };
}

}  // namespace

TEST_CASE("gpu: ranks that share a Poisson-Boltzmann equation solve it to the same bits as one GPU") {
  if (!have_gpu()) return;
  for (const auto& [counts, spacing_A] :
       {std::pair<Vec3<std::int64_t>, Vec3<double>>{{21, 33, 61}, {0.5, 0.5, 0.5}},
        {{70, 12, 130}, {0.5, 0.5, 0.5}},
        {{61, 50, 67}, {0.4, 0.4, 1.3}},   // whose planes are only halved from the third level on
        {{18, 17, 143}, {1.1, 0.9, 0.4}},  // and here alone at first
        {{67, 66, 261}, {0.5, 0.5, 0.5}}})
    for (const PbEquation equation : {PbEquation::linear, PbEquation::nonlinear}) {
      CAPTURE(counts.z);
      CAPTURE(int(equation));
      const PbSolverOptions options{.equation = equation};
      const PbSystem start = random_system({counts, spacing_A});
      PbSystem alone = start;
      PbSolver on_one = solver_on_gpu(alone, options);
      const PbConvergence before = on_one.solve();
      const std::vector<float> first_kT_e = alone.boundary_kT_e;
      on_one.update(change(alone));
      const PbConvergence after = on_one.solve();
      REQUIRE(before.iterations > 3);
      REQUIRE(after.iterations > 3);
      const std::optional<DeviceValues> on_device = on_one.solution_on_device();
      REQUIRE(on_device.has_value());
      std::vector<double> exact_kT_e(alone.boundary_kT_e.size());
      gpu_backend().copy_to_host(on_device->ordinal, on_device->values,
                                 std::as_writable_bytes(std::span(exact_kT_e)));
      for (const int ranks : {2, 3, 4, 8}) {
        CAPTURE(ranks);
        REQUIRE(gpu_backend().share_planes(start.lattice, ranks).shared_levels() > 0);
        const std::vector<LevelPlanes> planes =
            planes_of_ranks(gpu_backend().share_planes(start.lattice, ranks), start.lattice);
        ThreadRanks(ranks).run_all([&](RankGroup& group) {
          const LevelPlanes& here = planes[std::size_t(group.rank())];
          const PlaneSpan own = own_planes(planes)[std::size_t(group.rank())];
          const std::int64_t plane = start.lattice.index(0, 0, 1);
          PbSystem slab = slab_of(start, here);
          const std::span<float> solution = own_part(slab.boundary_kT_e, start.lattice, here);
          PbSolver solver(slab, options, shared_by(group));
          const PbConvergence of_ranks = solver.solve();
          CHECK(of_ranks.history == before.history);
          CHECK(of_ranks.iterations == before.iterations);
          CHECK(std::ranges::equal(solution, part_of(first_kT_e, start.lattice, own)));
          solver.update(change(slab));
          CHECK(solver.solve().history == after.history);
          CHECK(std::ranges::equal(solution, part_of(alone.boundary_kT_e, start.lattice, own)));
          if (own.count() == 0) return;
          const DeviceValues values = solver.solution_on_device().value();
          std::vector<double> here_kT_e(solution.size());
          gpu_backend().copy_to_host(values.ordinal, values.values + plane * here.own.begin,
                                     std::as_writable_bytes(std::span(here_kT_e)));
          CHECK(std::ranges::equal(
              here_kT_e, std::span(exact_kT_e).subspan(std::size_t(plane * own.begin), here_kT_e.size())));
          CHECK(group.traffic.all_gathers.calls > 0);
          CHECK(group.traffic.received.bytes > 0);
        });
      }
    }
}

TEST_CASE("ranks: GPUs share whole columns of planes, of which each has more than copies of others'") {
  std::size_t most_levels = 0;
  for (const Vec3<std::int64_t>& counts :
       {Vec3<std::int64_t>{21, 33, 61}, {65, 60, 161}, {211, 180, 263}, {65, 65, 4001}, {477, 564, 550}})
    for (const Vec3<double>& spacing_A : {Vec3<double>{1.0, 1.0, 1.0}, {0.4, 0.5, 1.3}, {1.1, 0.9, 0.4}})
      for (const int ranks : {2, 3, 8, 40}) {
        CAPTURE(counts.z);
        CAPTURE(spacing_A.z);
        CAPTURE(ranks);
        const LatticeGeometry lattice{{}, spacing_A, counts};
        const PlaneShares shares = gpu_backend().share_planes(lattice, ranks);
        if (shares.own.empty() && counts.z == 550) return skip("this build has no kernels for GPUs");
        most_levels = std::max(most_levels, shares.shared_levels());
        const auto plan = plan_coarsening(counts, spacing_A);
        for (std::size_t n = 0; n < shares.own.size(); ++n) {
          const int all = n == 0 ? int(counts.z) : plan[n - 1][2].coarse;
          int next = 0;
          for (int rank = 0; rank < ranks; ++rank) {
            const PlaneSpan own = shares.own[n][std::size_t(rank)];
            if (own.count() == 0) continue;
            CHECK(own.begin == next);
            next = own.end;
            if (n == shares.shared_levels()) continue;
            CHECK(own.count() >= shares.ghosts(n));
            const LevelPlanes here = planes_of(shares, n, rank, all);
            CHECK((here.is_lowest() || here.own.begin >= shares.ghosts(n)));
            CHECK((here.is_highest() || here.count - here.own.end == shares.ghosts(n)));
          }
          CHECK(next == all);
        }
      }
  CHECK(most_levels > 2);
  const LatticeGeometry large{{}, {1.0, 1.0, 1.0}, {600, 600, 600}};
  CHECK(gpu_backend().share_planes(large, 1).own.empty());
}

TEST_CASE("gpu: large Poisson-Boltzmann equations that ranks share, each with columns of several planes") {
  if (!have_gpu()) return;
  for (const PbEquation equation : {PbEquation::linear, PbEquation::nonlinear}) {
    CAPTURE(int(equation));
    PbSystem alone = random_system({{211, 180, 263}});
    const PbSystem start = alone;
    const PbConvergence expected = solver_on_gpu(alone, {.equation = equation}).solve();
    for (const int ranks : {2, 3, 8}) {
      CAPTURE(ranks);
      CHECK(gpu_backend().share_planes(start.lattice, ranks).shared_levels() > 1);
      const std::vector<LevelPlanes> planes =
          planes_of_ranks(gpu_backend().share_planes(start.lattice, ranks), start.lattice);
      ThreadRanks(ranks).run_all([&](RankGroup& group) {
        const LevelPlanes& here = planes[std::size_t(group.rank())];
        PbSystem slab = slab_of(start, here);
        CHECK(PbSolver(slab, {.equation = equation}, shared_by(group)).solve().history == expected.history);
        CHECK(std::ranges::equal(
            own_part(slab.boundary_kT_e, start.lattice, here),
            part_of(alone.boundary_kT_e, start.lattice, own_planes(planes)[std::size_t(group.rank())])));
      });
    }
  }
}

TEST_CASE("gpu: a run whose ranks' GPUs share its Poisson-Boltzmann solutions has the ions of one GPU") {
  if (!have_gpu()) return;
  const Structure structure = read_structure(duplex);
  Job job{.structure = structure,
          .ions = {{{"MG", "MG", 2.0}, 3}, {{"NA", "NA", 1.0}, 1}},
          .source = PbOptions{.every = 2, .solvation_energy = true},
          .lattice = {.spacing_A = 0.6, .box = Box{{-24.0, -32.0, -300.0}, {66.0, 32.0, 300.0}}}};
  job.backend.backend = Backend::gpu;
  const Result expected = run(job, {&gpu_backend()});
  CHECK(expected.run.ranks == 1);
  job.backend.memory_bytes = 1'500'000'000;  // less than the two equations take, more than two thirds of them
  for (const int ranks : {2, 3}) {
    CAPTURE(ranks);
    ThreadRanks(ranks).run(
        [&](RankGroup& group) {
          const Result shared = run(job, {{&gpu_backend()}, &group});
          CHECK(shared.run.ranks == ranks);
          REQUIRE(shared.placement.ions.size() == 4);
          for (std::size_t i = 0; i < 4; ++i) {
            CHECK(shared.placement.ions[i].lattice_index == expected.placement.ions[i].lattice_index);
            // One GPU makes the surface by itself: to rounding in fp32 that of the ranks' hosts.
            CHECK(shared.placement.ions[i].energy_kT ==
                  doctest::Approx(expected.placement.ions[i].energy_kT).epsilon(1e-4));
          }
          CHECK(std::abs(shared.potential.solver->convergence->iterations -
                         expected.potential.solver->convergence->iterations) <= 3);
          CHECK(*shared.potential.solver->solvation_energy_with_ions_kJ_mol ==
                doctest::Approx(*expected.potential.solver->solvation_energy_with_ions_kJ_mol).epsilon(1e-5));
        },
        {&gpu_backend()});
  }
}

TEST_CASE("gpu: the Poisson-Boltzmann equation without unknowns, cancelled, and on a GPU that is not there") {
  if (!have_gpu()) return;
  PbSystem flat = random_system({{2, 9, 9}});
  const std::vector<float> given = flat.boundary_kT_e;
  CHECK(solver_on_gpu(flat, {}).solve().iterations == 0);
  CHECK(flat.boundary_kT_e == given);
  PbSystem system = random_system({{20, 21, 22}});
  const std::vector<float> start = system.boundary_kT_e;
  PbSolver solver = solver_on_gpu(system, {});
  const auto cancel = [](double part) {
    if (part > 0.3) throw Error("cancelled");
  };
  CHECK_THROWS_WITH_AS(solver.solve(cancel), "cancelled", Error);
  CHECK(system.boundary_kT_e == start);
  CHECK(solver.solve().residual <= 1e-6);
  CHECK_THROWS_AS(gpu_backend().pb_vectors({997}, system, false), UsageError);
}

}  // namespace ionwell::test
