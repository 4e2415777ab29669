// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "compute/cost_model.hpp"
#include "compute/ranks/rank_shares.hpp"
#include "core/block.hpp"
#include "parallel/thread_count.hpp"
#include "potential/sources/summed_source.hpp"
#include "support/thread_ranks.hpp"

using namespace ionwell;
using namespace ionwell::test;

TEST_CASE("ranks: slabs are whole blocks, cover the lattice and keep its points where they are") {
  for (const std::int64_t planes : {1, 7, 8, 9, 64, 100, 1001})
    for (const int ranks : {1, 2, 3, 8, 100}) {
      const LatticeGeometry lattice{{-3.3, 0.1, 7.77}, {0.3, 0.3, 0.3}, {5, 4, planes}};
      std::int64_t next = 0;
      for (const LatticeGeometry& slab : rank_slabs(lattice, ranks)) {
        CHECK(slab.first_plane == next);
        CHECK(slab.whole() == lattice.slab(0, planes).whole());
        if (slab.counts.z == 0) continue;
        CHECK(next % block_edge == 0);
        CHECK(slab.position_A(1, 2, slab.counts.z - 1) == lattice.position_A(1, 2, next + slab.counts.z - 1));
        CHECK(slab.position_A(0) == lattice.position_A(lattice.index(0, 0, next)));
        CHECK(slab.counts.z <= block_edge * (blocks_along(planes) / ranks + 1));
        next += slab.counts.z;
      }
      CHECK(next == planes);
      CHECK(largest_slab(lattice, ranks).counts.z >= planes / ranks);
    }
}

TEST_CASE("ranks: each takes its own of the devices of a host") {
  ThreadRanks ranks(3);
  const auto devices = [&](int rank, std::vector<int> named, int on_host) {
    return options_of_rank({.backend = Backend::gpu, .devices = std::move(named)}, ranks.rank(rank), on_host)
        .devices;
  };
  CHECK(devices(0, {}, 4) == std::vector{0});
  CHECK(devices(2, {}, 4) == std::vector{2});
  CHECK(devices(2, {}, 2) == std::vector{0});
  CHECK(devices(2, {}, 1).empty());  // the only one
  CHECK(devices(0, {4, 5, 6, 7}, 8) == std::vector{4, 7});
  CHECK(devices(1, {4, 5, 6, 7}, 8) == std::vector{5});
  CHECK(devices(2, {4, 5}, 8) == std::vector{4});
}

TEST_CASE("ranks: no more threads than the first has, and than its share of the machine") {
  const int share = thread_count(0);
  CHECK(own_threads(1) == 1);
  CHECK(own_threads(0) == share);
  CHECK(own_threads(share + 1000) == share);
}

TEST_CASE("ranks: a sum's method is that of one process, however small each one's share is") {
  Structure structure;
  for (int i = 0; i < 400; ++i)
    structure.atoms.push_back({.position_A = {0.2 * i, 0.1 * i, 0.2 * i}, .charge_e = -1.0});
  PotentialRequest job{.structure = structure,
                       .origin = SummationOptions{},
                       .lattice = {.spacing_A = 1.0, .box = Box{{0.0, 0.0, 0.0}, {80.0, 80.0, 80.0}}}};
  job.backend.backend = Backend::cpu;
  job.field.simd = SimdLevel::baseline;
  const SummedSource source(job, {});
  const Plan alone = source.plan({});
  CHECK(alone.summation.method == Method::multilevel);
  ThreadRanks(8).run([&](RankGroup& group) {
    const LatticeGeometry share = largest_slab(alone.lattice, group.count());
    CHECK(faster_method(share, structure.atoms.size(), cpu_rates(alone.pair, job.field.simd)) ==
          Method::direct);
    const Plan plan = source.plan({{}, &group});
    CHECK(plan.ranks() == 8);
    CHECK(plan.summation.method == Method::multilevel);
  });
}

TEST_CASE("ranks: the memory of a machine is that of all its ranks, and of a map that is gathered") {
  ThreadRanks ranks(4);
  const LatticeGeometry lattice{{}, {1, 1, 1}, {8, 8, 64}};
  const PlannedShare share = planned_share(&ranks.rank(0), lattice, {.backend = Backend::cpu}, {});
  CHECK(share.lattice.counts.z == 16);
  CHECK(share.group == &ranks.rank(0));
  CHECK(host_bytes_of_ranks(1000, share, lattice, MapUse::none) == 4000);
  CHECK(host_bytes_of_ranks(1000, share, lattice, MapUse::gathered) == 4000 + 4 * 8 * 8 * 64);
  // Of a large map the parts of a file are a small share.
  const LatticeGeometry large{{}, {1, 1, 1}, {2000, 2000, 2000}};
  const std::int64_t written = host_bytes_of_ranks(0, share, large, MapUse::written);
  CHECK(written >= 16 * 2000 * 2000 * 12);
  CHECK(written < host_bytes_of_ranks(0, share, large, MapUse::gathered) / 20);
  const PlannedShare alone = planned_share(nullptr, lattice, {.backend = Backend::cpu}, {});
  CHECK(alone.lattice == lattice);
  CHECK(host_bytes_of_ranks(1000, alone, lattice, MapUse::gathered) == 1000);
}
