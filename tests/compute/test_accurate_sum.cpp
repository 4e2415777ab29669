// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "compute/accurate_sum.hpp"
#include "compute/cost_model.hpp"
#include "core/error.hpp"
#include "placement/host_field.hpp"
#include "placement/place_ions.hpp"
#include "potential/lattice_potential.hpp"
#include "support/error_of.hpp"
#include "support/stand_in_backend.hpp"

// What --accuracy chooses has it, and is the cheapest that has it. References are plain fp64 sums.
using namespace ionwell;
using namespace ionwell::test;

namespace {

struct ChargedCloud {
  std::string name;
  std::vector<Atom> atoms;
};

Atom charge_at(Vec3<double> position_A, double charge_e) {
  return {.position_A = position_A, .charge_e = charge_e, .radius_A = 1.5};
}

/// Groups of 12 partial charges, each with `group_e` in all: as the residues of proteins (0) and nucleic
/// acids
/// (-1) are.
std::vector<Atom> residues(int count, double group_e, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const double radius_A = std::cbrt(double(count)) * 4.5;
  constexpr int group = 12;
  std::vector<Atom> atoms;
  for (int r = 0; r < count; ++r) {
    const Vec3<double> centre = radius_A * Vec3<double>{uniform(random), uniform(random), uniform(random)};
    double sum_e = 0.0;
    for (int a = 0; a < group; ++a) {
      const Vec3<double> at = centre + 3.0 * Vec3<double>{uniform(random), uniform(random), uniform(random)};
      atoms.push_back(charge_at(at, 0.5 * uniform(random)));
      sum_e += atoms.back().charge_e;
    }
    for (int a = 0; a < group; ++a) atoms[atoms.size() - 1 - a].charge_e += (group_e - sum_e) / group;
  }
  return atoms;
}

std::vector<Atom> salt(int count, double edge_A, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(0.0, edge_A);
  std::vector<Atom> atoms;
  for (int n = 0; n < count; ++n)
    atoms.push_back(charge_at({uniform(random), uniform(random), uniform(random)}, n % 2 == 0 ? 1.0 : -1.0));
  return atoms;
}

std::vector<ChargedCloud> clouds() {
  return {{"one charge", {charge_at({0.13, 0.27, 0.41}, -1.0)}},
          {"a dipole", {charge_at({0.13, 0.27, 0.41}, 1.0), charge_at({1.13, 0.57, 0.71}, -1.0)}},
          {"three in a row",
           {charge_at({0, 0, 0}, -1.0), charge_at({4, 0, 0}, -1.0), charge_at({8, 0, 0}, -1.0)}},
          {"a small neutral solute", residues(6, 0.0, 2)},
          {"a neutral solute", residues(200, 0.0, 3)},
          {"a polyanion", residues(200, -1.0, 4)},
          {"salt", salt(1000, 50.0, 5)}};
}

std::vector<std::pair<std::string, ElectrostaticsOptions>> potentials() {
  return {
      {"Coulomb", {}}, {"distance-dependent", {.ddd_per_A = 3.0}}, {"screened", {.ionic_strength_M = 0.15}}};
}

/// Root mean square of values - fp64 sums over that of the sums, at points that are not within `least_A` of a
/// charge.
double relative_error(const std::vector<float>& values, const LatticeGeometry& lattice,
                      const std::vector<Atom>& atoms, const PairPotential& pair, double least_A,
                      int& compared) {
  std::mt19937_64 random(99);  // other points than those that the choice was made by
  double differences2 = 0.0, sums2 = 0.0;
  for (int n = 0; n < 400; ++n) {
    const auto index = std::int64_t(random() % std::uint64_t(lattice.size()));
    const Vec3<double> at = lattice.position_A(index);
    double sum = 0.0, nearest2_A2 = 1e9;
    for (const Atom& atom : atoms) {
      const double r2 = distance_squared(atom.position_A, at), r = std::sqrt(r2);
      nearest2_A2 = std::min(nearest2_A2, r2);
      const double shape = pair.kind == PairPotential::Kind::distance_dependent ? 1.0 / r2
                           : pair.kind == PairPotential::Kind::debye_hueckel
                               ? std::exp(-pair.kappa_per_A * r) / r
                               : 1.0 / r;
      sum += pair.prefactor * atom.charge_e * shape;
    }
    if (nearest2_A2 < least_A * least_A) continue;
    ++compared;
    sums2 += sum * sum;
    differences2 += (double(values[std::size_t(index)]) - sum) * (double(values[std::size_t(index)]) - sum);
  }
  return std::sqrt(differences2 / sums2);
}

std::vector<float> values_of_sum(const SummationOptions& options, const LatticeGeometry& lattice,
                                 const std::vector<PointCharge>& charges, const PairPotential& pair) {
  auto masked = make_host_lattice(lattice, pair, {.every_point = true, .threads = 2});
  if (options.method == Method::direct) return fill(std::move(masked), DirectSum{charges}, {})->values();
  return fill(std::move(masked), MultilevelSum{charges, options.multilevel}, {})->values();
}

/// Seconds of one thread, by the cost model.
double cost_of(const SummationOptions& options, const LatticeGeometry& lattice, const Structure& structure,
               const PairPotential& pair) {
  const Summation sum{lattice, structure, pair, options, {}};
  const SummationOptions chosen = choose_method(sum, {});
  SummationRates rates = cpu_rates(pair, SimdLevel::automatic);
  const MeasuredSet* const set = chosen_set(chosen);
  if (set != nullptr) rates.multilevel_point_s *= set->cost;
  return predicted_seconds(chosen.method, lattice, structure.atoms.size(), rates);
}

}  // namespace

TEST_CASE("accurate sum: what is chosen has the accuracy") {
  constexpr double on_atom_A = 1.0, where_ions_go_A = 5.0;
  int multilevel = 0, direct = 0, refused = 0;
  for (const ChargedCloud& cloud : clouds())
    for (const auto& [name, electrostatics] : potentials())
      for (const double spacing_A : {0.7, 2.0}) {
        if (cloud.atoms.size() > 500 && spacing_A < 1.0) continue;  // a minute without optimisation
        const PairPotential pair = pair_potential(electrostatics);
        const LatticeGeometry lattice = enclosing_lattice(cloud.atoms, {.spacing_A = spacing_A});
        const std::vector<PointCharge> charges = point_charges(cloud.atoms);
        for (const double least_A : {on_atom_A, where_ions_go_A})
          for (const double accuracy : {1e-3, 1e-4, 1e-5}) {
            CAPTURE(cloud.name);
            CAPTURE(name);
            CAPTURE(spacing_A);
            CAPTURE(least_A);
            CAPTURE(accuracy);
            const AccuracyProblem problem{lattice, charges, pair, least_A, SimdLevel::automatic, 2};
            SummationOptions options{.method = Method::direct, .accuracy = accuracy};
            const std::string refusal = error_of([&] { options = for_accuracy(options, problem); });
            if (refusal != "no error") {
              CHECK(refusal.find("values in single precision can be off by") != std::string::npos);
              int there = 0;
              const std::vector<float> values = values_of_sum(options, lattice, charges, pair);
              CHECK(relative_error(values, lattice, cloud.atoms, pair, least_A, there) > 0.1 * accuracy);
              ++refused;
              continue;
            }
            REQUIRE(options.method != Method::multilevel);  // the cost model may prefer the direct sum
            (options.method == Method::automatic ? multilevel : direct) += 1;
            if (options.method == Method::automatic) options.method = Method::multilevel;
            int compared = 0;
            const double error = relative_error(values_of_sum(options, lattice, charges, pair), lattice,
                                                cloud.atoms, pair, least_A, compared);
            CHECK(compared > 20);
            CHECK(error <= accuracy);
            CHECK(error > 0.0);
          }
      }
  CHECK(multilevel > 100);  // both are tried
  CHECK(direct > 10);
  CHECK(refused < 10);
}

TEST_CASE("accurate sum: a looser accuracy is never more expensive") {
  for (const ChargedCloud& cloud : clouds())
    for (const auto& [name, electrostatics] : potentials()) {
      CAPTURE(cloud.name);
      CAPTURE(name);
      const PairPotential pair = pair_potential(electrostatics);
      const Structure structure{.path = cloud.name, .atoms = cloud.atoms};
      const std::vector<PointCharge> charges = point_charges(cloud.atoms);
      for (const double spacing_A : {0.2, 0.5, 1.0}) {
        const LatticeGeometry lattice = enclosing_lattice(cloud.atoms, {.spacing_A = spacing_A});
        double before_s = std::numeric_limits<double>::infinity();
        for (const double accuracy : {1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 1e-2}) {
          const double now_s = cost_of(for_accuracy({.accuracy = accuracy}, {lattice, charges, pair}),
                                       lattice, structure, pair);
          CHECK(now_s <= before_s);
          before_s = now_s;
        }
      }
    }
}

TEST_CASE("accurate sum: the sets are in the order of their cost, and each is of use") {
  const std::span<const MeasuredSet> sets = measured_sets();
  REQUIRE(sets.size() > 2);
  for (std::size_t n = 1; n < sets.size(); ++n) {
    CHECK(sets[n].cost > sets[n - 1].cost);
    CHECK(*std::min_element(sets[n].error, sets[n].error + 3) > 0.0);
    bool is_better = false;
    for (int kind = 0; kind < 3; ++kind)
      is_better = is_better || sets[n].error[kind] < sets[n - 1].error[kind];
    CHECK(is_better);
  }
}

TEST_CASE("accurate sum: the method is that of the lattice and the charges, and a device has what it can") {
  const Structure structure{.path = "a polyanion", .atoms = residues(400, -1.0, 6)};
  const std::vector<PointCharge> charges = point_charges(structure.atoms);
  const PairPotential pair = pair_potential({});
  const LatticeGeometry fine = enclosing_lattice(structure.atoms, {.spacing_A = 0.2}),
                        coarse = enclosing_lattice(structure.atoms, {.spacing_A = 8.0});
  const StandInBackend ample({10'000'000'000});
  BackendChoice device;
  device.backend = Backend::gpu;
  device.owner = &ample;
  const auto chosen = [&](const LatticeGeometry& lattice, double accuracy, const BackendChoice& backend) {
    const SummationOptions options = for_accuracy({.accuracy = accuracy}, {lattice, charges, pair});
    return choose_method({lattice, structure, pair, options, {}}, backend);
  };
  CHECK(chosen(fine, 1e-3, {}).method == Method::multilevel);
  CHECK(chosen(fine, 1e-5, {}).method == Method::multilevel);
  CHECK(chosen(fine, 1e-5, {}).multilevel.decay > MultilevelOptions{}.decay);
  CHECK(chosen(coarse, 1e-3, {}).method == Method::direct);
  CHECK(chosen(fine, 1e-5, device).method == Method::direct);  // its short-range part is not as accurate
  CHECK(for_accuracy({}, {fine, charges, pair}).method == Method::automatic);
  CHECK(for_accuracy({}, {fine, charges, pair}).multilevel == MultilevelOptions{});
  CHECK(chosen_set(SummationOptions{}) == nullptr);
}

TEST_CASE("accurate sum: a request has it, and its record says so") {
  const Structure structure{.path = "a small neutral solute", .atoms = residues(6, 0.0, 2)};
  Stages stages{RunObserver{}};
  const LatticePotential made = compute_potential({.structure = structure,
                                                   .origin = SummationOptions{.accuracy = 1e-4},
                                                   .lattice = {.spacing_A = 1.0},
                                                   .field = {.every_point = true, .threads = 2}},
                                                  stages);
  CHECK(made.potential.accuracy == 1e-4);
  int compared = 0;
  CHECK(relative_error(made.field->values(), made.potential.lattice, structure.atoms, pair_potential({}), 1.0,
                       compared) <= 1e-4);
  CHECK(compared > 100);
}

TEST_CASE("accurate sum: what cannot be had is refused") {
  const std::vector<Atom> atoms = salt(1000, 50.0, 5);
  const std::vector<PointCharge> charges = point_charges(atoms);
  const PairPotential pair = pair_potential({});
  const LatticeGeometry lattice = enclosing_lattice(atoms, {});
  const auto message = [&](double accuracy) {
    return error_of([&] { for_accuracy({.accuracy = accuracy}, {lattice, charges, pair}); });
  };
  for (const double accuracy : {0.0, -1.0, 0.5, 1e-7, std::nan("")})
    CHECK(message(accuracy).find("it must be from 1e-06 to 0.1") != std::string::npos);
  // No point of a lattice inside of a charge counts: every pair is summed.
  const LatticeGeometry inside{{0, 0, 0}, {0.1, 0.1, 0.1}, {2, 2, 2}};
  const std::vector<PointCharge> one{{{0, 0, 0}, 1.0}};
  CHECK(for_accuracy({.accuracy = 1e-3}, {inside, one, pair}).method == Method::direct);
}
