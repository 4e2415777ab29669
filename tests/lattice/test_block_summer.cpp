#include <doctest/doctest.h>

#include <cmath>

#include "core/block.hpp"
#include "support/cases.hpp"
#include "support/placement_problem.hpp"
#include "support/reference.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

/// Sums in plain double precision; the multilevel sum likewise, so its error is the rounding of the values.
class PlainSummer final : public BlockSummer {
 public:
  explicit PlainSummer(int& calls) : calls_(calls) {}

  void add_direct(const HostBlocks& blocks, const PairPotential& pair, std::span<const PointCharge> charges,
                  const Progress&) override {
    ++calls_;
    const BlockGrid grid(blocks.lattice);
    for (std::size_t s = 0; s < blocks.numbers.size(); ++s)
      for (int p = 0; p < block_points; ++p) {
        const Vec3<double> at =
            grid.lattice.position_A(0, 0, 0) +
            grid.lattice.spacing_A.x * (Vec3<double>{double(p % 8), double(p / 8 % 8), double(p / 64)}) +
            (grid.box(blocks.numbers[s]).lowest_A - grid.lattice.origin_A);
        double sum = 0.0;
        for (const PointCharge& q : charges) sum += q.charge_e * pair.at(distance_squared(at, q.position_A));
        blocks.values[block_points * s + std::size_t(p)] += float(sum);
      }
  }

  void add_multilevel(const HostBlocks& blocks, const MultilevelPlan& plan,
                      std::span<const PointCharge> charges, bool, const Progress& progress) override {
    add_direct(blocks, plan.pair, charges, progress);
  }

 private:
  int& calls_;
};

}  // namespace

TEST_CASE("block summer: a field takes its potential from it, and places the same ions") {
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
        const auto field = make_cpu_field(problem.lattice, problem.pair, options,
                                          elsewhere ? std::make_unique<PlainSummer>(calls) : nullptr);
        field->exclude(problem.centres, problem.ion_solute_A);
        if (multilevel)
          field->add_multilevel(problem.charges, {}, {});
        else
          field->add_direct(problem.charges, {});
        for (const PlacedIon& ion : placed(problem, *field).ions)
          index[elsewhere].push_back(ion.lattice_index);
      }
      CHECK(calls == 1);
      CHECK(index[0].size() == 12);
      CHECK(index[0] == index[1]);
    }
}

TEST_CASE("block summer: a lattice without a free point asks for nothing") {
  const LatticeGeometry lattice{{0, 0, 0}, {0.5, 0.5, 0.5}, {9, 9, 9}};
  const std::vector<PointCharge> charges{{{2, 2, 2}, 1.0}};
  int calls = 0;
  const auto field = make_cpu_field(lattice, pair_potential({}), {}, std::make_unique<PlainSummer>(calls));
  field->exclude(centres_of(charges), 10.0);
  field->add_direct(charges, {});
  CHECK(calls == 0);
  CHECK(!field->lowest_energy_point(-1.0));
}
