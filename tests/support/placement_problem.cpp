// SPDX-License-Identifier: BSD-3-Clause
#include "support/placement_problem.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "support/backends.hpp"
#include "support/cases.hpp"

namespace ionwell::test {

Structure structure_of(const ReferenceProblem& problem) {
  Structure structure;
  for (const Vec3<double>& centre : problem.centres) structure.atoms.push_back({.position_A = centre});
  return structure;
}

std::unique_ptr<PotentialField> filled_field(const ReferenceProblem& problem, const FieldOptions& options) {
  auto masked = make_lattice(problem.lattice, problem.pair, options);
  masked->exclude(problem.centres, problem.ion_solute_A);
  return fill(std::move(masked), DirectSum{problem.charges}, {});
}

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

std::vector<double> alternating(int count, const std::vector<double>& charges_e) {
  std::vector<double> result;
  for (int n = 0; n < count; ++n) result.push_back(charges_e[std::size_t(n) % charges_e.size()]);
  return result;
}

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

void check_everywhere(const ReferenceProblem& problem, const std::vector<ReferenceIon>& reference) {
  const std::vector<int> thread_counts = testing_gpu() ? std::vector{1} : std::vector{1, 2, 3};
  for (const SimdLevel level : simd_levels())
    for (const int threads : thread_counts) {
      CAPTURE(std::string(to_string(level)));
      CAPTURE(threads);
      const auto field = filled_field(problem, {.threads = threads, .simd = level});
      CHECK(differences(placed(problem, *field), reference) == 0);
    }
}

}  // namespace ionwell::test
