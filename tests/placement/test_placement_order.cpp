// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "placement/place_ions.hpp"
#include "support/cases.hpp"
#include "support/placement_problem.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

/// Where nothing is charged.
std::int64_t first_available(const ReferenceProblem& problem) {
  const std::vector<bool> excluded =
      excluded_by_solute(problem.lattice, problem.centres, problem.ion_solute_A);
  return std::find(excluded.begin(), excluded.end(), false) - excluded.begin();
}

}  // namespace

TEST_CASE("placement: looking at the values half way through changes nothing that follows") {
  for (const auto& [name, pair] : pairs()) {
    CAPTURE(name);
    ReferenceProblem problem = solute(pair, {40, 33, 35}, 330);
    problem.ion_charges_e = alternating(24, {2.0, -1.0});
    const std::vector<ReferenceIon> reference = reference_placement(problem);
    REQUIRE(reference.size() == 24);
    const auto field = filled_field(problem, {.every_point = true});
    std::vector<PointCharge> charges = problem.charges;
    for (std::size_t i = 0; i < reference.size(); ++i) {
      const double charge_e = problem.ion_charges_e[i];
      const std::optional<LowestPoint> point = field->lowest_energy_point(charge_e);
      REQUIRE(point);
      CHECK(point->index == reference[i].index);
      charges.push_back({problem.lattice.position_A(point->index), charge_e});
      field->add_ion(charges.back(), problem.ion_ion_A);
      if (i % 7 != 0) continue;
      const std::vector<float> values = field->values();
      const std::vector<double> expected = reference_potential(problem.lattice, pair, charges);
      const std::vector<double> distance_A = nearest_distance(problem.lattice, centres_of(charges));
      double error_max = 0.0, reference_max = 0.0;
      for (std::size_t p = 0; p < values.size(); ++p)
        if (distance_A[p] >= 1.0) {
          reference_max = std::max(reference_max, std::abs(expected[p]));
          error_max = std::max(error_max, std::abs(double(values[p]) - expected[p]));
        }
      CHECK(error_max <= 2e-6 * reference_max);
    }
  }
}

TEST_CASE("placement: ions that were there before the first search count") {
  ReferenceProblem problem = solute(pair_potential({}), {40, 33, 35}, 340);
  problem.ion_charges_e = alternating(20, {2.0, 2.0, -1.0});
  const std::vector<ReferenceIon> reference = reference_placement(problem);
  for (const bool look_at_values : {false, true}) {
    CAPTURE(look_at_values);
    const auto field = filled_field(problem);
    for (std::size_t i = 0; i < reference.size(); ++i) {
      const double charge_e = problem.ion_charges_e[i];
      if (i >= 5) CHECK(field->lowest_energy_point(charge_e)->index == reference[i].index);
      field->add_ion({problem.lattice.position_A(reference[i].index), charge_e}, problem.ion_ion_A);
      if (look_at_values && i == 3) field->values();
    }
  }
}

TEST_CASE("placement: ions without charge take room only") {
  ReferenceProblem problem = solute(pair_potential({}), {40, 33, 35}, 350);
  problem.ion_ion_A = 0.0;
  const auto field = filled_field(problem);
  for (int n = 0; n < 12; ++n) {
    CAPTURE(n);
    problem.ion_charges_e = {2.0};
    const ReferenceIon expected = reference_placement(problem)[0];
    const std::optional<LowestPoint> point = field->lowest_energy_point(2.0);
    REQUIRE(point);
    CHECK(point->index == expected.index);
    CHECK(2.0 * point->potential_kT_e == doctest::Approx(expected.energy_kT).epsilon(1e-10));
    const Vec3<double> at = problem.lattice.position_A(expected.index);
    field->add_ion({at, 0.0}, 3.01);
    problem.centres.push_back(at);
    problem.ion_solute_A = 3.0;
  }
}

TEST_CASE("placement: without refinement the lattice's own lowest value wins") {
  for (const auto& [name, pair] : pairs())
    for (const double charge_e : {1.0, -2.0}) {
      CAPTURE(name);
      CAPTURE(charge_e);
      const ReferenceProblem problem = solute(pair, {40, 33, 35}, 360);
      const auto field = filled_field(problem, {.every_point = true, .refine = false});
      const std::vector<float> values = field->values();
      const std::vector<bool> excluded =
          excluded_by_solute(problem.lattice, problem.centres, problem.ion_solute_A);
      std::size_t best = values.size();
      for (std::size_t p = 0; p < values.size(); ++p)
        if (!excluded[p] && (best == values.size() || charge_e * values[p] < charge_e * values[best]))
          best = p;
      const std::optional<LowestPoint> point = field->lowest_energy_point(charge_e);
      REQUIRE(point);
      CHECK(point->index == std::int64_t(best));
      CHECK(point->potential_kT_e == double(values[best]));
      CHECK(field->statistics().exact_sums == 0);
    }
}

TEST_CASE("placement: refinement decides where the lattice cannot") {
  // Two wells that mirror each other, one deeper by less than fp32 resolves: the lower index must lose.
  ReferenceProblem problem{
      {{-10, -4, -4}, {0.5, 0.5, 0.5}, {41, 17, 17}}, pair_potential({}), {}, {}, 2.0, 2.0, {}};
  problem.charges = {{{-6.0, 0.0, 0.0}, -100.0}, {{6.0, 0.0, 0.0}, -100.0 - 1e-6}};
  problem.centres = centres_of(problem.charges);
  problem.ion_charges_e = {1.0, 1.0, 1.0, 1.0};
  const std::vector<ReferenceIon> reference = reference_placement(problem);
  REQUIRE(problem.lattice.position_A(reference[0].index).x > 0.0);
  check_everywhere(problem, reference);
  const auto field = filled_field(problem);
  CHECK(field->lowest_energy_point(1.0)->index == reference[0].index);
  CHECK(field->statistics().candidates >= 2);
}

TEST_CASE("placement: refinement decides among sums that cancel") {
  // Two solutes that mirror each other, but for the last of many charges: fp32 rounds the two apart by far
  // more than they differ, and by far more than the rounding of what is left of the sums.
  for (std::uint64_t seed = 410; seed < 422; ++seed) {
    CAPTURE(seed);
    ReferenceProblem problem{
        {{-15.25, -5, -5}, {0.5, 0.5, 0.5}, {62, 21, 21}}, pair_potential({}), {}, {}, 3.0, 3.0, {1.0, 1.0}};
    Random random(seed);
    for (PointCharge q : random_charges(random, {{6, -2, -2}, {10, 2, 2}}, 200)) {
      q.charge_e *= 20.0;
      problem.charges.push_back(q);
      q.position_A.x *= -1.0;
      problem.charges.push_back(q);
    }
    problem.charges[seed % 2].charge_e -= 1e-6;
    problem.centres = centres_of(problem.charges);
    const std::vector<ReferenceIon> reference = reference_placement(problem);
    CHECK(differences(placed(problem, *filled_field(problem)), reference) == 0);

    // The same when the charges come as ions.
    ReferenceProblem as_ions = problem;
    as_ions.charges.clear();
    const auto field = filled_field(as_ions);
    CHECK(field->lowest_energy_point(1.0)->index == first_available(as_ions));
    for (const PointCharge& ion : problem.charges) field->add_ion(ion, 3.0);
    CHECK(field->lowest_energy_point(1.0)->index == reference[0].index);
  }
}

TEST_CASE("placement: refinement decides right beside a charge, too") {
  ReferenceProblem problem{
      {{-10, -4, -4}, {0.5, 0.5, 0.5}, {41, 17, 17}}, pair_potential({}), {}, {}, 0.0, 2.0, {1.0, 1.0}};
  for (const double offset_A : {0.001, 0.002, 0.003, 0.005}) {
    CAPTURE(offset_A);
    problem.charges = {{{-6.0 + offset_A, 0.0, 0.0}, -1.0}, {{6.5 + offset_A, 1.0, 1.0}, -1.0 - 1e-7}};
    problem.centres = centres_of(problem.charges);
    check_everywhere(problem, reference_placement(problem));
    problem.ion_solute_A = 5.0;  // from an atom that is none of the charges
    problem.centres = {{0.0, 0.0, 0.0}};
    check_everywhere(problem, reference_placement(problem));
    problem.ion_solute_A = 0.0;
  }
}

TEST_CASE("placement: refinement allows for charges that are not what ions keep away from") {
  // At each of two points large charges leave -1 e; the one far away atom is none of them.
  for (const double charge_e : {100.0, 137.0, 211.0, 333.0, 401.0, 577.0}) {
    CAPTURE(charge_e);
    ReferenceProblem problem{
        {{-10, -4, -4}, {0.5, 0.5, 0.5}, {41, 17, 17}}, pair_potential({}), {}, {}, 50.0, 2.0, {1.0}};
    const Vec3<double> left{-6.48, 0.0, 0.0}, right{6.52, 0.5, 1.0};
    problem.charges = {{left, charge_e}, {left, -charge_e - 1.0}, {right, 300.0}, {right, -301.0 - 1e-9}};
    problem.centres = {{300.0, 0.0, 0.0}};
    check_everywhere(problem, reference_placement(problem));
  }
}

TEST_CASE("placement: distances and charges that make no sense are refused") {
  CHECK_NOTHROW(validate(ExclusionOptions{}));
  CHECK_NOTHROW(validate({.ion_solute_A = 0.0, .ion_ion_A = 0.0}));
  for (const double bad : {-1.0, double(NAN), double(INFINITY)}) {
    CHECK_THROWS_WITH_AS(validate({.ion_solute_A = bad}), doctest::Contains("--ion-solute"), UsageError);
    CHECK_THROWS_WITH_AS(validate({.ion_ion_A = bad}), doctest::Contains("--ion-ion"), UsageError);
  }
  const auto field = filled_field(solute(pair_potential({}), {9, 9, 9}, 400));
  for (const double bad : {0.0, double(NAN), double(INFINITY)})
    CHECK_THROWS_AS(field->lowest_energy_point(bad), Error);
}
