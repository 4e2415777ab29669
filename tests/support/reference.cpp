// SPDX-License-Identifier: BSD-3-Clause
#include "support/reference.hpp"

#include <cmath>
#include <limits>

namespace ionwell::test {
namespace {

double distance_A(Vec3<double> a, Vec3<double> b) {
  const double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
  return std::sqrt(x * x + y * y + z * z);
}

double squared_A2(Vec3<double> a, Vec3<double> b) {
  const double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
  return x * x + y * y + z * z;
}

/// Positions in the order of LatticeGeometry: x fastest.
std::vector<Vec3<double>> positions(const LatticeGeometry& lattice) {
  std::vector<Vec3<double>> result;
  for (std::int64_t k = 0; k < lattice.counts.z; ++k)
    for (std::int64_t j = 0; j < lattice.counts.y; ++j)
      for (std::int64_t i = 0; i < lattice.counts.x; ++i)
        result.push_back({lattice.origin_A.x + lattice.spacing_A.x * double(i),
                          lattice.origin_A.y + lattice.spacing_A.y * double(j),
                          lattice.origin_A.z + lattice.spacing_A.z * double(k)});
  return result;
}

}  // namespace

double reference_pair(const PairPotential& pair, double distance_A) {
  const double r = std::max(distance_A, 1e-3);
  switch (pair.kind) {
    case PairPotential::Kind::coulomb:
      return pair.prefactor / r;
    case PairPotential::Kind::distance_dependent:
      return pair.prefactor / (r * r);
    case PairPotential::Kind::debye_hueckel:
      return pair.prefactor * std::exp(-pair.kappa_per_A * r) / r;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

std::vector<double> reference_potential(const LatticeGeometry& lattice, const PairPotential& pair,
                                        std::span<const PointCharge> charges) {
  std::vector<double> result;
  for (const Vec3<double>& p : positions(lattice)) {
    double sum = 0.0;
    for (const PointCharge& q : charges)
      sum += q.charge_e * reference_pair(pair, distance_A(p, q.position_A));
    result.push_back(sum);
  }
  return result;
}

std::vector<double> reference_magnitude(const LatticeGeometry& lattice, const PairPotential& pair,
                                        std::span<const PointCharge> charges) {
  std::vector<PointCharge> positive(charges.begin(), charges.end());
  for (PointCharge& q : positive) q.charge_e = std::abs(q.charge_e);
  return reference_potential(lattice, pair, positive);
}

std::vector<double> nearest_distance(const LatticeGeometry& lattice, std::span<const Vec3<double>> centres) {
  std::vector<double> result;
  for (const Vec3<double>& p : positions(lattice)) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const Vec3<double>& c : centres) nearest = std::min(nearest, distance_A(p, c));
    result.push_back(nearest);
  }
  return result;
}

std::vector<bool> excluded_by_solute(const LatticeGeometry& lattice, std::span<const Vec3<double>> centres,
                                     double distance_A) {
  std::vector<bool> result;
  for (const Vec3<double>& p : positions(lattice)) {
    bool excluded = false;
    for (const Vec3<double>& c : centres)
      excluded = excluded || squared_A2(p, c) <= distance_A * distance_A + 5e-7;
    result.push_back(excluded);
  }
  return result;
}

void exclude_around_ion(const LatticeGeometry& lattice, Vec3<double> ion_A, double distance_A,
                        std::vector<bool>& excluded) {
  std::size_t p = 0;
  for (const Vec3<double>& at : positions(lattice)) {
    if (squared_A2(at, ion_A) < distance_A * distance_A - 5e-7) excluded[p] = true;
    ++p;
  }
}

std::vector<ReferenceIon> reference_placement(const ReferenceProblem& problem) {
  const std::vector<Vec3<double>> points = positions(problem.lattice);
  std::vector<double> potential = reference_potential(problem.lattice, problem.pair, problem.charges);
  std::vector<double> magnitude = reference_magnitude(problem.lattice, problem.pair, problem.charges);
  std::vector<bool> excluded = excluded_by_solute(problem.lattice, problem.centres, problem.ion_solute_A);
  std::vector<ReferenceIon> ions;
  for (const double charge_e : problem.ion_charges_e) {
    std::size_t lowest = points.size();
    for (std::size_t p = 0; p < points.size(); ++p)
      if (!excluded[p] && (lowest == points.size() || charge_e * potential[p] < charge_e * potential[lowest]))
        lowest = p;
    if (lowest == points.size()) return ions;
    const double limit_kT = charge_e * potential[lowest] + 1e-14 * std::abs(charge_e) * magnitude[lowest];
    std::size_t best = 0;
    while (excluded[best] || charge_e * potential[best] > limit_kT) ++best;
    ions.push_back({std::int64_t(best), charge_e * potential[best]});
    for (std::size_t p = 0; p < points.size(); ++p) {
      const double unit = reference_pair(problem.pair, distance_A(points[p], points[best]));
      potential[p] += charge_e * unit;
      magnitude[p] += std::abs(charge_e) * unit;
    }
    exclude_around_ion(problem.lattice, points[best], problem.ion_ion_A, excluded);
  }
  return ions;
}

}  // namespace ionwell::test
