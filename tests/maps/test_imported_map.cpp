// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/lattice_extents.hpp"
#include "maps/map_interpolation.hpp"
#include "support/backends.hpp"
#include "support/cases.hpp"
#include "support/error_of.hpp"
#include "support/placement_problem.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();

/// A placement in a map: the values stand for the solute, the pair potential is that of the ions alone.
struct MapProblem {
  ReferenceProblem problem;
  std::vector<double> values;
};

/// Wells and noise, on a lattice with three spacings; `close` makes points differ by less than fp32 can tell.
MapProblem map_problem(const PairPotential& pair, double close) {
  MapProblem map{solute(pair, {37, 26, 43}, 11), {}};
  map.problem.lattice.spacing_A = {0.7, 0.9, 0.55};
  map.problem.ion_solute_A = 2.0;
  map.problem.ion_charges_e = alternating(40, {1.0, 1.0, 2.0, -1.0});
  Random random(5);
  const Box box = box_of(map.problem.lattice);
  std::vector<Vec3<double>> wells;
  for (int n = 0; n < 6; ++n) wells.push_back(random.position_A(box));
  for (std::int64_t p = 0; p < map.problem.lattice.size(); ++p) {
    double v = close * random.between(-1.0, 1.0);
    for (const Vec3<double>& well : wells)
      v -= 12.0 / (1.0 + 0.05 * distance_squared(well, map.problem.lattice.position_A(p)));
    map.values.push_back(close == 0.0 ? 1e-3 * std::round(v * 1e3) : v);
  }
  return map;
}

/// Every point for every ion, in fp64.
std::vector<ReferenceIon> plain_placement(const MapProblem& map) {
  const LatticeGeometry& lattice = map.problem.lattice;
  std::vector<bool> excluded = excluded_by_solute(lattice, map.problem.centres, map.problem.ion_solute_A);
  std::vector<double> potential = map.values;
  std::vector<ReferenceIon> ions;
  for (const double charge_e : map.problem.ion_charges_e) {
    std::int64_t best = -1;
    double lowest = std::numeric_limits<double>::infinity();
    for (std::int64_t p = 0; p < lattice.size(); ++p) {
      const std::size_t n = std::size_t(p);
      if (excluded[n] || std::isnan(potential[n])) continue;
      if (charge_e * potential[n] < lowest - 1e-11 * std::abs(lowest) || best < 0) {
        lowest = charge_e * potential[n];
        best = p;
      }
    }
    if (best < 0) return ions;
    ions.push_back({best, lowest});
    const Vec3<double> at = lattice.position_A(best);
    for (std::int64_t p = 0; p < lattice.size(); ++p)
      potential[std::size_t(p)] +=
          charge_e * reference_pair(map.problem.pair, std::sqrt(distance_squared(lattice.position_A(p), at)));
    exclude_around_ion(lattice, at, map.problem.ion_ion_A, excluded);
  }
  return ions;
}

void check_map(const MapProblem& map) {
  const std::vector<ReferenceIon> reference = plain_placement(map);
  CHECK(reference.size() > 5);
  const std::vector<SimdLevel> levels = testing_gpu() ? std::vector{SimdLevel::automatic} : simd_levels();
  for (const SimdLevel level : levels)
    for (const bool every_point : {false, true}) {
      CAPTURE(std::string(to_string(level)));
      CAPTURE(every_point);
      auto masked = make_lattice(map.problem.lattice, map.problem.pair,
                                 {.every_point = every_point, .threads = 3, .simd = level});
      masked->exclude(map.problem.centres, map.problem.ion_solute_A);
      const auto field = fill(std::move(masked), ImportedMap{map.values}, {});
      CHECK(differences(placed(map.problem, *field), reference) == 0);
    }
}

double cubic_polynomial(const Vec3<double>& p) {
  return 1.0 + p.x - 2.0 * p.y + 0.5 * p.z + 0.3 * p.x * p.x - 0.2 * p.y * p.y + 0.1 * p.z * p.z +
         0.4 * p.x * p.y * p.z;
}

double bilinear(const Vec3<double>& p) {
  return 3.0 - p.x + 2.0 * p.y - 0.25 * p.z + 0.5 * p.x * p.y - 0.125 * p.x * p.y * p.z;
}

template <typename Function>
std::vector<double> values_of(const LatticeGeometry& lattice, const Function& f) {
  std::vector<double> values;
  for (std::int64_t p = 0; p < lattice.size(); ++p) values.push_back(f(lattice.position_A(p)));
  return values;
}

}  // namespace

TEST_CASE("imported map: ions go where the plain search puts them, whatever they act by") {
  std::vector<NamedPair> all = pairs();
  all.push_back({"none", {PairPotential::Kind::coulomb, 0.0, 0.0}});
  for (const NamedPair& named : all) {
    CAPTURE(named.name);
    check_map(map_problem(named.pair, 1.0));
    check_map(map_problem(named.pair, 1e-9));  // only the fp64 values tell the points apart
    check_map(map_problem(named.pair, 0.0));   // and here nothing does: the lowest index wins
  }
}

TEST_CASE("imported map: no ion goes where the map does not reach") {
  MapProblem map = map_problem(pairs().front().pair, 1.0);
  std::int64_t n = 0;
  for (double& value : map.values)
    if (map.problem.lattice.point(n++).x > 12) value = nowhere;
  check_map(map);
  for (double& value : map.values) value = nowhere;
  auto masked = make_lattice(map.problem.lattice, map.problem.pair, {});
  const auto field = fill(std::move(masked), ImportedMap{map.values}, {});
  CHECK(!field->lowest_energy_point(1.0));
  map.values.pop_back();
  masked = make_lattice(map.problem.lattice, map.problem.pair, {});
  CHECK(error_of([&] { fill(std::move(masked), ImportedMap{map.values}, {}); }) ==
        "a lattice of 41366 points needs as many values, not 41365");
}

TEST_CASE("imported map: the field gives back the map, with the ions") {
  const MapProblem map = map_problem({PairPotential::Kind::coulomb, 7.0, 0.0}, 1.0);
  auto masked = make_lattice(map.problem.lattice, map.problem.pair, {.every_point = true});
  const auto field = fill(std::move(masked), ImportedMap{map.values}, {});
  const std::vector<float> before = field->values();
  const Vec3<double> ion = map.problem.lattice.position_A(5, 6, 7);
  field->add_ion({ion, 2.0}, 4.0);
  const std::vector<float> after = field->values();
  for (std::size_t p = 0; p < before.size(); ++p) {
    REQUIRE(before[p] == float(map.values[p]));
    const double r = std::sqrt(distance_squared(map.problem.lattice.position_A(std::int64_t(p)), ion));
    if (r > 0.1) REQUIRE(double(after[p]) == doctest::Approx(map.values[p] + 14.0 / r).epsilon(1e-5));
  }
}

TEST_CASE("interpolation: exact at the map's points, and for what the method is exact for") {
  const LatticeGeometry lattice{{-3.3, 4.4, 0.1}, {0.5, 0.75, 1.0 / 3.0}, {7, 6, 9}};
  const Box box = extents(lattice);
  Random random(3);
  const std::vector<double> noise =
      values_of(lattice, [&](const Vec3<double>&) { return random.between(-9, 9); });
  const std::vector<double> linear = values_of(lattice, bilinear),
                            curved = values_of(lattice, cubic_polynomial);
  for (const MapInterpolation method : {MapInterpolation::trilinear, MapInterpolation::tricubic}) {
    for (std::int64_t p = 0; p < lattice.size(); ++p)
      CHECK(interpolate({lattice, noise}, lattice.position_A(p), method) == noise[std::size_t(p)]);
    for (int n = 0; n < 300; ++n) {
      const Vec3<double> at = random.position_A(box);
      CHECK(interpolate({lattice, linear}, at, method) == doctest::Approx(bilinear(at)).epsilon(1e-12));
      if (method == MapInterpolation::tricubic)
        CHECK(interpolate({lattice, curved}, at, method) ==
              doctest::Approx(cubic_polynomial(at)).epsilon(1e-12));
    }
    for (const double beyond : {1e-5, 0.3, 100.0}) {
      CHECK(std::isnan(interpolate({lattice, noise}, box.highest_A + Vec3<double>{beyond, 0, 0}, method)));
      CHECK(std::isnan(interpolate({lattice, noise}, box.lowest_A - Vec3<double>{0, 0, beyond}, method)));
    }
  }
  const double middle = interpolate({lattice, noise}, lattice.position_A(0) + Vec3<double>{0.25, 0, 0},
                                    MapInterpolation::trilinear);
  CHECK(middle == doctest::Approx(0.5 * (noise[0] + noise[1])).epsilon(1e-12));
}

TEST_CASE("interpolation: the finest map wins, and nothing is known outside of all") {
  const LatticeGeometry coarse{{0, 0, 0}, {2, 2, 2}, {11, 11, 11}},
      fine{{8.1, 8.1, 8.1}, {0.5, 0.5, 0.5}, {9, 9, 9}};
  const std::vector<double> ones(std::size_t(coarse.size()), 1.0), twos(std::size_t(fine.size()), 2.0);
  const std::vector<MapGrid> maps = {{coarse, ones}, {fine, twos}};
  const LatticeGeometry lattice = lattice_of_maps(maps);
  CHECK(lattice.spacing_A == fine.spacing_A);
  CHECK(lattice.origin_A.x == doctest::Approx(-0.4));  // whole steps from 8.1 that cover 0 to 20
  CHECK(lattice.counts == Vec3<std::int64_t>{42, 42, 42});
  const LargeArray<double> values = sample_maps(maps, lattice, MapInterpolation::trilinear, 2);
  int seen[3] = {};
  for (std::int64_t p = 0; p < lattice.size(); ++p) {
    const Vec3<double> at = lattice.position_A(p);
    const auto inside = [](double x, double low, double high) { return x > low - 1e-6 && x < high + 1e-6; };
    const bool in_fine = inside(at.x, 8.1, 12.1) && inside(at.y, 8.1, 12.1) && inside(at.z, 8.1, 12.1);
    const bool in_coarse = inside(at.x, 0, 20) && inside(at.y, 0, 20) && inside(at.z, 0, 20);
    const double value = values[std::size_t(p)];
    REQUIRE((in_fine ? value == 2.0 : in_coarse ? value == doctest::Approx(1.0) : std::isnan(value)));
    ++seen[in_fine ? 2 : in_coarse];
  }
  CHECK(seen[0] > 0);
  CHECK(seen[1] > 0);
  CHECK(seen[2] == 729);
  CHECK(lattice_of_maps(std::span(maps).first(1)) == coarse);
}
