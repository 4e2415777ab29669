// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "jobs/place/run.hpp"
#include "solvation/hydration/hydrate.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

constexpr double room_kT_A = 560.46;  // a unit charge at 1 A in vacuum, 298.15 K

double distance(const Vec3<double>& a, const Vec3<double>& b) {
  return std::sqrt(distance_squared(a, b));
}

Atom atom(const char* name, const char* element, Vec3<double> at_A, double charge_e) {
  return {.position_A = at_A, .charge_e = charge_e, .name = name, .residue = "U", .element = element};
}

PlacedIon magnesium(Vec3<double> at_A) {
  return {.species = {"MG", "MG", 2.0}, .position_A = at_A};
}

HydrationOptions options_for(const std::vector<std::string>& requests) {
  HydrationOptions options;
  for (const std::string& request : requests) options.requests.push_back(parse_hydration_request(request));
  return options;
}

/// Cosines between all pairs of directions, sorted.
std::vector<double> cosines(const std::vector<Vec3<double>>& directions) {
  std::vector<double> all;
  for (std::size_t i = 0; i < directions.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      all.push_back(dot(directions[i], directions[j]) /
                    std::sqrt(dot(directions[i], directions[i]) * dot(directions[j], directions[j])));
  std::sort(all.begin(), all.end());
  return all;
}

double repulsion(const std::vector<Vec3<double>>& points) {
  double sum = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) sum += 1.0 / distance(points[i], points[j]);
  return sum;
}

/// A site beside a phosphate: two acceptors, the phosphorus and a hydrogen, at the distances of an outer
/// sphere.
std::vector<Atom> phosphate() {
  return {atom("OP1", "O", {4.1, 0.3, 0.2}, -0.78), atom("OP2", "O", {3.2, 2.4, 0.6}, -0.78),
          atom("P", "P", {4.3, 1.7, 0.7}, 1.17), atom("H5'", "H", {-1.0, 3.9, 1.5}, 0.1)};
}

/// Energy of one water by plain sums, as ShellEnergy describes it, for the atoms above.
double plain_energy_kT(const ShellWater& water, const std::vector<Atom>& atoms) {
  const double charges_e[] = {-0.834, 0.417, 0.417};
  double energy = 0.0;
  for (std::size_t s = 0; s < 3; ++s) {
    double bond = 0.0;
    for (const Atom& a : atoms) {
      const double d = distance(water[s], a.position_A);
      if (d >= 6.0) continue;
      const bool is_oxygen = a.element.view() == "O", is_hydrogen = a.element.view() == "H";
      energy += charges_e[s] * a.charge_e * room_kT_A / 4.0 * (1.0 / (d * d) - 1.0 / 36.0);
      const double radius = is_oxygen ? 1.5 : (is_hydrogen ? 1.2 : 1.85);
      const double wall = s == 0 ? (is_hydrogen ? 0.6 : 0.8) * (radius + 1.52) + 0.3
                                 : (is_oxygen ? 1.8 : (is_hydrogen ? 1.7 : 2.0));
      if (d < wall) energy += (s == 0 ? 40.0 : 100.0) * (wall - d) * (wall - d);
      if (s == 0 || !is_oxygen || d >= 2.6) continue;
      const Vec3<double> out = water[s] - water[0], on = a.position_A - water[s];
      const double cosine = dot(out, on) / std::sqrt(dot(out, out) * dot(on, on));
      if (cosine > 0.0) bond = std::max(bond, std::min(1.0, (2.6 - d) / 0.8) * cosine * cosine);
    }
    energy -= 4.0 * bond;
  }
  return energy;
}

}  // namespace

TEST_CASE("hydration: neighbours that repel each other least are the known polyhedra") {
  CHECK(cosines(least_repulsion(2)).front() == doctest::Approx(-1.0));
  for (const double c : cosines(least_repulsion(3))) CHECK(c == doctest::Approx(-0.5).epsilon(1e-7));
  for (const double c : cosines(least_repulsion(4))) CHECK(c == doctest::Approx(-1.0 / 3.0).epsilon(1e-7));
  const std::vector<double> octahedron = cosines(least_repulsion(6));
  CHECK(std::count_if(octahedron.begin(), octahedron.end(), [](double c) { return c == -1.0; }) == 3);
  CHECK(std::count_if(octahedron.begin(), octahedron.end(), [](double c) { return c == 0.0; }) == 12);
  // The least sums of 1/r are known to all digits (the Thomson problem).
  const double least[] = {0.0,         0.5,          1.732050808,  3.674234614, 6.474691495,
                          9.985281374, 14.452977414, 19.675287861, 25.759986531};
  for (int n = 1; n <= most_coordinated; ++n) {
    const std::vector<Vec3<double>> points = least_repulsion(n);
    CAPTURE(n);
    CHECK(points.size() == std::size_t(n));
    for (const Vec3<double>& p : points) CHECK(dot(p, p) == doctest::Approx(1.0).epsilon(1e-12));
    CHECK(repulsion(points) == doctest::Approx(least[n - 1]).epsilon(1e-9));
  }
}

TEST_CASE("hydration: Mg2+ has six waters at 2.07 A, at right angles, of the model's geometry") {
  for (const char* const name : {"tip3p", "spce"}) {
    HydrationOptions options = options_for({"MG:6"});
    options.water = name;
    const std::vector<PlacedIon> ions = {magnesium({1.0, 2.0, 3.0})};
    const Hydration hydration = hydrate(phosphate(), ions, options);
    REQUIRE(hydration.shells.size() == 1);
    const IonShell& shell = hydration.shells[0];
    REQUIRE(shell.waters.size() + std::size_t(shell.left_out) == 6);
    std::vector<Vec3<double>> axes;
    const WaterModel& model = water_model(name);
    for (const ShellWater& water : shell.waters) {
      axes.push_back(water[0] - ions[0].position_A);
      CHECK(distance(water[0], ions[0].position_A) == doctest::Approx(2.07).epsilon(1e-9));
      CHECK(distance(water[0], water[1]) == doctest::Approx(model.oh_A).epsilon(1e-9));
      CHECK(distance(water[0], water[2]) == doctest::Approx(model.oh_A).epsilon(1e-9));
      const Vec3<double> a = water[1] - water[0], b = water[2] - water[0];
      const double angle = std::acos(dot(a, b) / (model.oh_A * model.oh_A)) * 180.0 / std::numbers::pi;
      CHECK(angle == doctest::Approx(model.hoh_deg).epsilon(1e-9));
      CHECK(dot(a + b, axes.back()) > 0.0);  // hydrogens away from the ion
    }
    for (const double c : cosines(axes)) CHECK(std::min(std::abs(c), std::abs(c + 1.0)) < 1e-9);
  }
}

TEST_CASE("hydration: the orientation is lower than all of a grid, and its energy that of plain sums") {
  const std::vector<Atom> solute = phosphate();
  const std::vector<PlacedIon> ions = {magnesium({0, 0, 0})};
  const HydrationOptions options = options_for({"MG"});
  const Hydration hydration = hydrate(solute, ions, options);
  const IonShell& shell = hydration.shells[0];
  REQUIRE(shell.waters.size() == 6);
  double plain_kT = 0.0;
  for (const ShellWater& water : shell.waters) plain_kT += plain_energy_kT(water, solute);
  CHECK(shell.energy_kT == doctest::Approx(plain_kT).epsilon(1e-4));  // five digits of the constant
  CHECK(shell.energy_kT < -5.0);                                      // it binds

  // Each water by itself can have its best spin, of 64, for any orientation of the shell.
  const std::vector<Vec3<double>> corners = least_repulsion(6);
  double grid_kT = 1e300;
  constexpr int orientations = 300, spins = 64;
  const double half_rad = 0.5 * 104.52 * std::numbers::pi / 180.0;
  for (int n = 0; n < orientations; ++n) {
    const Rotation rotation = rotation_of(spread_rotation(n, orientations));
    double sum_kT = 0.0;
    for (const Vec3<double>& corner : corners) {
      const Vec3<double> axis = rotation(corner);
      Vec3<double> u = std::abs(axis.x) < 0.7 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 0, 1};
      u = u - dot(u, axis) * axis;
      u = (1.0 / std::sqrt(dot(u, u))) * u;
      const Vec3<double> v = {axis.y * u.z - axis.z * u.y, axis.z * u.x - axis.x * u.z,
                              axis.x * u.y - axis.y * u.x};
      double best_kT = 1e300;
      for (int s = 0; s < spins; ++s) {
        const double a = std::numbers::pi * s / spins;
        const Vec3<double> across = std::cos(a) * u + std::sin(a) * v, oxygen = 2.07 * axis;
        const Vec3<double> out = oxygen + 0.9572 * std::cos(half_rad) * axis;
        const Vec3<double> side = 0.9572 * std::sin(half_rad) * across;
        best_kT = std::min(best_kT, plain_energy_kT({oxygen, out + side, out - side}, solute));
      }
      sum_kT += best_kT;
    }
    grid_kT = std::min(grid_kT, sum_kT);
  }
  CHECK(grid_kT < 0.0);
  CHECK(shell.energy_kT <= grid_kT + 1e-3);
  // A hydrogen bond to the nearer oxygens was found.
  double nearest_A = 9.0;
  for (const ShellWater& water : shell.waters)
    for (const std::size_t h : {1U, 2U})
      nearest_A = std::min(
          {nearest_A, distance(water[h], solute[0].position_A), distance(water[h], solute[1].position_A)});
  CHECK(nearest_A < 2.2);
}

TEST_CASE("hydration: acceptors that bind the ion are in the places of waters") {
  const std::vector<Atom> solute = {
      atom("OP1", "O", {2.1, 0.0, 0.0}, -0.78), atom("P", "P", {3.5, 0.3, 0.0}, 1.17),
      atom("N7", "N", {0.0, 2.5, 0.1}, -0.6), atom("C1", "C", {0.0, 3.6, 0.6}, 0.2),
      atom("OP2", "O", {0.1, 0.0, -2.7}, -0.78)};  // farther than 2.6 A
  const std::vector<PlacedIon> ions = {magnesium({0, 0, 0})};
  const IonShell shell = hydrate(solute, ions, options_for({"MG"})).shells[0];
  CHECK(shell.acceptors == std::vector<std::size_t>{0, 2});
  CHECK(shell.waters.size() + std::size_t(shell.left_out) == 4);
  REQUIRE(shell.waters.size() == 3);  // OP2 is where the fourth would be, and binds too far away
  for (const ShellWater& water : shell.waters)
    for (const std::size_t a : shell.acceptors) CHECK(distance(water[0], solute[a].position_A) > 2.4);

  std::vector<Atom> crowd;
  for (const Vec3<double>& direction : least_repulsion(9))
    crowd.push_back(atom("O", "O", 2.2 * direction, -0.5));
  const IonShell full = hydrate(crowd, ions, options_for({"MG"})).shells[0];
  CHECK(full.acceptors.size() == 6);
  CHECK(full.waters.empty());
  CHECK(full.left_out == 0);
}

TEST_CASE("hydration: shells near each other do not clash, whatever the threads") {
  std::vector<PlacedIon> ions;
  for (int n = 0; n < 8; ++n) ions.push_back(magnesium({5.0 * (n % 2), 5.0 * (n / 2 % 2), 5.2 * (n / 4)}));
  ions.push_back({.species = {"NA", "NA", 1.0}, .position_A = {2.5, 2.5, 2.6}});
  const std::vector<Atom> solute = {atom("OP1", "O", {-4.1, 0.0, 0.0}, -0.78)};
  const Hydration alone = hydrate(solute, ions, options_for({"MG"}), {.threads = 1});
  const Hydration together = hydrate(solute, ions, options_for({"MG"}), {.threads = 3});
  REQUIRE(alone.shells.size() == 8);
  CHECK(alone.waters() + alone.left_out() == 48);
  CHECK(alone.waters() >= 30);
  std::vector<ShellWater> before;
  for (std::size_t s = 0; s < 8; ++s) {
    CHECK(alone.shells[s].waters == together.shells[s].waters);
    for (const ShellWater& water : alone.shells[s].waters) {
      for (const ShellWater& other : before) CHECK(distance(water[0], other[0]) >= 0.8 * (1.5 + 1.52) - 1e-9);
      for (const PlacedIon& ion : ions) CHECK(distance(water[0], ion.position_A) >= 1.9);
    }
    before.insert(before.end(), alone.shells[s].waters.begin(), alone.shells[s].waters.end());
  }
}

TEST_CASE("hydration: a run has the shells of the ions that are named") {
  Structure structure{.path = "two", .atoms = phosphate()};
  const Job job{.structure = structure,
                .ions = {{{"Mg2+", "MG", 2.0}, 2}, {{"NA", "NA", 1.0}, 1}},
                .lattice = {.spacing_A = 1.0},
                .backend = {.backend = Backend::cpu},
                .hydration = options_for({"MG"})};
  const Result result = run(job);
  REQUIRE(result.hydration.has_value());
  REQUIRE(result.hydration->shells.size() == 2);
  CHECK(result.hydration->shells[1].ion == 1);
  CHECK(result.hydration->waters() == 12);
  const auto refused = [&](const std::vector<std::string>& requests) {
    Job other = job;
    other.hydration = options_for(requests);
    return error_of([&] { run(other); });
  };
  CHECK(refused({"ZN"}) == "--hydrate ZN: this ion is not placed; name one of --ion, or add it");
  CHECK(refused({"MG", "MG:5"}) == "--hydrate MG is given twice; give it once");
}

TEST_CASE("hydration: requests name an ion whose shell is known, and a number that fits") {
  CHECK(parse_hydration_request("CA").neighbours == 7);
  CHECK(parse_hydration_request("K").ion->element == "K");
  CHECK(parse_hydration_request("Mg2+:4").neighbours == 4);
  CHECK(error_of([] { parse_hydration_request("CL:6"); }) ==
        "--hydrate CL:6: the shell of CL is not known; ions that can be hydrated are MG, CA, ZN, NA, K");
  for (const char* const text : {"MG:0", "MG:10", "MG:", "MG:six"})
    CHECK(error_of([&] { parse_hydration_request(text); }).find("the number of neighbours must be 1 to 9") !=
          std::string::npos);
  const std::vector<PlacedIon> ions = {magnesium({0, 0, 0})};
  HydrationOptions options = options_for({"MG"});
  options.water = "tip4pew";
  CHECK(error_of([&] { hydrate(phosphate(), ions, options); }).find("has 4 sites") != std::string::npos);
}

TEST_CASE("hydration: shells meet atoms, ions and shells through the faces of a cell") {
  const CellVectors vectors{{30, 0, 0}, {4, 28, 0}, {-3, 5, 26}};
  const PeriodicCell cell(vectors);
  const Vec3<double> shift_A = vectors.a + vectors.b;
  // Without a cell: the solute's atoms are beside the first ion, and the second ion is near, too.
  std::vector<Atom> near = phosphate();
  const std::vector<PlacedIon> together = {magnesium({0, 0, 0}), magnesium({-5.5, -2.0, 1.0})};
  const Hydration expected = hydrate(near, together, options_for({"MG"}));
  // In the cell all that is near to the first ion lies at the opposite faces.
  std::vector<Atom> far = near;
  for (Atom& atom : far) atom.position_A = atom.position_A - shift_A;
  std::vector<PlacedIon> apart = together;
  apart[1].position_A = apart[1].position_A + vectors.c;
  const auto farthest = [&](const Hydration& hydration) {
    double most_A = 0.0;
    for (std::size_t s = 0; s < 2; ++s) {
      REQUIRE(hydration.shells[s].waters.size() == expected.shells[s].waters.size());
      for (std::size_t w = 0; w < hydration.shells[s].waters.size(); ++w)
        most_A = std::max(most_A, distance(hydration.shells[s].waters[w][0] - apart[s].position_A,
                                           expected.shells[s].waters[w][0] - together[s].position_A));
    }
    return most_A;
  };
  CHECK(farthest(hydrate(far, apart, options_for({"MG"}), {.cell = &cell})) < 1e-4);
  CHECK(farthest(hydrate(far, apart, options_for({"MG"}))) > 0.1);  // nothing is seen there
}

TEST_CASE("hydration: an acceptor on the other side of a face binds the ion, and is named") {
  const PeriodicCell cell(CellVectors{{24, 0, 0}, {0, 24, 0}, {0, 0, 24}});
  const std::vector<Atom> solute = {atom("P", "P", {12, 12, 12}, 1.0), atom("OP1", "O", {23.2, 5, 5}, -0.8)};
  const std::vector<PlacedIon> ions = {magnesium({1.3, 5, 5})};
  const IonShell shell = hydrate(solute, ions, options_for({"MG"}), {.cell = &cell}).shells[0];
  CHECK(shell.acceptors == std::vector<std::size_t>{1});
  CHECK(shell.waters.size() == 5);
  CHECK(hydrate(solute, ions, options_for({"MG"})).shells[0].waters.size() == 6);
}
