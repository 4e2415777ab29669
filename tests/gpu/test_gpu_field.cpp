// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <string>

#include "compute/backend.hpp"
#include "core/block.hpp"
#include "electrostatics/simd/direct_kernels.hpp"
#include "gpu/backend.hpp"
#include "support/backends.hpp"
#include "support/cases.hpp"
#include "support/error_of.hpp"
#include "support/placement_problem.hpp"
#include "support/reference.hpp"
#include "support/skip.hpp"

// What only the GPU may get wrong; everything that both backends do is tested on both (support/backends.hpp).
using namespace ionwell;
using namespace ionwell::test;

namespace {

constexpr int first = 0;  // device

/// The available points in rising order: without a potential the lowest index wins, and each point found is
/// taken away.
std::vector<std::int64_t> available_points(PotentialField& field) {
  std::vector<std::int64_t> points;
  while (const std::optional<LowestPoint> point = field.lowest_energy_point(1.0)) {
    points.push_back(point->index);
    field.add_ion({field.lattice().position_A(point->index), 0.0}, 0.01);
  }
  return points;
}

double exact(const PairPotential& pair, const std::vector<PointCharge>& charges, Vec3<double> at) {
  double sum = 0.0;
  for (const PointCharge& q : charges) sum += q.charge_e * pair.at(distance_squared(at, q.position_A));
  return sum;
}

constexpr Vec3<std::int64_t> big_lattice_charges[] = {{1290, 1280, 1300}, {3, 5, 2}};

/// The first six ions of charge 1/4 around two charges, which nothing comes within 3.25 A of.
void check_first_ions(PotentialField& field, const PairPotential& pair,
                      const std::vector<PointCharge>& charges) {
  const LatticeGeometry& lattice = field.lattice();
  std::vector<PointCharge> all = charges;
  for (int n = 0; n < 6; ++n) {
    CAPTURE(n);
    const std::optional<LowestPoint> point = field.lowest_energy_point(1.0);
    REQUIRE(point);
    // By brute force around the two charges.
    double lowest = 0.0;
    std::int64_t best = 0;
    for (const Vec3<std::int64_t> centre : big_lattice_charges)
      for (std::int64_t k = centre.z - 9; k <= centre.z + 9; ++k)
        for (std::int64_t j = centre.y - 9; j <= centre.y + 9; ++j)
          for (std::int64_t i = centre.x - 9; i <= centre.x + 9; ++i) {
            if (i < 0 || j < 0 || k < 0 || i >= lattice.counts.x || j >= lattice.counts.y ||
                k >= lattice.counts.z)
              continue;
            const Vec3<double> at = lattice.position_A(i, j, k);
            bool free = true;
            for (std::size_t c = 0; c < all.size(); ++c) {
              const double d2 = distance_squared(at, all[c].position_A);
              free = free && (c < 2 ? d2 > 3.25 * 3.25 + 5e-7 : d2 >= 4.0 - 5e-7);
            }
            if (!free) continue;
            const double energy = exact(pair, all, at);
            if (energy < lowest - 1e-11 * std::abs(lowest)) {
              lowest = energy;
              best = lattice.index(i, j, k);
            } else if (energy <= lowest + 1e-11 * std::abs(lowest)) {
              best = std::min(best, lattice.index(i, j, k));
            }
          }
    CHECK(point->index == best);
    CHECK(point->potential_kT_e == doctest::Approx(lowest).epsilon(1e-10));
    all.push_back({lattice.position_A(point->index), 0.25});
    field.add_ion(all.back(), 2.0);
  }
}

}  // namespace

TEST_CASE("gpu: the mask is exact for every case and distance") {
  if (!have_gpu()) return;
  for (const Case& c : cases())
    for (const double distance_A : {0.0, 0.5, 1.7, 3.0}) {
      if (c.lattice.size() > 4000) continue;
      CAPTURE(c.name);
      CAPTURE(distance_A);
      const std::vector<Vec3<double>> centres = centres_of(c.charges);
      const std::vector<bool> excluded = excluded_by_solute(c.lattice, centres, distance_A);
      std::vector<std::int64_t> expected;
      for (std::size_t p = 0; p < excluded.size(); ++p)
        if (!excluded[p]) expected.push_back(std::int64_t(p));
      auto masked = make_gpu_lattice(c.lattice, pair_potential({}), {}, {first});
      masked->exclude(centres, distance_A);
      const auto field = fill(std::move(masked), DirectSum{{}}, {});
      CHECK(available_points(*field) == expected);
      CHECK(field->statistics().available_points == std::int64_t(expected.size()));
    }
}

TEST_CASE("gpu: a map left on the device has the values of the copy, bit for bit") {
  if (!have_gpu()) return;
  for (const Case& c : cases())
    for (const bool every_point : {true, false})
      for (const double factor : {1.0, 25.7}) {
        CAPTURE(c.name);
        CAPTURE(every_point);
        CAPTURE(factor);
        auto masked = make_gpu_lattice(c.lattice, pair_potential({}), {.every_point = every_point}, {first});
        if (!c.charges.empty()) masked->exclude(std::span(&c.charges.front().position_A, 1), 1.5);
        const auto field = fill(std::move(masked), DirectSum{c.charges}, {});
        field->add_ion({c.lattice.position_A(0), 1.0}, 0.5);
        std::vector<float> expected = field->values(), found(expected.size()), copied(expected.size());
        for (float& value : expected) value = float(factor * double(value));
        const std::unique_ptr<MapOnDevice> map = field->map_on_device(factor);
        REQUIRE(map);
        CHECK(map->data() != nullptr);
        const std::unique_ptr<MapOnDevice> copy = map->copy();
        CHECK(copy->data() != map->data());
        CHECK(copy->ordinal() == map->ordinal());
        map->copy_to(found);
        CHECK(std::equal(found.begin(), found.end(), expected.begin(),
                         [](float a, float b) { return std::memcmp(&a, &b, sizeof(a)) == 0; }));
        copy->copy_to(copied);
        CHECK(copied == found);
        std::vector<float> again(found.size());
        gpu_backend().copy_to_host(map->ordinal(), map->data(), std::as_writable_bytes(std::span(again)));
        CHECK(again == found);
      }
}

TEST_CASE("gpu: a map is left on the device only where that has the whole lattice") {
  if (!have_gpu()) return;
  const Case c = cases().front();
  FieldLayout on_host{.lattice_on = LatticeOn::host, .devices = {first}};
  const auto field =
      fill(gpu_backend().make_lattice(on_host, c.lattice, pair_potential({}), {}), DirectSum{c.charges}, {});
  CHECK(field->map_on_device(1.0) == nullptr);
}

TEST_CASE("gpu: a run gives the same values and ions every time") {
  if (!have_gpu()) return;
  for (const auto& [name, pair] : pairs()) {
    CAPTURE(name);
    ReferenceProblem problem = solute(pair, {61, 53, 47}, 900);
    problem.ion_charges_e = alternating(30, {2.0, -1.0});
    std::vector<float> values;
    std::vector<PlacedIon> ions;
    for (int run = 0; run < 3; ++run) {
      auto masked = make_gpu_lattice(problem.lattice, pair, {.every_point = true}, {first});
      masked->exclude(problem.centres, problem.ion_solute_A);
      const auto field = fill(std::move(masked), MultilevelSum{problem.charges, {}}, {});
      const Placement placement = placed(problem, *field);
      const std::vector<float> now = field->values();
      if (run == 0) values = now;
      if (run == 0) ions = placement.ions;
      CHECK(values == now);
      REQUIRE(ions.size() == placement.ions.size());
      for (std::size_t i = 0; i < ions.size(); ++i) {
        CHECK(ions[i].lattice_index == placement.ions[i].lattice_index);
        CHECK(ions[i].energy_kT == placement.ions[i].energy_kT);
      }
    }
  }
}

TEST_CASE("gpu: both backends place the same ions in a larger problem") {
  if (!have_gpu()) return;
  for (const auto& [name, pair] : pairs())
    for (const bool multilevel : {false, true}) {
      CAPTURE(name);
      CAPTURE(multilevel);
      ReferenceProblem problem = solute(pair, {149, 131, 127}, 910);
      Random random(911);
      const Box box = box_of(problem.lattice);
      const Vec3<double> third = 0.33 * (box.highest_A - box.lowest_A);
      problem.charges = random_charges(random, {box.lowest_A + third, box.highest_A - third}, 900);
      problem.centres = centres_of(problem.charges);
      problem.ion_charges_e = alternating(150, {2.0, 1.0, -1.0});
      std::vector<std::int64_t> index[2];
      for (const bool gpu : {false, true}) {
        auto masked = gpu ? make_gpu_lattice(problem.lattice, pair, {}, {first})
                          : make_host_lattice(problem.lattice, pair, {});
        masked->exclude(problem.centres, problem.ion_solute_A);
        const auto field = fill(std::move(masked), sum_of(problem.charges, multilevel), {});
        for (const PlacedIon& ion : placed(problem, *field).ions) index[gpu].push_back(ion.lattice_index);
      }
      CHECK(index[0].size() == 150);
      CHECK(index[0] == index[1]);
    }
}

TEST_CASE("gpu: any number of ions may come between two searches") {
  if (!have_gpu()) return;
  for (const auto& [name, pair] : pairs()) {
    CAPTURE(name);
    const ReferenceProblem problem = solute(pair, {61, 53, 47}, 940);
    const auto filled = [&](std::unique_ptr<MaskedLattice> masked) {
      masked->exclude(problem.centres, problem.ion_solute_A);
      return fill(std::move(masked), DirectSum{problem.charges}, {});
    };
    const std::unique_ptr<PotentialField> fields[] = {
        filled(make_host_lattice(problem.lattice, pair, {})),
        filled(make_gpu_lattice(problem.lattice, pair, {}, {first}))};
    Random random(941);
    for (const int ions : {0, 1, 2, 7, 1, 31, 32, 33, 1, 1, 70}) {
      CAPTURE(ions);
      for (int n = 0; n < ions; ++n) {
        const PointCharge ion{random.position_A(box_of(problem.lattice)), n % 3 == 0 ? -1.0 : 2.0};
        for (const auto& field : fields) field->add_ion(ion, 0.7);
      }
      for (const double charge_e : {2.0, -1.0}) {
        std::vector<std::int64_t> index;
        for (const auto& field : fields) index.push_back(field->lowest_energy_point(charge_e).value().index);
        CHECK(index[0] == index[1]);
      }
    }
  }
}

TEST_CASE("gpu: lattices of more than 2^31 points") {
  if (!have_gpu()) return;
  if (gpu_backend().started(gpu_backend().devices().devices[first]).free_bytes < 16e9) {
    skip("a lattice of 2.2e9 points needs 16 GB of device memory");
    return;
  }
  const LatticeGeometry lattice{{-10.0, 5.0, 0.0}, {0.5, 0.5, 0.5}, {1301, 1303, 1307}};
  const PairPotential pair = pair_potential({});
  std::vector<PointCharge> charges;
  for (const Vec3<std::int64_t>& p : big_lattice_charges)
    charges.push_back({lattice.position_A(p.x, p.y, p.z), charges.empty() ? -1.0 : -1.01});
  const int second = gpu_backend().devices().devices.back().number;
  const FieldLayout layouts[] = {{.devices = {first}}, {LatticeOn::devices, {first, second}, {120, 44}}};
  for (const FieldLayout& layout : layouts) {
    CAPTURE(std::string(to_string(layout.lattice_on)));
    auto masked = gpu_backend().make_lattice(layout, lattice, pair, {});
    masked->exclude(centres_of(charges), 3.25);
    const auto field = fill(std::move(masked), DirectSum{charges}, {});
    check_first_ions(*field, pair, charges);
  }
}

TEST_CASE("gpu: ten million charges") {
  if (!have_gpu()) return;
  Random random(920);
  const LatticeGeometry lattice{{0, 0, 0}, {0.5, 0.5, 0.5}, {13, 9, 8}};
  const std::vector<PointCharge> charges =
      random_charges(random, {{10, 10, 10}, {300, 300, 300}}, 10'000'000);
  const PairPotential pair = pair_potential({});
  auto masked = make_gpu_lattice(lattice, pair, {.every_point = true}, {first});
  masked->exclude(centres_of(charges), 3.0);
  const auto field = fill(std::move(masked), DirectSum{charges}, {});
  const std::vector<float> values = field->values();
  double magnitude = 0.0;
  for (const PointCharge& q : charges)
    magnitude += std::abs(q.charge_e) * pair.at(distance_squared(lattice.position_A(0), q.position_A));
  for (const std::int64_t p : {std::int64_t(0), lattice.size() / 2, lattice.size() - 1})
    CHECK(std::abs(double(values[std::size_t(p)]) - exact(pair, charges, lattice.position_A(p))) <
          rounding_of_direct_sum * magnitude);
  const std::optional<LowestPoint> point = field->lowest_energy_point(1.0);
  REQUIRE(point);
  CHECK(point->potential_kT_e ==
        doctest::Approx(exact(pair, charges, lattice.position_A(point->index))).epsilon(1e-9));
}

TEST_CASE("gpu: helping devices change no value") {
  if (!have_gpu()) return;
  // Where there is only one device it helps itself, which takes the same path.
  const int second =
      gpu_backend().devices().devices.size() > 1 ? gpu_backend().devices().devices[1].number : first;
  Random random(930);
  const LatticeGeometry lattice{{0, 0, 0}, {0.5, 0.5, 0.5}, {211, 223, 197}};  // several ranges
  const std::vector<PointCharge> charges = random_charges(random, box_of(lattice), 500);
  std::vector<float> values[2];
  for (const bool several : {false, true}) {
    auto masked = make_gpu_lattice(lattice, pair_potential({}), {.every_point = true},
                                   several ? std::vector{first, second, second} : std::vector{first});
    const auto field = fill(std::move(masked), DirectSum{charges}, {});
    values[several] = field->values();
  }
  CHECK(std::count(values[0].begin(), values[0].end(), 0.0f) == 0);
  CHECK(values[0] == values[1]);
}

TEST_CASE("gpu: a device that is not there is refused") {
  if (!have_gpu()) return;
  const LatticeGeometry lattice{{0, 0, 0}, {1, 1, 1}, {2, 2, 2}};
  CHECK_THROWS_WITH_AS(make_gpu_lattice(lattice, pair_potential({}), {}, {99}),
                       "there is no GPU 99; 'ionwell info' lists the available ones", UsageError);
}

TEST_CASE("gpu: a lattice larger than the device is refused with the numbers") {
  if (!have_gpu()) return;
  const LatticeGeometry lattice{{0, 0, 0}, {1, 1, 1}, {6000, 6000, 6000}};  // 864 GB of values
  const std::vector<PointCharge> charge{{{1, 1, 1}, 1.0}};
  const std::string message = error_of([&] {
    fill(make_gpu_lattice(lattice, pair_potential({}), {.every_point = true}, {first}), DirectSum{charge},
         {});
  });
  CAPTURE(message);
  CHECK(message.find(" GB are free") != std::string::npos);
}
