// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "compute/backend.hpp"
#include "compute/backend_lattice.hpp"
#include "compute/cost_model.hpp"
#include "core/block.hpp"
#include "core/error.hpp"
#include "electrostatics/simd/direct_kernels.hpp"
#include "gpu/backend.hpp"
#include "gpu/placement/layout.hpp"
#include "support/backends.hpp"
#include "support/cases.hpp"
#include "support/placement_problem.hpp"
#include "support/reference.hpp"

// Where the lattice goes, and that the result does not depend on it.
using namespace ionwell;
using namespace ionwell::test;

namespace {

constexpr int first = 0;  // device

LatticeGeometry cube(std::int64_t points) {
  return {{0, 0, 0}, {0.5, 0.5, 0.5}, {points, points, points}};
}

std::vector<Device> with_free_bytes(const std::vector<std::int64_t>& bytes) {
  std::vector<Device> devices;
  for (const std::int64_t b : bytes)
    devices.push_back({.number = int(devices.size()), .memory_bytes = b, .free_bytes = b});
  return devices;
}

FieldLayout layout_for(const FieldDemand& demand, const std::vector<Device>& devices) {
  return choose_layout(demand, devices, gpu_backend().memory());
}

/// The second device; where there is only one it takes both parts.
int second() {
  return gpu_backend().devices().devices.size() > 1 ? gpu_backend().devices().devices[1].number : first;
}

struct NamedLayout {
  std::string name;
  FieldLayout layout;
  bool same_values;  // to the last bit
};

/// Layouts for lattices with `planes` planes of blocks along z, other than one device with everything.
std::vector<NamedLayout> layouts(std::int64_t planes) {
  const int other = second();
  const std::int64_t some = std::min<std::int64_t>(planes, 2);
  return {
      {"helped by others", {.devices = {first, other, other}}, true},
      {"two slabs", {LatticeOn::devices, {first, other}, {planes - planes / 2, planes / 2}}, false},
      {"uneven slabs", {LatticeOn::devices, {other, first, other}, {some, 0, planes - some}}, false},
      {"host", {.lattice_on = LatticeOn::host, .devices = {first}}, true},
      {"host, all small",
       {.lattice_on = LatticeOn::host, .devices = {first, other}, .charges_at_once = 7, .blocks_at_once = 3},
       false},
  };
}

struct Outcome {
  std::vector<float> values;
  Placement placement;
  FieldStatistics statistics;
};

Outcome run(const FieldLayout& layout, const ReferenceProblem& problem, bool multilevel,
            bool every_point = true) {
  auto masked =
      gpu_backend().make_lattice(layout, problem.lattice, problem.pair, {.every_point = every_point});
  masked->exclude(problem.centres, problem.ion_solute_A);
  const auto field = fill(std::move(masked), sum_of(problem.charges, multilevel), {});
  Outcome result{field->values(), placed(problem, *field), {}};
  result.statistics = field->statistics();
  return result;
}

void check_same(const Outcome& result, const Outcome& expected, const std::vector<double>& magnitude,
                bool same_values) {
  REQUIRE(result.values.size() == expected.values.size());
  std::int64_t different = 0;
  for (std::size_t p = 0; p < magnitude.size(); ++p) {
    const double difference = std::abs(double(result.values[p]) - double(expected.values[p]));
    different += same_values ? difference != 0.0 : !(difference <= rounding_of_direct_sum * magnitude[p]);
  }
  CHECK(different == 0);
  REQUIRE(result.placement.ions.size() == expected.placement.ions.size());
  for (std::size_t i = 0; i < result.placement.ions.size(); ++i) {
    const PlacedIon &ion = result.placement.ions[i], &other = expected.placement.ions[i];
    CHECK(ion.lattice_index == other.lattice_index);
    CHECK(ion.energy_kT == doctest::Approx(other.energy_kT).epsilon(1e-10));
  }
  CHECK(result.statistics.available_points == expected.statistics.available_points);
  CHECK(result.statistics.blocks == expected.statistics.blocks);
}

}  // namespace

TEST_CASE("layout: one device, several, or the host, whichever is the first to have the memory") {
  const FieldDemand demand{cube(1000), 100'000};
  const std::int64_t all = device_field_bytes(demand, gpu_backend().memory());
  CHECK(all > 4'000'000'000);
  CHECK(all < 5'000'000'000);
  CHECK(layout_for(demand, with_free_bytes({all})).lattice_on == LatticeOn::device);
  CHECK(layout_for(demand, with_free_bytes({all, all / 8})).lattice_on == LatticeOn::device);
  CHECK(layout_for(demand, with_free_bytes({all - 1})).lattice_on == LatticeOn::host);

  const FieldLayout shared = layout_for(demand, with_free_bytes({all / 2, all, all / 4}));
  CHECK(shared.lattice_on == LatticeOn::devices);
  CHECK(shared.devices == std::vector{0, 1, 2});
  REQUIRE(shared.planes.size() == 3);
  CHECK(std::accumulate(shared.planes.begin(), shared.planes.end(), std::int64_t{0}) == 125);
  CHECK(shared.planes[1] > shared.planes[0]);
  CHECK(shared.planes[0] > shared.planes[2]);
  for (std::size_t d = 0; d < 3; ++d) {
    FieldDemand slab = demand;
    slab.lattice.counts.z = block_edge * shared.planes[d];
    CHECK(device_field_bytes(slab, gpu_backend().memory()) <= std::vector{all / 2, all, all / 4}[d]);
  }

  const FieldLayout host = layout_for(demand, with_free_bytes({all / 4, all / 4}));
  CHECK(host.lattice_on == LatticeOn::host);
  CHECK(host.devices == std::vector{0, 1});
  CHECK(host.charges_at_once == 100'000);
  CHECK(host.blocks_at_once == usual_direct_blocks);
}

TEST_CASE("layout: every division leaves no plane over") {
  for (const std::int64_t points : {8, 40, 999})
    for (const std::int64_t part : {2, 3, 5, 11}) {
      CAPTURE(points);
      CAPTURE(part);
      const FieldDemand demand{{{0, 0, 0}, {1, 1, 1}, {3000, 3000, points}}, 10};
      const std::int64_t planes = BlockGrid(demand.lattice).counts.z;
      const std::int64_t share = device_field_bytes(demand, gpu_backend().memory()) / part +
                                 700'000'000;  // a plane more than its part
      const FieldLayout layout =
          layout_for(demand, with_free_bytes(std::vector<std::int64_t>(std::size_t(part), share)));
      if (layout.lattice_on != LatticeOn::devices) continue;
      CHECK(std::accumulate(layout.planes.begin(), layout.planes.end(), std::int64_t{0}) == planes);
      CHECK(*std::min_element(layout.planes.begin(), layout.planes.end()) >= 0);
    }
}

TEST_CASE("layout: charges and grids that do not fit") {
  constexpr std::int64_t memory = 1'000'000'000;
  // 32 bytes for a charge: they go in parts.
  const FieldLayout parts = layout_for({cube(1000), 50'000'000}, with_free_bytes({memory}));
  CHECK(parts.problem.empty());
  CHECK(parts.charges_at_once < 50'000'000);
  CHECK(parts.charges_at_once * std::int64_t{sizeof(PointCharge)} < memory);
  const FieldLayout too_many = layout_for({cube(1000), 1'000'000'000}, with_free_bytes({memory}));
  CHECK(too_many.problem ==
        "even in parts the direct sum of 1000000000 charges needs 4 GB of GPU memory, and GPU 0 has 1 GB "
        "free or "
        "allowed");
  const FieldLayout grids = layout_for({cube(1000), 1000, 2 * memory}, with_free_bytes({memory}));
  CHECK(grids.problem.find("the multilevel sum of 1000 charges needs 2") != std::string::npos);
}

TEST_CASE("layout: the grids of multilevel summation take what is announced") {
  Random random(940);
  const LatticeGeometry lattice = cube(201);
  const std::vector<PointCharge> charges = random_charges(random, box_of(lattice), 1000);
  for (const MultilevelOptions& options : {MultilevelOptions{}, published_multilevel}) {
    const MultilevelPlan plan = multilevel_plan(lattice, charges, pair_potential({}), options);
    std::int64_t floats = 2 * plan.levels.front().grid.size();  // working arrays
    for (const MultilevelLevel& level : plan.levels) floats += 2 * level.grid.size();
    const std::int64_t bytes = device_grid_bytes(lattice, charges, options, gpu_backend().memory());
    CHECK(bytes > 4 * floats);
    CHECK(bytes < 4 * floats * 2 + 10'000'000);
  }
}

TEST_CASE("gpu layout: values and ions are those of one device") {
  if (!have_gpu()) return;
  for (const auto& [name, pair] : pairs())
    for (const bool multilevel : {false, true}) {
      ReferenceProblem problem = solute(pair, {61, 53, 47}, 950);
      problem.ion_charges_e = alternating(20, {2.0, -1.0});
      const std::vector<double> magnitude = reference_magnitude(problem.lattice, pair, problem.charges);
      const Outcome expected = run({.devices = {first}}, problem, multilevel);
      for (const NamedLayout& l : layouts(6)) {
        CAPTURE(name);
        CAPTURE(multilevel);
        CAPTURE(l.name);
        check_same(run(l.layout, problem, multilevel), expected, magnitude, l.same_values);
      }
    }
}

TEST_CASE("gpu layout: several ranges of blocks, and charges in parts") {
  if (!have_gpu()) return;
  Random random(951);
  const LatticeGeometry lattice{{0, 0, 0}, {0.5, 0.5, 0.5}, {211, 223, 197}};
  const std::vector<PointCharge> charges = random_charges(random, box_of(lattice), 500);
  const auto values = [&](const FieldLayout& layout, bool multilevel) {
    auto masked = gpu_backend().make_lattice(layout, lattice, pair_potential({}), {.every_point = true});
    return fill(std::move(masked), sum_of(charges, multilevel), {})->values();
  };
  for (const bool multilevel : {false, true}) {
    CAPTURE(multilevel);
    const std::vector<float> expected = values({.devices = {first}}, multilevel);
    CHECK(std::count(expected.begin(), expected.end(), 0.0f) == 0);
    CHECK(values({.devices = {first, second(), second()}}, multilevel) == expected);
    // On the host the sum of each part is rounded before it is added.
    const std::vector<float> host = values(
        {.lattice_on = LatticeOn::host, .devices = {first, second()}, .charges_at_once = 300}, multilevel);
    double worst = 0.0;
    for (std::size_t p = 0; p < host.size(); ++p)
      worst = std::max(worst, std::abs(double(host[p]) - double(expected[p])));
    const double largest = std::abs(*std::max_element(expected.begin(), expected.end()));
    CHECK(worst < 1e-6 * largest);
  }
}

TEST_CASE("gpu layout: one point, slabs without a free point, and nothing free at all") {
  if (!have_gpu()) return;
  const PairPotential pair = pair_potential({});
  struct Extreme {
    std::string name;
    LatticeGeometry lattice;
    std::vector<PointCharge> charges;
    double distance_A;
  };
  const Extreme extremes[] = {
      {"one point", {{1, 2, 3}, {0.5, 0.5, 0.5}, {1, 1, 1}}, {{{5, 5, 5}, -1.0}}, 1.0},
      {"one point, on the charge", {{1, 2, 3}, {0.5, 0.5, 0.5}, {1, 1, 1}}, {{{1, 2, 3}, -1.0}}, 1.0},
      {"the lower slabs are full", cube(31), {{{7.5, 7.5, 0.0}, -1.0}}, 13.0},
      {"the upper slabs are full", cube(31), {{{7.5, 7.5, 15.0}, -1.0}}, 13.0},
      {"all is full", cube(31), {{{7.5, 7.5, 7.5}, -1.0}}, 30.0},
  };
  for (const Extreme& extreme : extremes) {
    ReferenceProblem problem{
        extreme.lattice, pair, extreme.charges, centres_of(extreme.charges), extreme.distance_A, 2.0, {}};
    problem.ion_charges_e = {1.0, 1.0, 1.0};
    const std::vector<double> magnitude = reference_magnitude(problem.lattice, pair, problem.charges);
    for (const bool multilevel : {false, true})
      for (const bool every_point : {false, true}) {
        const Outcome expected = run({.devices = {first}}, problem, multilevel, every_point);
        for (const NamedLayout& l : layouts(BlockGrid(extreme.lattice).counts.z)) {
          CAPTURE(extreme.name);
          CAPTURE(multilevel);
          CAPTURE(every_point);
          CAPTURE(l.name);
          check_same(run(l.layout, problem, multilevel, every_point), expected, magnitude, l.same_values);
        }
      }
  }
}

TEST_CASE("gpu layout: of equal energies in two slabs the lowest index wins") {
  if (!have_gpu()) return;
  const LatticeGeometry lattice = cube(33);
  // The image of a charge in the middle plane: every point has a double on the other side.
  const std::vector<PointCharge> charges{{{8, 8, 4}, -1.0}, {{8, 8, 12}, -1.0}};
  std::vector<std::int64_t> index[2];
  for (const bool split : {false, true}) {
    const FieldLayout layout =
        split ? FieldLayout{LatticeOn::devices, {first, second()}, {2, 3}} : FieldLayout{.devices = {first}};
    auto masked = gpu_backend().make_lattice(layout, lattice, pair_potential({}), {});
    masked->exclude(centres_of(charges), 2.0);
    const auto field = fill(std::move(masked), DirectSum{charges}, {});
    for (int n = 0; n < 6; ++n) {
      const std::optional<LowestPoint> point = field->lowest_energy_point(1.0);
      REQUIRE(point);
      index[split].push_back(point->index);
      field->add_ion({lattice.position_A(point->index), 0.0}, 0.01);
    }
  }
  CHECK(index[0] == index[1]);
  CHECK(lattice.point(index[0].front()).z < 16);
}

TEST_CASE("gpu layout: a cap on the memory decides, and changes nothing else") {
  if (!have_gpu()) return;
  ReferenceProblem problem = solute(pair_potential({}), {301, 303, 307}, 952);
  problem.ion_charges_e = alternating(10, {2.0});
  FieldDemand demand{problem.lattice, problem.charges.size()};
  const BackendOptions usual{.backend = Backend::gpu};
  BackendOptions capped = usual;
  capped.memory_bytes = 120'000'000;
  std::vector<std::int64_t> index[2];
  for (const bool cap : {false, true}) {
    const BackendChoice choice = choose_backend(cap ? capped : usual, 100.0, demand, {&gpu_backend()});
    CHECK(choice.layout.lattice_on == (cap ? LatticeOn::host : LatticeOn::device));
    auto masked = ionwell::make_lattice(choice, problem.lattice, problem.pair, {});
    masked->exclude(problem.centres, problem.ion_solute_A);
    const auto field = fill(std::move(masked), DirectSum{problem.charges}, {});
    for (const PlacedIon& ion : placed(problem, *field).ions) index[cap].push_back(ion.lattice_index);
  }
  CHECK(index[0].size() == 10);
  CHECK(index[0] == index[1]);
  capped.memory_bytes = 1000;
  CHECK_THROWS_AS(choose_backend(capped, 100.0, demand, {&gpu_backend()}), Error);
  capped.backend = Backend::automatic;
  CHECK(choose_backend(capped, 100.0, demand, {&gpu_backend()}).backend == Backend::cpu);
}
