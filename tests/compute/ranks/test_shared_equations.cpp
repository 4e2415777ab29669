// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "compute/poisson_boltzmann/plane_exchange.hpp"
#include "compute/poisson_boltzmann/rank_coefficients.hpp"
#include "compute/ranks/rank_equations.hpp"
#include "electrostatics/poisson_boltzmann/model/sample_tile.hpp"
#include "electrostatics/poisson_boltzmann/plain_pb.hpp"
#include "electrostatics/poisson_boltzmann/solver/host_vectors.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_levels.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_memory.hpp"
#include "structures/formats/read_structure.hpp"
#include "support/example.hpp"
#include "support/pb_slabs.hpp"
#include "support/thread_ranks.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

PlaneShares shares_of(const LatticeGeometry& lattice, int ranks) {
  return share_planes(lattice.counts, plan_coarsening(lattice.counts, lattice.spacing_A), ranks);
}

MakePbVectors shared_by(RankGroup& group) {
  return [&group](PbSystem& system, const PbSolverOptions& options) {
    return shared_host_vectors(system, options.equation == PbEquation::nonlinear, options.simd,
                               options.threads, group);
  };
}

/// A solution, and one after a change, from there; of one process, or of a rank.
struct Solved {
  PbConvergence before, after;
  std::vector<float> first, second;

  Solved(PbSystem system, const PbSolverOptions& options, const MakePbVectors& make) {
    PbSolver solver(system, options, make);
    before = solver.solve();
    first = system.boundary_kT_e;
    solver.update(change(system));
    after = solver.solve();
    second = system.boundary_kT_e;
  }
};

/// A rank's solutions, which the parts of the whole ones are compared with.
void check_part(RankGroup& group, const PbSystem& system, const PbSolverOptions& options,
                const Solved& expected) {
  const std::vector<LevelPlanes> planes =
      planes_of_ranks(shares_of(system.lattice, group.count()), system.lattice);
  const LevelPlanes& here = planes[std::size_t(group.rank())];
  const auto own = [&](std::span<float> values) { return own_part(values, system.lattice, here); };
  Solved shared(slab_of(system, here), options, shared_by(group));
  CHECK(shared.before.history == expected.before.history);
  CHECK(shared.before.iterations == expected.before.iterations);
  CHECK(shared.after.history == expected.after.history);
  const PlaneSpan of_whole = own_planes(planes)[std::size_t(group.rank())];
  CHECK(std::ranges::equal(own(shared.first), part_of(expected.first, system.lattice, of_whole)));
  CHECK(std::ranges::equal(own(shared.second), part_of(expected.second, system.lattice, of_whole)));
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
      const Solved expected(system, options, on_host_alone());
      REQUIRE(expected.before.iterations > 3);
      REQUIRE(expected.after.iterations > 3);
      for (const int ranks : {2, 3, 4, 8}) {
        if (system.lattice.size() > 100000 && (ranks % 2 == 0) == (equation == PbEquation::linear)) continue;
        CAPTURE(ranks);
        levels.insert(shares_of(system.lattice, ranks).shared_levels());
        ThreadRanks(ranks).run_all([&](RankGroup& group) {
          check_part(group, system, {.equation = equation, .threads = 1 + ranks % 2}, expected);
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

TEST_CASE(
    "ranks: dielectrics and accessibilities that they compute are those of one process, to the last bit") {
  const Structure structure = read_structure(duplex);
  std::vector<PbModelOptions> models(5);
  models[4].accessibility.ion_radius_A = 0.5;
  models[1].dielectric.faces = FaceRule::averaged_midpoint;
  models[2].dielectric.surface = models[2].accessibility.surface = SoluteSurface::cubic_spline;
  models[3].dielectric.solute_dielectric = models[3].dielectric.solvent_dielectric;
  for (const PbModelOptions& options : models)
    for (const LatticeGeometry& lattice :
         {LatticeGeometry{{-9.0, -18.5, -17.0}, {0.7, 0.7, 0.7}, {88, 54, 50}},
          LatticeGeometry{{-30.0, -20.0, -11.0}, {1.5, 0.9, 1.1}, {60, 20, 46}}}) {
      CAPTURE(lattice.counts.x);
      CAPTURE(int(options.dielectric.surface));
      const PbModel alone(lattice, structure.atoms, options, 2);
      for (const int ranks : {2, 3, 40}) {  // of which some have no tiles, or no planes
        CAPTURE(ranks);
        const std::vector<LevelPlanes> planes = planes_of_ranks(shares_of(lattice, ranks), lattice);
        ThreadRanks(ranks).run_all([&](RankGroup& group) {
          const LevelPlanes& here = planes[std::size_t(group.rank())];
          const PbModel shared(
              lattice.slab(here.first, here.count), structure.atoms, options, 1, nullptr,
              [&](const PbModelOptions& of, std::span<const Atom> atoms, int threads, PbSystem* slab) {
                set_coefficients(group, planes, of, atoms, threads, slab);
              });
          const PbSystem expected = slab_of(alone.system(), here);
          CHECK(shared.system().eps_x == expected.eps_x);
          CHECK(shared.system().eps_y == expected.eps_y);
          CHECK(shared.system().eps_z == expected.eps_z);
          CHECK(shared.system().accessibility == expected.accessibility);
          CHECK(shared.system().charge_e == expected.charge_e);
          CHECK(shared.system().boundary_kT_e == expected.boundary_kT_e);
        });
      }
    }
}

TEST_CASE("ranks: the model of a slab is that part of the whole lattice's") {
  const Structure structure = read_structure(duplex);
  const std::vector<Atom> ions{{.position_A = {2.0, 1.0, 6.0}, .charge_e = 2.0, .radius_A = 0.9},
                               {.position_A = {-4.0, 3.0, -3.0}, .charge_e = 1.0, .radius_A = 1.2}};
  const LatticeGeometry lattice{{-16.0, -15.0, -20.0}, {0.9, 1.0, 1.1}, {38, 31, 40}},
      coarse{{-20.0, -20.0, -30.0}, {2.0, 2.0, 2.0}, {21, 21, 31}};
  std::vector<float> coarse_kT_e(std::size_t(coarse.size()));
  for (std::size_t p = 0; p < coarse_kT_e.size(); ++p) coarse_kT_e[p] = 0.01f * float(p % 97);
  std::vector<PbModelOptions> models(6);
  models[5].accessibility.ion_radius_A = 0.5;
  models[0].boundary = BoundaryKind::single_debye_hueckel;
  models[1].charges = ChargeAssignment::regularized;
  models[1].boundary = BoundaryKind::focused;
  models[2].charges = ChargeAssignment::quartic;
  models[3].dielectric.surface = models[3].accessibility.surface = SoluteSurface::gaussian;
  models[4].dielectric.faces = FaceRule::averaged_midpoint;
  for (const PbModelOptions& options : models) {
    PbModel alone(lattice, structure.atoms, options, 2);
    alone.add(ions);
    if (options.boundary == BoundaryKind::focused) alone.focus(coarse, coarse_kT_e);
    for (const LevelPlanes& here : {LevelPlanes{.first = 0, .count = 9},
                                    {.first = 8, .count = 20},
                                    {.first = 31, .count = 9},
                                    {.first = 0, .count = 40},
                                    {.first = 0, .count = 0}}) {
      CAPTURE(here.first);
      CAPTURE(int(options.charges));
      const LatticeGeometry slab = lattice.slab(here.first, here.count);
      PbModel part(slab, structure.atoms, options, 2);
      part.add(ions);
      if (options.boundary == BoundaryKind::focused) {
        const PlaneSpan planes = planes_to_focus_from(coarse, slab);
        CHECK(planes.count() < (here.count < 40 ? 16 : 31));
        part.focus(coarse.slab(planes.begin, planes.count()), part_of(coarse_kT_e, coarse, planes));
      }
      const PbSystem expected = slab_of(alone.system(), here);
      CHECK(part.system().eps_x == expected.eps_x);
      CHECK(part.system().eps_z == expected.eps_z);
      CHECK(part.system().accessibility == expected.accessibility);
      CHECK(part.system().boundary_kT_e == expected.boundary_kT_e);
      // What faces beyond the ends give to regularized charges is not known here.
      const auto inner = [&](const std::vector<float>& charge_e) {
        const bool has_all = options.charges != ChargeAssignment::regularized || here.count == 0;
        return part_of(charge_e, lattice, has_all ? PlaneSpan{0, here.count} : PlaneSpan{1, here.count - 1});
      };
      CHECK(inner(part.system().charge_e) == inner(expected.charge_e));
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
