// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "placement/place_ions.hpp"
#include "support/cases.hpp"
#include "support/placement_problem.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

/// Eight charges at the corners of a cube around the lattice's centre: no energy stands alone.
ReferenceProblem symmetric_solute(double corner_charge_e) {
  ReferenceProblem problem{
      {{-8, -8, -8}, {0.5, 0.5, 0.5}, {33, 33, 33}}, pair_potential({}), {}, {}, 2.0, 3.0, {}};
  for (const double x : {-1.5, 1.5})
    for (const double y : {-1.5, 1.5})
      for (const double z : {-1.5, 1.5}) problem.charges.push_back({{x, y, z}, corner_charge_e});
  problem.centres = centres_of(problem.charges);
  return problem;
}

}  // namespace

TEST_CASE("placement: the same points as looking at every point for every ion") {
  std::uint64_t seed = 200;
  for (const auto& [name, pair] : pairs())
    for (const Vec3<std::int64_t> counts :
         {Vec3<std::int64_t>{37, 41, 43}, {8, 16, 70}, {1, 60, 61}, {65, 9, 17}, {100, 1, 1}})
      for (const std::vector<double>& charges_e :
           {std::vector{2.0}, {-1.0}, {1.0, -1.0}, {2.0, -1.0, -1.0, 1.0, 3.0, -0.37}}) {
        CAPTURE(name);
        CAPTURE(counts.x);
        CAPTURE(counts.y);
        CAPTURE(charges_e.size());
        ReferenceProblem problem = solute(pair, counts, ++seed);
        problem.ion_charges_e = alternating(20, charges_e);
        const std::vector<ReferenceIon> reference = reference_placement(problem);
        CHECK(reference.size() > 3);
        CHECK(differences(placed(problem, *filled_field(problem)), reference) == 0);
      }
}

TEST_CASE("placement: instruction set and threads change nothing") {
  ReferenceProblem problem = solute(pair_potential({}), {70, 66, 65}, 300);  // more than one group of blocks
  problem.ion_charges_e = alternating(40, {2.0, 2.0, 2.0, -1.0});
  check_everywhere(problem, reference_placement(problem));
  problem = solute(pair_potential({.ionic_strength_M = 0.15}), {41, 38, 50}, 301);
  problem.ion_charges_e = alternating(40, {1.0, -1.0});
  check_everywhere(problem, reference_placement(problem));
}

TEST_CASE("placement: every case, where charges lie outside, on points and on each other") {
  for (const Case& c : cases()) {
    CAPTURE(c.name);
    ReferenceProblem problem{c.lattice, pair_potential({}), c.charges, centres_of(c.charges), 1.0, 2.0, {}};
    problem.ion_charges_e = alternating(12, {1.0, 1.0, -2.0});
    const std::vector<ReferenceIon> reference = reference_placement(problem);
    CHECK(!reference.empty());
    CHECK(differences(placed(problem, *filled_field(problem)), reference) == 0);
  }
}

TEST_CASE("placement: spacings that differ by axis") {
  for (std::uint64_t seed = 310; seed < 316; ++seed)
    for (const Vec3<double> spacing_A : {Vec3<double>{0.3, 0.5, 1.0}, {1.1, 0.6, 0.35}}) {
      CAPTURE(seed);
      ReferenceProblem problem = solute(pair_potential({}), {26, 33, 29}, seed);
      problem.lattice.spacing_A = spacing_A;
      problem.ion_ion_A = 2.0;
      problem.ion_charges_e = alternating(40, {2.0, -1.0});
      CHECK(differences(placed(problem, *filled_field(problem)), reference_placement(problem)) == 0);
    }
}

TEST_CASE("placement: points at exactly the distance from an ion stay, nearer ones go") {
  for (const double distance_A : {5.0, 2.5, 1.0, 0.5, 0.25, 0.0, 1.0000002, 1.0000005}) {
    CAPTURE(distance_A);
    // Pulled to one corner, ions come as near to each other as they may: 3-4-0 triangles of the lattice.
    ReferenceProblem problem{{{0, 0, 0}, {0.5, 0.5, 0.5}, {25, 25, 25}},
                             pair_potential({.dielectric = 80.0}),
                             {{{-3.0, -3.0, -3.0}, -500.0}},
                             {},
                             0.0,
                             distance_A,
                             alternating(30, {1.0})};
    const std::vector<ReferenceIon> reference = reference_placement(problem);
    const Placement placement = placed(problem, *filled_field(problem));
    CHECK(differences(placement, reference) == 0);
    if (distance_A < 0.5) continue;
    double nearest_A = 1e9;
    for (const PlacedIon& ion : placement.ions) nearest_A = std::min(nearest_A, ion.nearest_ion_A);
    // Squares are compared with 5e-7 to spare: coordinates have three decimals.
    CHECK(nearest_A == (distance_A == 1.0000005 ? std::sqrt(1.25) : std::floor(2.0 * distance_A) / 2.0));
  }
}

TEST_CASE("placement: ions that cannot leave each other room, and solutes that leave none") {
  ReferenceProblem problem = solute(pair_potential({}), {33, 29, 31}, 320);
  problem.ion_charges_e = alternating(5, {1.0, -1.0});
  problem.ion_ion_A = 1000.0;
  Placement placement = placed(problem, *filled_field(problem));
  CHECK(placement.ions.size() == 1);
  CHECK(placement.requested == 5);
  CHECK(differences(placement, reference_placement(problem)) == 0);

  problem.ion_ion_A = 7.5;  // room for a few
  problem.ion_charges_e = alternating(200, {1.0});
  const std::vector<ReferenceIon> reference = reference_placement(problem);
  CHECK(reference.size() > 2);
  CHECK(reference.size() < 100);
  CHECK(differences(placed(problem, *filled_field(problem)), reference) == 0);

  problem.ion_solute_A = 1000.0;
  placement = placed(problem, *filled_field(problem));
  CHECK(placement.ions.empty());
  CHECK(placement.requested == 200);
}

TEST_CASE("placement: of equal energies the lowest index wins") {
  for (const double corner_charge_e : {-1.0, 1.0}) {
    ReferenceProblem problem = symmetric_solute(corner_charge_e);
    problem.ion_charges_e = alternating(16, {-corner_charge_e, corner_charge_e});
    const std::vector<ReferenceIon> reference = reference_placement(problem);
    REQUIRE(reference.size() == 16);
    check_everywhere(problem, reference);
  }
  // No charge at all: every point is as good as any other.
  ReferenceProblem empty{
      {{0, 0, 0}, {0.5, 0.5, 0.5}, {9, 10, 11}}, pair_potential({}), {}, {}, 5.0, 2.0, {1.0}};
  CHECK(differences(placed(empty, *filled_field(empty)), {{0, 0.0}}) == 0);
}

TEST_CASE("placement: the order of the solute's atoms changes no position") {
  ReferenceProblem problem = solute(pair_potential({}), {45, 43, 39}, 370);
  problem.ion_charges_e = alternating(25, {1.0, 1.0, -1.0});
  const std::vector<ReferenceIon> reference = reference_placement(problem);
  Random random(371);
  for (int n = 0; n < 5; ++n) {
    for (std::size_t i = problem.charges.size() - 1; i > 0; --i)
      std::swap(problem.charges[i], problem.charges[std::size_t(random.below(std::int64_t(i) + 1))]);
    problem.centres = centres_of(problem.charges);
    CHECK(differences(placed(problem, *filled_field(problem)), reference) == 0);
  }
}

TEST_CASE("placement: what is reported about an ion is true") {
  ReferenceProblem problem = solute(pair_potential({}), {40, 40, 40}, 380);
  problem.ion_charges_e = alternating(8, {1.0, -1.0});
  const auto field = filled_field(problem);
  std::vector<std::size_t> seen;
  const auto see = [&](std::span<const PlacedIon> placed) { seen.push_back(placed.size()); };
  const Placement placement = place_ions(*field, structure_of(problem), requests_of(problem.ion_charges_e),
                                         {3.0, 4.0}, {.placed = see});
  CHECK(seen == std::vector<std::size_t>{1, 2, 3, 4, 5, 6, 7, 8});
  REQUIRE(placement.ions.size() == 8);
  std::vector<Vec3<double>> others;
  for (const PlacedIon& ion : placement.ions) {
    CHECK(ion.position_A == problem.lattice.position_A(ion.lattice_index));
    double nearest_atom_A = 1e9, nearest_ion_A = 1e9;
    std::size_t nearest = 0;
    for (std::size_t a = 0; a < problem.centres.size(); ++a)
      if (const double d = std::sqrt(distance_squared(ion.position_A, problem.centres[a]));
          d < nearest_atom_A) {
        nearest_atom_A = d;
        nearest = a;
      }
    for (const PlacedIon& other : placement.ions)
      if (&other != &ion)
        nearest_ion_A =
            std::min(nearest_ion_A, std::sqrt(distance_squared(ion.position_A, other.position_A)));
    CHECK(ion.nearest_atom == nearest);
    CHECK(ion.nearest_solute_A == doctest::Approx(nearest_atom_A).epsilon(1e-12));
    CHECK(ion.nearest_solute_A > 3.0);
    CHECK(ion.nearest_ion_A == doctest::Approx(nearest_ion_A).epsilon(1e-12));
    CHECK(ion.nearest_ion_A >= 4.0);
  }
}

TEST_CASE("placement: the nearest atom and ion, at any distance") {
  Random random(77);
  const Box solute{{0, 0, 0}, {90, 90, 90}}, around{{-40, -40, -40}, {130, 130, 130}};
  std::vector<Atom> atoms(200);  // some 15 A from one to the next
  for (Atom& atom : atoms) atom.position_A = random.position_A(solute);
  Placement placement;
  placement.ions.resize(300);
  for (PlacedIon& ion : placement.ions) ion.position_A = random.position_A(around);
  find_neighbours(placement, atoms);
  for (const PlacedIon& ion : placement.ions) {
    double nearest_A2 = 1e9;
    std::size_t nearest = 0;
    for (std::size_t a = 0; a < atoms.size(); ++a)
      if (const double d2 = distance_squared(atoms[a].position_A, ion.position_A); d2 < nearest_A2) {
        nearest_A2 = d2;
        nearest = a;
      }
    CHECK(ion.nearest_atom == nearest);
    CHECK(ion.nearest_solute_A == doctest::Approx(std::sqrt(nearest_A2)).epsilon(1e-12));
  }
}

TEST_CASE("placement: neighbours of many ions, of one and of none") {
  Random random(78);
  const std::vector<Atom> atoms(1);
  Placement placement;
  find_neighbours(placement, atoms);
  placement.ions.resize(1);
  placement.ions[0].position_A = {1000.0, 0.0, 0.0};
  find_neighbours(placement, atoms);
  CHECK(placement.ions[0].nearest_solute_A == 1000.0);
  CHECK(placement.ions[0].nearest_ion_A == std::numeric_limits<double>::infinity());
  // Pair by pair these would be 4e10 distances: minutes.
  placement.ions.resize(200'000);
  const Box box{{0, 0, 0}, {600, 600, 600}};
  for (PlacedIon& ion : placement.ions) ion.position_A = random.position_A(box);
  find_neighbours(placement, atoms);
  for (std::size_t n = 0; n < placement.ions.size(); n += 20'000) {
    double nearest_A2 = 1e9;
    for (std::size_t m = 0; m < placement.ions.size(); ++m)
      if (m != n)
        nearest_A2 = std::min(nearest_A2,
                              distance_squared(placement.ions[m].position_A, placement.ions[n].position_A));
    CHECK(placement.ions[n].nearest_ion_A == std::sqrt(nearest_A2));
  }
}

TEST_CASE("placement: the statistics add up, and most blocks are left alone") {
  ReferenceProblem problem = solute(pair_potential({}), {90, 90, 90}, 390);
  problem.ion_charges_e = alternating(12, {1.0});
  const auto field = filled_field(problem);
  const Placement placement = placed(problem, *field);
  const FieldStatistics s = field->statistics();
  const std::vector<bool> excluded =
      excluded_by_solute(problem.lattice, problem.centres, problem.ion_solute_A);
  CHECK(s.available_points == std::count(excluded.begin(), excluded.end(), false));
  CHECK(s.blocks > 0);
  CHECK(s.blocks <= 12 * 12 * 12);
  CHECK(placement.ions.size() == 12);
  CHECK(s.candidates >= 12);
  CHECK(s.exact_sums <= s.candidates);
  CHECK(s.exact_sums > 0);
  CHECK(s.blocks_updated > 0);
  CHECK(s.blocks_updated < 12 * s.blocks / 10);
}
