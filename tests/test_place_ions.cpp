#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "core/error.hpp"
#include "placement/place_ions.hpp"
#include "potential/cpu_field.hpp"
#include "support/cases.hpp"
#include "support/reference.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

Structure structure_of(const ReferenceProblem& problem) {
  Structure structure;
  for (const Vec3<double>& centre : problem.centres) structure.atoms.push_back({.position_A = centre});
  return structure;
}

std::unique_ptr<PotentialField> filled_field(const ReferenceProblem& problem,
                                             const FieldOptions& options = {}) {
  auto field = make_cpu_field(problem.lattice, problem.pair, options);
  field->exclude(problem.centres, problem.ion_solute_A);
  field->add_direct(problem.charges, {});
  return field;
}

/// Consecutive ions of one charge make one request.
std::vector<IonRequest> requests_of(const std::vector<double>& charges_e) {
  std::vector<IonRequest> requests;
  for (const double charge_e : charges_e) {
    if (requests.empty() || requests.back().species.charge_e != charge_e)
      requests.push_back({{"ION", "", charge_e}, 0});
    ++requests.back().count;
  }
  return requests;
}

Placement placed(const ReferenceProblem& problem, PotentialField& field) {
  const ExclusionOptions distances{problem.ion_solute_A, problem.ion_ion_A};
  return place_ions(field, structure_of(problem), requests_of(problem.ion_charges_e), distances, {});
}

/// Ions that differ from the reference in point or energy, and missing or surplus ones.
std::int64_t differences(const Placement& placement, const std::vector<ReferenceIon>& reference) {
  std::int64_t wrong = std::abs(std::int64_t(placement.ions.size()) - std::int64_t(reference.size()));
  for (std::size_t i = 0; i < std::min(placement.ions.size(), reference.size()); ++i) {
    const PlacedIon& ion = placement.ions[i];
    const bool same_energy =
        std::abs(ion.energy_kT - reference[i].energy_kT) <= 1e-10 * std::abs(reference[i].energy_kT) + 1e-10;
    wrong += ion.lattice_index != reference[i].index || !same_energy;
  }
  return wrong;
}

/// On every instruction set, with 1, 2 and 3 threads.
void check_everywhere(const ReferenceProblem& problem, const std::vector<ReferenceIon>& reference) {
  for (const SimdLevel level : simd_levels())
    for (const int threads : {1, 2, 3}) {
      CAPTURE(std::string(to_string(level)));
      CAPTURE(threads);
      const auto field = filled_field(problem, {.threads = threads, .simd = level});
      CHECK(differences(placed(problem, *field), reference) == 0);
    }
}

std::vector<double> alternating(int count, const std::vector<double>& charges_e) {
  std::vector<double> result;
  for (int n = 0; n < count; ++n) result.push_back(charges_e[std::size_t(n) % charges_e.size()]);
  return result;
}

/// Charges in the middle of a lattice that has room around them.
ReferenceProblem solute(const PairPotential& pair, Vec3<std::int64_t> counts, std::uint64_t seed) {
  Random random(seed);
  const Vec3<double> origin_A = random.position_A({{-90, -90, -90}, {90, 90, 90}});
  ReferenceProblem problem{{origin_A, {0.5, 0.5, 0.5}, counts}, pair, {}, {}, 3.0, 4.0, {}};
  const Box box = box_of(problem.lattice);
  const Vec3<double> quarter = 0.25 * (box.highest_A - box.lowest_A);
  problem.charges = random_charges(random, {box.lowest_A + quarter, box.highest_A - quarter}, 40);
  problem.centres = centres_of(problem.charges);
  return problem;
}

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
  ReferenceProblem problem = solute(pair_potential({}), {40, 30, 25}, 310);
  problem.lattice.spacing_A = {0.4, 0.55, 0.7};
  problem.ion_charges_e = alternating(20, {2.0, -1.0});
  CHECK(differences(placed(problem, *filled_field(problem)), reference_placement(problem)) == 0);
}

TEST_CASE("placement: points at exactly the distance from an ion stay, nearer ones go") {
  for (const double distance_A : {5.0, 2.5, 1.0, 0.5, 0.25, 0.0}) {
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
    CHECK(nearest_A == distance_A);
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
      const std::optional<Site> site = field->lowest_energy_point(charge_e);
      REQUIRE(site);
      CHECK(site->index == reference[i].index);
      charges.push_back({problem.lattice.position_A(site->index), charge_e});
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

TEST_CASE("placement: charges, exclusions and ions without charge may come between ions") {
  ReferenceProblem problem = solute(pair_potential({}), {40, 33, 35}, 350);
  problem.ion_ion_A = 0.0;
  const auto field = filled_field(problem);
  Random random(351);
  for (int n = 0; n < 12; ++n) {
    CAPTURE(n);
    problem.ion_charges_e = {2.0};
    const ReferenceIon expected = reference_placement(problem)[0];
    const std::optional<Site> site = field->lowest_energy_point(2.0);
    REQUIRE(site);
    CHECK(site->index == expected.index);
    CHECK(2.0 * site->potential_kT_e == doctest::Approx(expected.energy_kT).epsilon(1e-10));
    const Vec3<double> at = problem.lattice.position_A(expected.index);
    const Vec3<double> somewhere = random.position_A(box_of(problem.lattice));
    problem.centres.push_back(at);
    switch (n % 3) {
      case 0:  // only takes room
        field->add_ion({at, 0.0}, 3.01);
        problem.ion_solute_A = 3.0;
        break;
      case 1:
        field->exclude(std::vector{at}, 3.0);
        break;
      case 2:
        field->exclude(std::vector{at}, 3.0);
        field->add_direct(std::vector<PointCharge>{{somewhere, -2.0}}, {});
        problem.charges.push_back({somewhere, -2.0});
        break;
    }
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
      const std::optional<Site> site = field->lowest_energy_point(charge_e);
      REQUIRE(site);
      CHECK(site->index == std::int64_t(best));
      CHECK(site->potential_kT_e == double(values[best]));
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

TEST_CASE("placement: refinement decides right beside a charge, too") {
  ReferenceProblem problem{
      {{-10, -4, -4}, {0.5, 0.5, 0.5}, {41, 17, 17}}, pair_potential({}), {}, {}, 0.0, 2.0, {1.0, 1.0}};
  for (const double offset_A : {0.001, 0.002, 0.003, 0.005}) {
    CAPTURE(offset_A);
    problem.charges = {{{-6.0 + offset_A, 0.0, 0.0}, -1.0}, {{6.5 + offset_A, 1.0, 1.0}, -1.0 - 1e-7}};
    problem.centres = centres_of(problem.charges);
    check_everywhere(problem, reference_placement(problem));
  }
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
  std::vector<std::int64_t> seen;
  const Placement placement = place_ions(*field, structure_of(problem), requests_of(problem.ion_charges_e),
                                         {3.0, 4.0}, [&](std::int64_t done) { seen.push_back(done); });
  CHECK(seen == std::vector<std::int64_t>{1, 2, 3, 4, 5, 6, 7, 8});
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
