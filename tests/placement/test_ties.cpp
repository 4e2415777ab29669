// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>

#include "electrostatics/simd/direct_kernels.hpp"
#include "electrostatics/simd/simd_features.hpp"
#include "support/backends.hpp"
#include "support/cases.hpp"
#include "support/placement_problem.hpp"

/// Where energies are equal but for rounding, the lowest index wins on every backend.
namespace ionwell::test {

/// Rounding gives half of such ties to the lower index by itself, so that one alone would show little.
void check_mirrored_dipoles(std::uint64_t seed) {
  CAPTURE(seed);
  // Mirror images have the same potential, a small rest of large terms. Coordinates are no binary fractions,
  // so that the two sides round differently.
  const LatticeGeometry lattice{{0.1, 0.2, 0.3}, {0.1, 0.1, 0.1}, {160, 31, 31}};
  const double middle_A = 0.1 + 0.1 * 79.5;
  ReferenceProblem problem{
      .lattice = lattice, .pair = pair_potential({}), .ion_solute_A = 0.8, .ion_ion_A = 1.0};
  Random random(seed);
  for (int n = 0; n < 40; ++n) {
    const Vec3<double> at = random.position_A({{0.3, 0.4, 0.5}, {0.1 + middle_A, 1.0, 1.0}});
    const double charge_e = 20.0 * random.between(0.5, 1.0);
    for (const double sign : {1.0, -1.0})  // a short dipole, and its image
      for (const bool image : {false, true}) {
        const double x = at.x + (sign > 0.0 ? 0.0 : 1e-9);
        problem.charges.push_back({{image ? 2 * middle_A - x : x, at.y, at.z}, sign * charge_e});
      }
  }
  problem.centres = centres_of(problem.charges);
  problem.ion_charges_e = {1.0};
  const auto image_of = [&](std::int64_t index) {
    const Vec3<std::int64_t> p = lattice.point(index);
    return lattice.index(lattice.counts.x - 1 - p.x, p.y, p.z);
  };
  // The plain answer: of the lowest point and its image the one of lower index.
  const std::vector<double> potential = reference_potential(lattice, problem.pair, problem.charges);
  const std::vector<bool> excluded = excluded_by_solute(lattice, problem.centres, problem.ion_solute_A);
  std::int64_t lowest = -1;
  for (std::int64_t p = 0; p < lattice.size(); ++p)
    if (!excluded[std::size_t(p)] &&
        (lowest < 0 || potential[std::size_t(p)] < potential[std::size_t(lowest)]))
      lowest = p;
  REQUIRE(lowest >= 0);
  REQUIRE(image_of(lowest) != lowest);
  for (const double charge_e : {1.0, -1.0, 2.0}) {
    problem.ion_charges_e = {charge_e};
    const std::vector<ReferenceIon> expected = reference_placement(problem);
    REQUIRE(expected.size() == 1);
    CHECK(expected[0].index < image_of(expected[0].index));
    for (const int threads : {1, 3}) {
      const auto field = filled_field(problem, {.threads = threads});
      CHECK(field->lowest_energy_point(charge_e).value().index == expected[0].index);
    }
  }
}

TEST_CASE("placement: ties are told by what is added up, not by what is left of it") {
  for (std::uint64_t seed = 600; seed < 604; ++seed) check_mirrored_dipoles(seed);
}

TEST_CASE("placement: where the potential is zero all over, the first free point takes the ion") {
  const LatticeGeometry lattice = lattice_in_box({{0, 0, 0}, {50, 45, 40}}, 0.5);
  ReferenceProblem problem{.lattice = lattice, .pair = pair_potential({}), .ion_solute_A = 4.0};
  problem.centres = {{1.0, 1.0, 1.0}, {20.0, 20.0, 20.0}};
  const std::vector<bool> excluded = excluded_by_solute(lattice, problem.centres, problem.ion_solute_A);
  const std::int64_t first = std::find(excluded.begin(), excluded.end(), false) - excluded.begin();
  // No charge at all; and two that cancel, where all points are within the lattice's error of the lowest.
  for (const double charge_e : {0.0, 1.0}) {
    CAPTURE(charge_e);
    auto masked = make_lattice(lattice, problem.pair, {.threads = 2});
    masked->exclude(problem.centres, problem.ion_solute_A);
    const std::vector<PointCharge> charges{{problem.centres[1], charge_e}, {problem.centres[1], -charge_e}};
    const auto field = fill(std::move(masked), DirectSum{charges}, {});
    const std::optional<LowestPoint> point = field->lowest_energy_point(1.0);
    REQUIRE(point);
    CHECK(point->index == first);
    CHECK(point->potential_kT_e == 0.0);
  }
}

TEST_CASE("placement: no point takes two ions, however small the distance between ions may be") {
  ReferenceProblem problem = solute(pair_potential({}), {30, 30, 30}, 610);
  const auto field = filled_field(problem);
  const std::optional<LowestPoint> first = field->lowest_energy_point(1.0);
  REQUIRE(first);
  field->add_ion({problem.lattice.position_A(first->index), 1.0}, 0.0);
  const std::optional<LowestPoint> second =
      field->lowest_energy_point(-1.0);  // which would like it there best
  REQUIRE(second);
  CHECK(second->index != first->index);
}

TEST_CASE("placement: lattices of 20,000 A") {
  ReferenceProblem problem{.lattice = {{-9000.0, 17.0, 3.0}, {250.0, 240.0, 230.0}, {81, 40, 33}},
                           .pair = pair_potential({}),
                           .ion_solute_A = 300.0,
                           .ion_ion_A = 500.0};
  Random random(620);
  for (int n = 0; n < 60; ++n)
    problem.charges.push_back({random.position_A(box_of(problem.lattice)), n % 3 == 0 ? 40.0 : -60.0});
  problem.centres = centres_of(problem.charges);
  problem.ion_charges_e = alternating(60, {20.0, 20.0, -10.0});
  const std::vector<ReferenceIon> expected = reference_placement(problem);
  CHECK(expected.size() == 60);
  CHECK(differences(placed(problem, *filled_field(problem)), expected) == 0);
}

#if defined(__x86_64__)
TEST_CASE("instruction sets: a level is taken only where all is there that its code may hold") {
  for (const SimdLevel level : {SimdLevel::avx2, SimdLevel::avx512}) {
    if (!runs_on(level, ~0u)) continue;  // not in this build
    CAPTURE(std::string(to_string(level)));
    std::uint32_t needed = 0;
    for (int bit = 0; bit < 32; ++bit) {
      const bool runs_without = runs_on(level, ~(1u << bit));
      if (!runs_without) needed |= 1u << bit;
    }
    for (const SimdFeature feature :
         {feature_avx2, feature_fma, feature_bmi, feature_bmi2, feature_lzcnt, feature_movbe})
      CHECK((needed & feature) != 0);
    CHECK(((needed & feature_avx512cd) != 0) == (level == SimdLevel::avx512));
    CHECK(runs_on(level, needed));
  }
  CHECK((processor_features() & feature_sse3) != 0);  // of every x86-64 since 2005
}
#endif

}  // namespace ionwell::test
