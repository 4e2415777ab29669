// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "compute/backend.hpp"
#include "core/error.hpp"
#include "gpu/backend.hpp"
#include "placement/at_points/open_action.hpp"
#include "support/backends.hpp"
#include "support/box_on_device.hpp"
#include "support/scattered_points.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

EstimatesMaker gpu_estimates(const PairPotential& pair, const ImagePolynomials* images) {
  return [=](const EstimatedPoints& points) {
    return gpu_backend().point_estimates(gpu_backend().devices().devices.front().number, pair, images,
                                         points);
  };
}

}  // namespace

TEST_CASE("gpu scattered points: the lowest one is that of a search point by point, in open space") {
  if (!have_gpu()) return;
  for (const PairPotential& pair : pairs_of_each_kind()) {
    CAPTURE(int(pair.kind));
    for (const std::size_t count : {1, 31, 257, 3'000})
      compare(OpenAction(pair), random_case(count, unsigned(count)), 40, 2, gpu_estimates(pair, nullptr));
  }
}

TEST_CASE("gpu scattered points: the lowest one is that of a search point by point, in cells of any shape") {
  if (!have_gpu()) return;
  for (const PairPotential& pair : pairs_of_each_kind())
    for (const UnitCell& cell : cells_with_polynomials()) {
      CAPTURE(int(pair.kind));
      CAPTURE(angles_deg(cell).x);
      const PeriodicAction action(PeriodicCell(cell), pair, {.threads = 2});
      REQUIRE(action.images() != nullptr);
      for (const unsigned seed : {5, 7})  // with many equal values, and without
        compare(action, random_case(5'000, seed), 40, 2, gpu_estimates(pair, action.images()));
    }
}

TEST_CASE("gpu scattered points: bounds of the estimates") {
  if (!have_gpu()) return;
  const ScatteredCase c = random_case(3'000, 8);
  std::vector<std::uint8_t> available(c.points_A.size(), 1);
  for (std::size_t n = 0; n < available.size(); n += 5) available[n] = 0;
  const PointGroups groups(c.points_A);
  const EstimatedPoints points{groups, c.points_A, c.potential_kT_e, available};
  for (const PairPotential& pair : pairs_of_each_kind()) {
    CAPTURE(int(pair.kind));
    check_bounds(OpenAction(pair), c, *gpu_estimates(pair, nullptr)(points), available, open_error_kT_e);
    for (const UnitCell& cell : cells_with_polynomials()) {
      CAPTURE(angles_deg(cell).x);
      const PeriodicAction periodic(PeriodicCell(cell), pair, {.threads = 2});
      check_bounds(periodic, c, *gpu_estimates(pair, periodic.images())(points), available,
                   polynomial_error_kT_e);
    }
  }
}

TEST_CASE("gpu scattered points: of thousands of equal energies the first point has it, and none of none") {
  if (!have_gpu()) return;
  const PairPotential pair = pair_potential({});
  const OpenAction action(pair);
  std::vector<Vec3<double>> line;
  for (int i = 0; i < 5'000; ++i) line.push_back({double(4'999 - i), 0.0, 0.0});
  ScatteredPoints points(line, std::vector<double>(5'000, -1.0), std::vector<std::uint8_t>(5'000, 1), action,
                         {.tie_kT_e = 1e-9, .estimates = gpu_estimates(pair, nullptr)});
  CHECK(points.lowest_energy_point(1.0) == 0);
  points.take_away(0);
  CHECK(points.lowest_energy_point(-1.0) == 1);
  CHECK(points.note().empty());
  ScatteredPoints none({}, {}, {}, action, {.estimates = gpu_estimates(pair, nullptr)});
  CHECK(!none.lowest_energy_point(1.0));
  const PointGroups groups(line);
  CHECK_THROWS_AS(gpu_backend().point_estimates(997, pair, nullptr, {groups, line, {}, {}}), UsageError);
}

TEST_CASE("gpu scattered points: salt and ions of a box are the CPU's") {
  if (!have_gpu()) return;
  for (const CellParameters& shape : cells_of_boxes()) {
    CAPTURE(shape.angles_deg.x);
    const BoxOutcome cpu = box_outcome(shape, Backend::cpu, gpu_backend()),
                     gpu = box_outcome(shape, Backend::gpu, gpu_backend());
    CHECK(gpu.computed_on == Backend::gpu);
    CHECK(gpu.warnings == cpu.warnings);
    CHECK(gpu.replaced == cpu.replaced);
    REQUIRE(gpu.energies_kT.size() > 60);
    REQUIRE(gpu.energies_kT.size() == cpu.energies_kT.size());
    for (std::size_t n = 0; n < cpu.energies_kT.size(); ++n)
      CHECK(gpu.energies_kT[n] == doctest::Approx(cpu.energies_kT[n]).epsilon(1e-8).scale(1.0));
  }
}
