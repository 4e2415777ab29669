// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <random>

#include "placement/host_field.hpp"
#include "support/backends.hpp"
#include "support/reference.hpp"

namespace ionwell::test {
namespace {

/// A small solute in the corner of a large lattice: screened, its potential dies away over most of the
/// points.
ReferenceProblem screened_problem() {
  ReferenceProblem problem;
  problem.lattice = lattice_in_box({{0.0, 0.0, 0.0}, {60.0, 28.0, 28.0}}, 1.0);
  problem.pair = pair_potential({.ionic_strength_M = 0.5});
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> position(2.0, 12.0), charge(-0.8, 0.8);
  for (int i = 0; i < 60; ++i) {
    const PointCharge atom{{position(random), position(random), position(random)}, charge(random)};
    problem.charges.push_back(atom);
    problem.centres.push_back(atom.position_A);
  }
  problem.ion_ion_A = 6.0;
  // More cations than the solute has use for: the later ones have nowhere to go but away.
  problem.ion_charges_e.assign(40, 1.0);
  return problem;
}

}  // namespace

TEST_CASE("flat potential: multilevel placement stays exact, and the work per ion bounded") {
  const ReferenceProblem problem = screened_problem();
  const std::vector<ReferenceIon> expected = reference_placement(problem);
  auto masked = make_lattice(problem.lattice, problem.pair, {.threads = 2});
  masked->exclude(problem.centres, problem.ion_solute_A);
  const auto field = fill(std::move(masked), MultilevelSum{problem.charges, {}}, {});
  std::size_t placed = 0;
  for (const double charge_e : problem.ion_charges_e) {
    const std::optional<LowestPoint> point = field->lowest_energy_point(charge_e);
    REQUIRE(point.has_value() == (placed < expected.size()));
    if (!point) break;
    CAPTURE(placed);
    CHECK(point->index == expected[placed].index);
    CHECK(charge_e * point->potential_kT_e == doctest::Approx(expected[placed].energy_kT).epsilon(1e-9));
    field->add_ion({problem.lattice.position_A(point->index), charge_e}, problem.ion_ion_A);
    ++placed;
  }
  CHECK(placed == expected.size());
  const FieldStatistics statistics = field->statistics();
  CHECK(statistics.measured_error_kT_e > 0.0);
  // Without summing near-degenerate blocks directly it is hundreds of candidates for each ion (560,
  // measured).
  CHECK(statistics.candidates < std::int64_t(100 * placed));
}

}  // namespace ionwell::test
