// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>

#include "core/block.hpp"
#include "support/backends.hpp"
#include "support/cases.hpp"
#include "support/placement_problem.hpp"
#include "support/reference.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

/// Sums in plain double precision, so its error is the rounding of the values.
class PlainSource final : public PotentialSource {
 public:
  PlainSource(std::span<const PointCharge> charges, const PairPotential& pair, int& calls)
      : charges_(charges), pair_(pair), calls_(calls) {}

  void add_to(const HostBlocks& blocks, const Progress&) override {
    ++calls_;
    const BlockGrid grid(blocks.lattice);
    for (std::size_t s = 0; s < blocks.numbers.size(); ++s)
      for (int p = 0; p < block_points; ++p) {
        const Vec3<double> at =
            grid.lattice.position_A(0, 0, 0) +
            grid.lattice.spacing_A.x * (Vec3<double>{double(p % 8), double(p / 8 % 8), double(p / 64)}) +
            (grid.box(blocks.numbers[s]).lowest_A - grid.lattice.origin_A);
        double sum = 0.0;
        for (const PointCharge& q : charges_)
          sum += q.charge_e * pair_.at(distance_squared(at, q.position_A));
        blocks.values[block_points * s + std::size_t(p)] += float(sum);
      }
  }

 private:
  std::span<const PointCharge> charges_;
  const PairPotential& pair_;
  int& calls_;
};

SourceFactory plain_sources(int& calls) {
  return [&calls](const SolutePotential& potential, const SourceContext& context, const Progress&) {
    return std::make_unique<PlainSource>(charges_of(potential), context.pair, calls);
  };
}

}  // namespace

TEST_CASE("potential source: a field takes its values from it, and places the same ions") {
  for (const bool multilevel : {false, true})
    for (const bool every_point : {false, true}) {
      CAPTURE(multilevel);
      CAPTURE(every_point);
      ReferenceProblem problem = solute(pair_potential({}), {41, 37, 29}, 960);
      problem.ion_charges_e = alternating(12, {2.0, -1.0});
      const FieldOptions options{.every_point = every_point};
      std::vector<std::int64_t> index[2];
      int calls = 0;
      for (const bool elsewhere : {false, true}) {
        auto masked = make_host_lattice(problem.lattice, problem.pair, options,
                                        elsewhere ? plain_sources(calls) : make_cpu_source);
        masked->exclude(problem.centres, problem.ion_solute_A);
        const auto field = fill(std::move(masked), sum_of(problem.charges, multilevel), {});
        for (const PlacedIon& ion : placed(problem, *field).ions)
          index[elsewhere].push_back(ion.lattice_index);
      }
      CHECK(calls == 1);
      CHECK(index[0].size() == 12);
      CHECK(index[0] == index[1]);
    }
}

TEST_CASE("potential source: a lattice without a free point asks for nothing") {
  const LatticeGeometry lattice{{0, 0, 0}, {0.5, 0.5, 0.5}, {9, 9, 9}};
  const std::vector<PointCharge> charges{{{2, 2, 2}, 1.0}};
  int calls = 0;
  auto masked = make_host_lattice(lattice, pair_potential({}), {}, plain_sources(calls));
  masked->exclude(centres_of(charges), 10.0);
  const auto field = fill(std::move(masked), DirectSum{charges}, {});
  CHECK(calls == 0);
  CHECK(!field->lowest_energy_point(-1.0));
}
