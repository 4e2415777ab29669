// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <thread>

#include "compute/ranks/ranked_lattice.hpp"
#include "core/error.hpp"
#include "support/cases.hpp"
#include "support/placement_problem.hpp"
#include "support/thread_ranks.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

constexpr FieldOptions every_point{.every_point = true, .threads = 2};

RankLattice lattice_of(const ReferenceProblem& problem, const FieldOptions& options) {
  return {.lattice = problem.lattice,
          .pair = problem.pair,
          .options = options,
          .backend = {.backend = Backend::cpu},
          .charges = problem.charges.size()};
}

/// What a run has: ions with their energies, and the values afterwards.
struct Run {
  Placement placement;
  std::vector<float> before, after;
  FieldStatistics statistics;
};

Run run_of(const ReferenceProblem& problem, std::unique_ptr<MaskedLattice> lattice,
           const SolutePotential& potential) {
  Run run;
  lattice->exclude(problem.centres, problem.ion_solute_A);
  const auto field = fill(std::move(lattice), potential, {});
  run.before = field->values();
  run.placement = placed(problem, *field);
  run.after = field->values();
  run.statistics = field->statistics();
  return run;
}

void check_same(const Run& run, const Run& alone, bool refine = true) {
  CHECK(run.before == alone.before);
  REQUIRE(run.placement.ions.size() == alone.placement.ions.size());
  // Which blocks take ions in together depends on what was searched: fp32 rounding, no more.
  float largest = 0.0f, difference = 0.0f;
  for (std::size_t p = 0; p < run.after.size(); ++p) {
    largest = std::max(largest, std::abs(alone.after[p]));
    difference = std::max(difference, std::abs(run.after[p] - alone.after[p]));
  }
  CHECK(difference <= 1e-6f * largest);
  if (!refine) return;  // it decided by those values
  for (std::size_t i = 0; i < run.placement.ions.size(); ++i) {
    const PlacedIon &ion = run.placement.ions[i], &expected = alone.placement.ions[i];
    CHECK(ion.lattice_index == expected.lattice_index);
    CHECK(std::bit_cast<std::uint64_t>(ion.energy_kT) == std::bit_cast<std::uint64_t>(expected.energy_kT));
    CHECK(ion.position_A == expected.position_A);
  }
}

/// A map of the problem's charges, with a corner where none reaches.
std::vector<double> map_of(const ReferenceProblem& problem) {
  std::vector<double> values = reference_potential(problem.lattice, problem.pair, problem.charges);
  std::fill_n(values.begin(), 100, std::nan(""));
  return values;
}

}  // namespace

TEST_CASE("ranks: the ions, energies and the solute's map are those of one process, to the last bit") {
  for (const auto& [name, pair] : pairs()) {
    CAPTURE(name);
    ReferenceProblem problem = solute(pair, {40, 33, 61}, 1200);
    problem.ion_charges_e = alternating(20, {2.0, -1.0});
    const std::vector<double> map = map_of(problem);
    const std::vector<std::pair<std::string, SolutePotential>> potentials = {
        {"direct", DirectSum{problem.charges}},
        {"multilevel", MultilevelSum{problem.charges, {.cutoff_A = 4.0, .spacing_A = 0.8}}},
        {"map", ImportedMap{map}}};
    for (const auto& [method, potential] : potentials)
      for (const bool refine : {true, false}) {
        CAPTURE(method);
        CAPTURE(refine);
        const FieldOptions options{.every_point = true, .refine = refine, .threads = 2};
        const Run alone =
            run_of(problem, make_host_lattice(problem.lattice, problem.pair, options), potential);
        for (const int ranks : {2, 3, 11}) {  // of which some have no planes
          CAPTURE(ranks);
          ThreadRanks threads(ranks);
          threads.run([&](RankGroup& group) {
            const Run run = run_of(
                problem,
                make_ranked_lattice(std::make_shared<RankOrders>(group), lattice_of(problem, options), {}),
                potential);
            check_same(run, alone, refine);
            CHECK(run.statistics.available_points == alone.statistics.available_points);
            REQUIRE(run.statistics.ranks.size() == std::size_t(ranks));
            std::int64_t planes = 0;
            for (const RankShare& share : run.statistics.ranks) planes += share.planes;
            CHECK(planes == problem.lattice.counts.z);
            CHECK(run.statistics.ranks.back().host == "thread" + std::to_string(ranks - 1));
          });
        }
      }
  }
}

TEST_CASE("ranks: parts of the values are those of all, in memory for the part") {
  ReferenceProblem problem = solute(pair_potential({}), {13, 9, 61}, 50);
  problem.ion_charges_e = alternating(4, {1.0});
  const LatticeGeometry& whole = problem.lattice;
  const auto [nx, ny, nz] = whole.counts;
  for (const int ranks : {1, 2, 3, 11}) {  // of which some have no planes
    CAPTURE(ranks);
    ThreadRanks(ranks).run([&, nx = nx, ny = ny, nz = nz](RankGroup& group) {
      const auto field =
          fill(make_ranked_lattice(std::make_shared<RankOrders>(group), lattice_of(problem, every_point), {}),
               DirectSum{problem.charges}, {});
      for (int round = 0; round < 2; ++round) {
        const std::vector<float> all = field->values();
        const auto values = field->values_in_parts();
        REQUIRE(values != nullptr);
        for (const LatticePart& part :
             {LatticePart{{0, 0, 0}, whole.counts}, LatticePart{{3, 0, 0}, {7, ny, nz}},
              LatticePart{{12, 8, 60}, {1, 1, 1}}, LatticePart{{0, 0, 14}, {nx, ny, 33}},
              LatticePart{{2, 3, 30}, {5, 4, 3}}}) {
          std::vector<float> some(std::size_t(part.size())), expected;
          const std::int64_t before = group.traffic.received.bytes;
          values->copy(part, some);
          CHECK(group.traffic.received.bytes - before <= part.size() * std::int64_t{sizeof(float)});
          for (std::int64_t k = 0; k < part.counts.z; ++k)
            for (std::int64_t j = 0; j < part.counts.y; ++j)
              for (std::int64_t i = 0; i < part.counts.x; ++i)
                expected.push_back(
                    all[std::size_t(whole.index(part.first.x + i, part.first.y + j, part.first.z + k))]);
          CHECK(some == expected);
        }
        field->add_ion({{1.0, 2.0, 3.0}, 1.0}, 1.0);  // which the next round has
      }
    });
  }
}

TEST_CASE("ranks: of energies in several slabs that only rounding tells apart the lowest index has the ion") {
  // Mirror images above and below the middle have the same potential, a small rest of large terms;
  // coordinates are no binary fractions, so that the two sides round differently (as in
  // placement/test_ties.cpp).
  const LatticeGeometry lattice{{0.1, 0.2, 0.3}, {0.1, 0.1, 0.1}, {31, 31, 96}};
  const double middle_A = 0.3 + 0.1 * 47.5;
  int rounded_otherwise = 0;
  for (std::uint64_t seed = 700; seed < 712; ++seed) {
    CAPTURE(seed);
    ReferenceProblem problem{
        .lattice = lattice, .pair = pair_potential({}), .ion_solute_A = 0.8, .ion_ion_A = 1.0};
    Random random(seed);
    for (int n = 0; n < 40; ++n) {
      const Vec3<double> at = random.position_A({{0.4, 0.5, 0.6}, {1.0, 1.0, 0.3 + middle_A}});
      const double charge_e = 20.0 * random.between(0.5, 1.0);
      for (const double sign : {1.0, -1.0})  // a short dipole, and its image
        for (const bool image : {false, true}) {
          const double z = at.z + (sign > 0.0 ? 0.0 : 1e-9);
          problem.charges.push_back({{at.x, at.y, image ? 2 * middle_A - z : z}, sign * charge_e});
        }
    }
    problem.centres = centres_of(problem.charges);
    problem.ion_charges_e = alternating(3, {1.0, -1.0});
    const Run alone =
        run_of(problem, make_host_lattice(lattice, problem.pair, every_point), DirectSum{problem.charges});
    ThreadRanks(2).run([&](RankGroup& group) {
      check_same(run_of(problem,
                        make_ranked_lattice(std::make_shared<RankOrders>(group),
                                            lattice_of(problem, every_point), {}),
                        DirectSum{problem.charges}),
                 alone);
    });
    // The first ion's image, in the other slab, by the same sum.
    const Vec3<std::int64_t> point = lattice.point(alone.placement.ions.front().lattice_index);
    const std::vector<Vec3<double>> both = {lattice.position_A(point.x, point.y, point.z),
                                            lattice.position_A(point.x, point.y, 95 - point.z)};
    double energy_kT[2] = {};
    for (int side = 0; side < 2; ++side)
      for (const PointCharge& q : problem.charges)
        energy_kT[side] +=
            q.charge_e * problem.pair.at(distance_squared(both[std::size_t(side)], q.position_A));
    rounded_otherwise += energy_kT[1] < energy_kT[0];
  }
  CHECK(rounded_otherwise >=
        2);  // the higher index is lower by rounding: the test would see a tie decided by it
}

TEST_CASE("ranks: the grids of a multilevel sum are those of the whole lattice, not of a slab") {
  // Charges at one end: without the others' planes the grids of the first slab would end far sooner.
  ReferenceProblem problem = solute(pair_potential({}), {24, 24, 240}, 41);
  for (PointCharge& charge : problem.charges)
    charge.position_A.z =
        problem.lattice.origin_A.z + 0.05 * (charge.position_A.z - problem.lattice.origin_A.z) + 4.0;
  problem.centres = centres_of(problem.charges);
  problem.ion_charges_e = alternating(4, {1.0});
  for (const MultilevelBasis basis : {MultilevelBasis::bspline8, MultilevelBasis::cubic}) {
    const MultilevelSum sum{problem.charges, {.basis = basis, .cutoff_A = 6.0, .spacing_A = 1.0}};
    const Run alone = run_of(problem, make_host_lattice(problem.lattice, problem.pair, every_point), sum);
    ThreadRanks(5).run([&](RankGroup& group) {
      check_same(run_of(problem,
                        make_ranked_lattice(std::make_shared<RankOrders>(group),
                                            lattice_of(problem, every_point), {}),
                        sum),
                 alone);
    });
  }
}

TEST_CASE("ranks: what fails on one of them is told by the first, and all go on with the next lattice") {
  ReferenceProblem problem = solute(pair_potential({}), {33, 33, 49}, 7);
  problem.ion_charges_e = alternating(5, {1.0});
  const Run alone = run_of(problem, make_host_lattice(problem.lattice, problem.pair, every_point),
                           DirectSum{problem.charges});
  ThreadRanks(3).run([&](RankGroup& group) {
    RankLattice with_gpus = lattice_of(problem, every_point);
    with_gpus.backend.backend = Backend::gpu;  // which the others have not
    std::string message;
    try {
      make_ranked_lattice(std::make_shared<RankOrders>(group), with_gpus, {});
    } catch (const Error& error) {
      message = error.what();
    }
    CHECK(message ==
          "--backend gpu is not available: this program was built without it; use --backend cpu (rank 1 of "
          "3, on thread1)");

    const auto field =
        fill(make_ranked_lattice(std::make_shared<RankOrders>(group), lattice_of(problem, every_point), {}),
             DirectSum{problem.charges}, {});
    CHECK_THROWS_WITH_AS(field->lowest_energy_point(0.0),
                         "an ion of charge 0 e has no point of lowest energy", Error);

    check_same(
        run_of(problem,
               make_ranked_lattice(std::make_shared<RankOrders>(group), lattice_of(problem, every_point), {}),
               DirectSum{problem.charges}),
        alone);
  });
}

TEST_CASE("ranks: one lattice has them at a time, and only the thread that they belong to") {
  ReferenceProblem problem = solute(pair_potential({}), {17, 17, 33}, 8);
  CHECK(Backends{}.free_ranks() == nullptr);
  ThreadRanks(2).run([&](RankGroup& group) {
    const Backends backends{{}, &group};
    CHECK(backends.free_ranks() == &group);
    {
      const auto lattice =
          make_ranked_lattice(std::make_shared<RankOrders>(group), lattice_of(problem, every_point), {});
      CHECK(backends.free_ranks() == nullptr);
      CHECK(backends.ranks() == &group);
    }
    CHECK(backends.free_ranks() == &group);
    RankLattice with_gpus = lattice_of(problem, every_point);
    with_gpus.backend.backend = Backend::gpu;
    CHECK_THROWS_AS(make_ranked_lattice(std::make_shared<RankOrders>(group), with_gpus, {}), Error);
    CHECK(backends.free_ranks() == &group);  // again, though it has failed
    std::jthread([&] { CHECK(backends.free_ranks() == nullptr); }).join();
  });
}

TEST_CASE("ranks: an ion costs two orders to all and one answer of each, of some tens of bytes") {
  ReferenceProblem problem = solute(pairs().front().pair, {40, 33, 61}, 1200);
  problem.ion_charges_e = alternating(8, {2.0, -1.0});
  ThreadRanks(3).run([&](RankGroup& group) {
    std::unique_ptr<MaskedLattice> lattice = make_ranked_lattice(
        std::make_shared<RankOrders>(group), lattice_of(problem, {.refine = false, .threads = 1}), {});
    lattice->exclude(problem.centres, problem.ion_solute_A);
    const auto field = fill(std::move(lattice), DirectSum{problem.charges}, {});
    const RankTraffic before = group.traffic;
    const auto ions = std::ssize(placed(problem, *field).ions);
    REQUIRE(ions > 3);
    CHECK(group.traffic.broadcasts.calls - before.broadcasts.calls == 2 * ions);
    CHECK(group.traffic.broadcasts.bytes - before.broadcasts.bytes ==
          2 * ions * std::int64_t(sizeof(RankOrder)));
    CHECK(group.traffic.gathers.calls - before.gathers.calls == ions);
    CHECK(group.traffic.gathers.bytes - before.gathers.bytes == ions * std::int64_t(sizeof(RankReply)));
    CHECK(group.traffic.sent.calls == 0);
    CHECK(group.traffic.received.calls == 2);  // where the others compute
    CHECK(sizeof(RankOrder) + sizeof(RankReply) < 150);
  });
}

TEST_CASE("ranks: a message that ends too soon") {
  MessageWriter message;
  message(1.5, std::string("two"));
  MessageReader reader(message.bytes().first(message.bytes().size() - 1));
  CHECK(reader.value<double>() == 1.5);
  CHECK_THROWS_AS(reader.value<std::string>(), Error);
}
