// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <vector>

#include "electrostatics/periodic/periodic_pair.hpp"
#include "electrostatics/simd/simd_level.hpp"
#include "sampling/image_table.hpp"
#include "sampling/plain_ions.hpp"
#include "sampling/solute_spheres.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

constexpr double box_A = 24.0;

std::vector<MovingIon> some_ions(std::size_t count) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> along(-0.5 * box_A, 0.5 * box_A);
  std::vector<MovingIon> ions;
  for (std::size_t n = 0; n < count; ++n)
    ions.push_back({std::uint32_t(n % 3), {along(random), along(random), along(random)}});
  return ions;
}

std::vector<Atom> some_atoms() {
  std::vector<Atom> atoms(7);
  for (std::size_t n = 0; n < atoms.size(); ++n) {
    atoms[n].position_A = {-6.0 + 2.0 * double(n), 11.0 - double(n % 2), 0.5 * double(n)};
    atoms[n].radius_A = 1.2 + 0.1 * double(n);
  }
  return atoms;
}

IonModel salt_model(const PairPotential& pair, SampleBoundary boundary) {
  IonModel model{.species = {species_of("A", 1, 1.0), species_of("B", -1, 1.8), species_of("C", 2, 0.7)},
                 .box = cube_of(box_A),
                 .pair = pair};
  if (boundary == SampleBoundary::periodic) model = periodic(model);
  model.field = spring(0.01, {1.0, 2.0, 3.0});
  const std::vector<Atom> atoms = some_atoms();
  model.solute = std::make_shared<SoluteSpheres>(atoms, model.box, boundary, model.repulsion, 1.8);
  return model;
}

double soft(double r, double sigma) {
  if (r >= std::pow(2.0, 1.0 / 6.0) * sigma) return 0.0;
  const double s = sigma / std::max(r, soft_core * sigma);
  return 4.0 * (std::pow(s, 12) - std::pow(s, 6)) + 1.0;
}

Vec3<double> nearest_image(Vec3<double> d) {
  for (double* x : {&d.x, &d.y, &d.z}) *x -= box_A * std::round(*x / box_A);
  return d;
}

/// The sum of IonModel's comment, term by term.
double plain_energy(const IonModel& model, const std::vector<MovingIon>& ions, const PeriodicPair* images) {
  double sum = 0.0;
  const auto charge = [&](const MovingIon& ion) { return model.species[ion.species].ion.charge_e; };
  const auto radius = [&](const MovingIon& ion) { return model.species[ion.species].radius_A; };
  for (std::size_t i = 0; i < ions.size(); ++i) {
    double phi = 0.0;
    model.field->potential({&ions[i].position_A, 1}, {&phi, 1});
    sum += charge(ions[i]) * phi;
    if (images) sum += 0.5 * charge(ions[i]) * charge(ions[i]) * images->of_own_images_kT_e();
    for (const Atom& atom : some_atoms()) {
      Vec3<double> d = ions[i].position_A - atom.position_A;
      if (images) d = nearest_image(d);
      sum += soft(std::sqrt(dot(d, d)), atom.radius_A + radius(ions[i]));
    }
    for (std::size_t j = 0; j < i; ++j) {
      Vec3<double> d = ions[i].position_A - ions[j].position_A;
      if (images) d = nearest_image(d);
      sum += charge(ions[i]) * charge(ions[j]) * (images ? images->at(d) : model.pair.at(dot(d, d)));
      sum += soft(std::sqrt(dot(d, d)), radius(ions[i]) + radius(ions[j]));
    }
  }
  return sum;
}

std::vector<PairPotential> pairs() {
  return {pair_potential({.dielectric = 78.54}), pair_potential({.ionic_strength_M = 0.15}),
          pair_potential({.ddd_per_A = 20.0})};
}

}  // namespace

TEST_CASE("ion set: energies are those of plain sums, open and periodic") {
  for (const SampleBoundary boundary : {SampleBoundary::open, SampleBoundary::periodic})
    for (const PairPotential& pair : pairs()) {
      const bool is_periodic = boundary == SampleBoundary::periodic;
      if (is_periodic && pair.kind == PairPotential::Kind::distance_dependent) continue;
      const int kind = int(pair.kind);
      CAPTURE(is_periodic);
      CAPTURE(kind);
      const IonModel model = salt_model(pair, boundary);
      const std::vector<MovingIon> ions = some_ions(37);
      const IonSet set(model, ions);
      std::unique_ptr<PeriodicPair> images;
      if (is_periodic)
        images = std::make_unique<PeriodicPair>(
            PeriodicCell(CellVectors{{box_A, 0, 0}, {0, box_A, 0}, {0, 0, box_A}}), pair);
      const double expected = plain_energy(model, ions, images.get());
      REQUIRE(std::abs(expected) > 1.0);
      // fp32 terms; in a periodic box also the linear interpolation of the image table, h^2/8 times its
      // Laplacian of 4 pi l / V: 1.1e-4 kT for unit charges, and the products of these charges are 1,200.
      const double tolerance_kT = 2e-4 + 1e-6 * std::abs(expected);
      CHECK(std::abs(set.energy_kT() - expected) < tolerance_kT + (is_periodic ? 0.15 : 0.0));

      // What an ion takes along is the difference of two sets, whether it was there or comes.
      const MovingIon extra{2, {3.0, -4.0, 5.0}};
      std::vector<MovingIon> more = ions;
      more.push_back(extra);
      const double with = plain_energy(model, more, images.get());
      CHECK(std::abs(set.energy_of(extra) - (with - expected)) < (is_periodic ? 0.012 : 1e-4));
      IonSet changed = set;
      CHECK(changed.add(extra) == 37);
      CHECK(changed.energy_of(37) == doctest::Approx(set.energy_of(extra)).epsilon(1e-5));
      CHECK(changed.count_of(2) == set.count_of(2) + 1);
      changed.remove(37);
      CHECK(changed.energy_kT() == set.energy_kT());
      changed.remove(4);
      std::vector<MovingIon> fewer = ions;
      fewer.erase(fewer.begin() + 4);
      CHECK(std::abs(changed.energy_kT() - plain_energy(model, fewer, images.get())) <
            tolerance_kT + (is_periodic ? 0.15 : 0.0));
    }
}

TEST_CASE("ion set: forces are the slopes of the energy") {
  for (const SampleBoundary boundary : {SampleBoundary::open, SampleBoundary::periodic})
    for (const PairPotential& pair : pairs()) {
      const IonModel model = salt_model(pair, boundary);
      const std::vector<MovingIon> ions = some_ions(21);
      const IonSet set(model, ions);
      std::vector<Vec3<double>> forces;
      // By the forces' own sums, in another order than the energy's.
      CHECK(set.forces(forces) == doctest::Approx(set.energy_kT()).epsilon(1e-5));
      REQUIRE(forces.size() == 21);
      double largest = 0.0;
      for (std::size_t n = 0; n < ions.size(); ++n) {
        constexpr double h = 2e-3;
        const auto slope = [&](const Vec3<double>& step) {
          return (set.energy_at(n, ions[n].position_A + step) - set.energy_at(n, ions[n].position_A - step)) /
                 (2 * h);
        };
        const Vec3<double> expected{-slope({h, 0, 0}), -slope({0, h, 0}), -slope({0, 0, h})};
        // fp32 energies of some 100 kT over 4e-3 A, and the curvature of overlaps.
        const double scale = std::sqrt(dot(expected, expected));
        const double tolerance = 0.02 + 2e-3 * scale;
        CHECK(std::abs(forces[n].x - expected.x) < tolerance);
        CHECK(std::abs(forces[n].y - expected.y) < tolerance);
        CHECK(std::abs(forces[n].z - expected.z) < tolerance);
        largest = std::max(largest, scale);
      }
      CHECK(largest > 0.5);
    }
}

TEST_CASE("ion set: all instruction sets sum the same") {
  for (const SampleBoundary boundary : {SampleBoundary::open, SampleBoundary::periodic}) {
    IonModel model = salt_model(pairs()[1], boundary);
    const std::vector<MovingIon> ions = some_ions(50);
    model.simd = SimdLevel::baseline;
    const double expected = IonSet(model, ions).energy_kT();
    for (const SimdLevel level : {SimdLevel::avx2, SimdLevel::avx512}) {
      if (level > best_simd_level()) continue;
      model.simd = level;
      CHECK(IonSet(model, ions).energy_kT() == doctest::Approx(expected).epsilon(1e-5));
    }
  }
}

TEST_CASE("ion set: hard spheres overlap or do nothing, the solute's as the ions'") {
  IonModel model{.species = {species_of("A", 0, 2.0)}, .box = cube_of(30.0), .repulsion = Repulsion::hard};
  std::vector<Atom> atom(1);
  atom[0].position_A = {10.0, 0.0, 0.0};
  atom[0].radius_A = 1.5;
  model.solute = std::make_shared<SoluteSpheres>(atom, model.box, model.boundary, model.repulsion, 2.0);
  const MovingIon first{0, {0.0, 0.0, 0.0}};
  const IonSet set(model, {&first, 1});
  CHECK(set.energy_of(MovingIon{0, {0.0, 3.99, 0.0}}) >= overlap_kT);
  CHECK(set.energy_of(MovingIon{0, {0.0, 4.01, 0.0}}) == 0.0);
  CHECK(set.energy_of(MovingIon{0, {6.51, 0.0, 0.0}}) >= overlap_kT);
  CHECK(set.energy_of(MovingIon{0, {6.49, 0.0, 0.0}}) == 0.0);
  CHECK(set.energy_of(MovingIon{0, {13.51, 0.0, 0.0}}) == 0.0);
}

TEST_CASE("ion set: a box turns ions back, or lets them in on the other side") {
  IonModel model{.species = {species_of("A", 0, 0.1)}, .box = {{-1.0, 0.0, 2.0}, {3.0, 5.0, 12.0}}};
  const IonSet open(model, {});
  CHECK(open.in_box({-1.5, 6.0, 33.0}) == Vec3<double>{-0.5, 4.0, 11.0});
  const IonModel repeated = periodic(model);
  const Vec3<double> in = IonSet(repeated, {}).in_box({-1.5, 6.0, 33.0});
  CHECK(in.x == doctest::Approx(2.5));
  CHECK(in.y == doctest::Approx(1.0));
  CHECK(in.z == doctest::Approx(3.0));
}
