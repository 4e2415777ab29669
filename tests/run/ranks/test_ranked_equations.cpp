#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "core/error.hpp"
#include "electrostatics/poisson_boltzmann/model/sample_tile.hpp"
#include "electrostatics/poisson_boltzmann/plain_pb.hpp"
#include "electrostatics/poisson_boltzmann/solver/host_vectors.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_levels.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_memory.hpp"
#include "run/ranks/rank_coefficients.hpp"
#include "run/ranks/rank_equations.hpp"
#include "run/ranks/ranked_equations.hpp"
#include "run/run.hpp"
#include "structures/read_structure.hpp"
#include "support/error_of.hpp"
#include "support/example.hpp"
#include "support/stand_in_backend.hpp"
#include "support/thread_ranks.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

PlaneShares shares_of(const LatticeGeometry& lattice, int ranks) {
  return share_planes(lattice.counts, plan_coarsening(lattice.counts, lattice.spacing_A), ranks);
}

MakePbVectors shared_by(RankGroup& group) {
  return [equations = std::make_shared<RankedEquations>(group)](PbSystem& system,
                                                                const PbSolverOptions& options) {
    return RankedEquations::vectors(equations, system, options);
  };
}

/// Another dielectric and accessibility in a box that lies in several slabs.
PointBox change(PbSystem& system) {
  const Vec3<std::int64_t>& n = system.lattice.counts;
  const PointBox box{{2, 1, n.z / 3}, {n.x - 3, n.y - 2, n.z - 4}};
  for (std::int64_t k = box.low.z; k <= box.high.z; ++k)
    for (std::int64_t j = box.low.y; j <= box.high.y; ++j)
      for (std::int64_t i = box.low.x; i <= box.high.x; ++i) {
        const std::size_t p = std::size_t(system.lattice.index(i, j, k));
        system.eps_x[p] = 3.0f + float(i % 5);
        system.eps_y[p] = 40.0f;
        system.eps_z[p] = 2.0f + float(k % 7);
        system.accessibility[p] = 0.25f * float(j % 5);
      }
  return box;
}

/// A solution, and one after a change, from there.
struct Solved {
  PbConvergence before, after;
  std::vector<float> first, second;

  Solved(const PbSystem& of, const PbSolverOptions& options, const MakePbVectors& make) {
    PbSystem system = of;
    PbSolver solver(system, options, make);
    before = solver.solve();
    first = system.boundary_kT_e;
    solver.update(change(system));
    after = solver.solve();
    second = system.boundary_kT_e;
  }
};

MakePbVectors alone() {
  return [](PbSystem& system, const PbSolverOptions& options) {
    return host_vectors(system, options.equation == PbEquation::nonlinear, options.simd, options.threads);
  };
}

}  // namespace

TEST_CASE("ranks: a Poisson-Boltzmann solution is that of one process, to the last bit") {
  std::set<std::size_t> levels;  // shared, in some of these
  for (const auto& [counts, spacing_A] :
       {std::pair<Vec3<std::int64_t>, Vec3<double>>{{21, 33, 61}, {0.5, 0.5, 0.5}},
        {{9, 12, 130}, {0.5, 0.5, 0.5}},
        {{61, 50, 67}, {0.4, 0.4, 1.3}},   // whose planes are only halved from the third level on
        {{18, 17, 143}, {1.1, 0.9, 0.4}},  // and here alone at first
        {{35, 40, 150}, {0.5, 0.5, 0.5}}})
    for (const PbEquation equation : {PbEquation::linear, PbEquation::nonlinear}) {
      const PbSystem system = random_system({counts, spacing_A});
      CAPTURE(counts.z);
      CAPTURE(int(equation));
      const PbSolverOptions options{.equation = equation, .threads = 1};
      const Solved expected(system, options, alone());
      REQUIRE(expected.before.iterations > 3);
      REQUIRE(expected.after.iterations > 3);
      for (const int ranks : {2, 3, 4, 8}) {
        if (system.lattice.size() > 100000 && (ranks % 2 == 0) == (equation == PbEquation::linear)) continue;
        CAPTURE(ranks);
        levels.insert(shares_of(system.lattice, ranks).shared_levels());
        ThreadRanks(ranks).run([&](RankGroup& group) {
          const Solved shared(system, {.equation = equation, .threads = 1 + ranks % 2}, shared_by(group));
          CHECK(shared.before.history == expected.before.history);
          CHECK(shared.before.iterations == expected.before.iterations);
          CHECK(shared.first == expected.first);
          CHECK(shared.after.history == expected.after.history);
          CHECK(shared.second == expected.second);
        });
      }
    }
  CHECK(levels.count(0) == 0);
  CHECK(levels.size() > 2);
}

TEST_CASE("ranks: the planes of a lattice are shared among as many as there are planes for") {
  for (const std::int64_t planes : {16, 17, 31, 40, 65, 129, 161, 300})
    for (const Vec3<double>& spacing_A : {Vec3<double>{1.0, 1.0, 1.0}, {0.4, 0.5, 1.3}, {1.1, 0.9, 0.4}})
      for (const int ranks : {2, 3, 5, 8, 40}) {
        CAPTURE(planes);
        CAPTURE(spacing_A.z);
        CAPTURE(ranks);
        const LatticeGeometry lattice{{}, spacing_A, {65, 60, planes}};
        const PlaneShares shares = shares_of(lattice, ranks);
        const auto plan = plan_coarsening(lattice.counts, spacing_A);
        REQUIRE(shares.shared_levels() >= (planes < 32 ? 0 : 1));
        int sharing = 0;
        for (std::size_t n = 0; n < shares.own.size(); ++n) {
          const int all = n == 0 ? int(planes) : plan[n - 1][2].coarse;
          REQUIRE(shares.own[n].size() == std::size_t(ranks));
          int next = 0, with_planes = 0;
          for (int rank = 0; rank < ranks; ++rank) {
            const PlaneSpan own = shares.own[n][std::size_t(rank)];
            if (own.count() == 0) continue;
            CHECK(with_planes == rank);  // the first of them
            ++with_planes;
            CHECK(own.begin == next);
            next = own.end;
            if (n < shares.shared_levels()) CHECK(own.count() >= most_ghosts(n));
            const LevelPlanes here = planes_of(shares, n, rank, all);
            CHECK(here.first % 2 == 0);
            CHECK(here.first + here.count <= all);
            if (n + 1 < shares.own.size())  // each makes the planes that lie among its own
              CHECK(plan[n][2].coarse_below(own.begin) == shares.own[n + 1][std::size_t(rank)].begin);
          }
          CHECK(next == all);
          if (n == 0) sharing = with_planes;
          CHECK(with_planes == sharing);
        }
        if (!shares.own.empty()) CHECK(sharing >= 2);
        if (planes >= 300) CHECK(sharing >= std::min(ranks, 8));
        CHECK(planes_of_ranks(shares, lattice).size() == (shares.own.empty() ? 0 : std::size_t(ranks)));
      }
}

TEST_CASE("ranks: lattices that one process solves sooner are not shared") {
  const auto cube = [](std::int64_t edge) {
    return LatticeGeometry{{}, {1.0, 1.0, 1.0}, {edge, edge, edge}};
  };
  for (const int ranks : {2, 8}) {
    CHECK_FALSE(shares_of_ranks(cube(3), ranks, nullptr).is_worth_it());
    CHECK_FALSE(shares_of_ranks(cube(21), ranks, nullptr).is_worth_it());
    CHECK(shares_of_ranks(cube(97), ranks, nullptr).is_worth_it());
    CHECK(shares_of_ranks(cube(400), ranks, nullptr).is_worth_it());
  }
  CHECK_FALSE(shares_of_ranks(cube(400), 1, nullptr).is_worth_it());
}

TEST_CASE("ranks: each takes memory for its planes of a solution") {
  const LatticeGeometry lattice{{}, {0.5, 0.5, 0.5}, {129, 97, 161}};
  constexpr std::int64_t of_system = 24;
  const double alone = double(host_vectors_bytes(lattice) + of_system * lattice.size());
  for (const int ranks : {2, 4, 8}) {
    CAPTURE(ranks);
    double all = 0.0;
    for (int rank = 0; rank < ranks; ++rank) {
      const double here = double(shared_vectors_bytes(lattice, ranks, rank));
      CHECK(here < (1.0 / ranks + 0.15) * alone);  // 12 planes of ghosts of 161, and coarse levels
      all += here;
    }
    CHECK(all > alone);
  }
  CHECK(double(shared_vectors_bytes(lattice, 40, 39)) < 0.07 * alone);  // has no planes
}

TEST_CASE("ranks: a solution that a rank has not the memory for is told by the first, which can go on") {
  const PbSystem system = random_system({{21, 33, 61}});
  const Solved expected(system, {.threads = 1}, alone());
  ThreadRanks(2).run([&](RankGroup& group) {
    {
      const MakePbVectors make = shared_by(group);
      PbSystem huge;
      huge.lattice = {{}, {1.0, 1.0, 1.0}, {100000, 100000, 100000}};
      const std::string message = error_of([&] { make(huge, {.threads = 1}); });
      CHECK(message.find("needs") != std::string::npos);
      CHECK(message.find("(rank 1 of 2, on thread1)") != std::string::npos);
      CHECK(free_rank_group() == nullptr);
    }
    CHECK(free_rank_group() == &group);
    CHECK(Solved(system, {.threads = 1}, shared_by(group)).second == expected.second);
  });
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
    const Result shared = run(job);
    CHECK(group.had_work);
    REQUIRE(shared.placement.ions.size() == 5);
    for (std::size_t i = 0; i < 5; ++i) {
      CHECK(shared.placement.ions[i].lattice_index == expected.placement.ions[i].lattice_index);
      CHECK(shared.placement.ions[i].energy_kT == expected.placement.ions[i].energy_kT);
    }
    CHECK(shared.solver->convergence->iterations == expected.solver->convergence->iterations);
    CHECK(*shared.solver->solvation_energy_with_ions_kJ_mol ==
          *expected.solver->solvation_energy_with_ions_kJ_mol);
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
        const Result alone = run(job, {&large});  // sooner where one has the memory
        CHECK(alone.backend == "gpu");
        CHECK(alone.ranks == 1);
        CHECK_FALSE(group.had_work);
        const Result shared = run(job, {&devices});
        CHECK(shared.backend == "gpu");
        CHECK(shared.ranks == 3);
        CHECK(group.had_work);
        REQUIRE(shared.placement.ions.size() == 3);
        for (std::size_t i = 0; i < 3; ++i) {
          CHECK(shared.placement.ions[i].lattice_index == expected.placement.ions[i].lattice_index);
          CHECK(shared.placement.ions[i].energy_kT == expected.placement.ions[i].energy_kT);
        }
        CHECK(shared.solver->convergence->iterations == expected.solver->convergence->iterations);
        CHECK(*shared.solver->solvation_energy_with_ions_kJ_mol ==
              *expected.solver->solvation_energy_with_ions_kJ_mol);
      },
      {&devices});
}

TEST_CASE("ranks: a rank without the device that it is to solve on is told by the first, which can go on") {
  const PbSystem system = random_system({{21, 33, 61}});
  const StandInBackend two({std::int64_t{1} << 40, std::int64_t{1} << 40}), none({});
  ThreadRanks(2).run(
      [&](RankGroup& group) {
        {
          const auto equations = std::make_shared<RankedEquations>(
              group, RankedEquations::Place{&two, 0, {.backend = Backend::automatic}});
          PbSystem shared = system;
          const std::string message =
              error_of([&] { RankedEquations::vectors(equations, shared, {.threads = 1}); });
          CHECK(message.find("there is no stand-in") != std::string::npos);
          CHECK(message.find("(rank 1 of 2, on thread1)") != std::string::npos);
        }
        CHECK(free_rank_group() == &group);
        CHECK(group.in_step);
      },
      {&none});
}

TEST_CASE(
    "ranks: dielectrics and accessibilities that they compute are those of one process, to the last bit") {
  const Structure structure = read_structure(duplex);
  std::vector<PbModelOptions> models(4);
  models[1].dielectric.faces = FaceRule::averaged_midpoint;
  models[2].dielectric.surface = models[2].accessibility.surface = SoluteSurface::cubic_spline;
  models[3].dielectric.solute_dielectric = models[3].dielectric.solvent_dielectric;
  for (const PbModelOptions& options : models)
    for (const LatticeGeometry& lattice :
         {LatticeGeometry{{-9.0, -18.5, -17.0}, {0.7, 0.7, 0.7}, {88, 54, 50}},
          LatticeGeometry{{-30.0, -20.0, -11.0}, {1.5, 0.9, 1.1}, {60, 20, 26}}}) {
      CAPTURE(lattice.counts.x);
      CAPTURE(int(options.dielectric.surface));
      const PbModel alone(lattice, structure.atoms, options, 2);
      for (const int ranks : {2, 3, 40}) {  // of which some have no tiles
        CAPTURE(ranks);
        ThreadRanks(ranks).run([&](RankGroup& group) {
          RankedEquations equations(group);
          const PbModel shared(
              lattice, structure.atoms, options, 1, nullptr,
              [&](const PbModelOptions& of, std::span<const Atom> atoms, int threads, PbSystem* system) {
                equations.set_coefficients(of, atoms, threads, system);
              });
          CHECK(shared.system().eps_x == alone.system().eps_x);
          CHECK(shared.system().eps_y == alone.system().eps_y);
          CHECK(shared.system().eps_z == alone.system().eps_z);
          CHECK(shared.system().accessibility == alone.system().accessibility);
        });
      }
    }
}

TEST_CASE("ranks: each computes about as much of an equation's coefficients as the others") {
  const Structure structure = read_structure(duplex);
  const LatticeGeometry lattice{{-30.0, -38.0, -37.0}, {0.5, 0.5, 0.5}, {205, 154, 148}};
  const std::size_t tiles = tiles_of(all_points(lattice)).size();
  for (const int ranks : {1, 2, 3, 8}) {
    const auto without = tiles_of_ranks(lattice, {}, ranks),
               with = tiles_of_ranks(lattice, structure.atoms, ranks);
    for (const std::vector<std::size_t>& parts : {without, with}) {
      REQUIRE(parts.size() == std::size_t(ranks) + 1);
      CHECK(parts.front() == 0);
      CHECK(parts.back() == tiles);
    }
    std::size_t fewest = tiles, most = 0;
    for (std::size_t rank = 0; rank < std::size_t(ranks); ++rank) {
      CHECK(2 * int(without[rank + 1] - without[rank]) >
            int(tiles) / ranks);  // tiles at the ends are smaller
      fewest = std::min(fewest, with[rank + 1] - with[rank]);
      most = std::max(most, with[rank + 1] - with[rank]);
    }
    if (ranks == 8) CHECK(most > 2 * fewest);  // atoms lie in the middle
  }
}
