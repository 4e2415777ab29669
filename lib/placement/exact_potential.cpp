// SPDX-License-Identifier: BSD-3-Clause
#include "placement/exact_potential.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ionwell {

double ExactPotential::at(std::int64_t index) {
  const Vec3<double> p = lattice_.position_A(index);
  const double position_A[3] = {p.x, p.y, p.z};
  constexpr std::size_t most_known = 1 << 20;  // some 50 MB
  if (known_.size() >= most_known) known_.clear();
  const auto [entry, is_new] = known_.try_emplace(index);
  Known& known = entry->second;
  if (is_new) {
    known.potential_kT_e = solute_sum(position_A);
    if (!terms_.imported_kT_e.empty()) known.potential_kT_e += terms_.imported_kT_e[std::size_t(index)];
    ++sums_;
  }
  // Only whole blocks are kept: so a sum is the same whenever the point was asked for before, and by whom.
  constexpr std::size_t block = 64;
  const auto sum_of_ions = [&](std::size_t last) {
    return kernels_.exact(position_A, terms_.ions.arrays(known.ions, last), terms_.pair);
  };
  for (; known.ions + block <= terms_.ions.size(); known.ions += block)
    known.potential_kT_e += sum_of_ions(known.ions + block);
  if (known.ions == terms_.ions.size()) return known.potential_kT_e;
  return known.potential_kT_e + sum_of_ions(terms_.ions.size());
}

double ExactPotential::magnitude_at(std::int64_t index) const {
  const Vec3<double> at_A = lattice_.position_A(index);
  double magnitude = terms_.imported_kT_e.empty() ? 0.0 : std::abs(terms_.imported_kT_e[std::size_t(index)]);
  for (const ChargeTable* table : {&terms_.solute, &terms_.ions.table()})
    for (std::size_t n = 0; n < table->size(); ++n) {
      const PointCharge charge = (*table)[n];
      magnitude += std::abs(charge.charge_e) * terms_.pair.at(distance_squared(at_A, charge.position_A));
    }
  return magnitude;
}

double ExactPotential::magnitude_bound(std::int64_t index) const {
  const double imported =
      terms_.imported_kT_e.empty() ? 0.0 : std::abs(terms_.imported_kT_e[std::size_t(index)]);
  const auto of = [&](const ChargeTable& charges, double clearance_A) {
    return charges.total_size_e() * terms_.pair.at(clearance_A * clearance_A);
  };
  return imported + of(terms_.solute, terms_.clearance_A) +
         of(terms_.ions.table(), terms_.ions.clearance_A());
}

double ExactPotential::solute_sum(const double* position_A) {
  constexpr std::size_t segment = 8192;  // summed alone, so that threads change nothing
  std::vector<double> sum((terms_.solute.size() + segment - 1) / segment);
  parallel_for(pool_, sum.size(), [&](std::size_t s) {
    const std::size_t last = std::min(terms_.solute.size(), (s + 1) * segment);
    sum[s] = kernels_.exact(position_A, terms_.solute.arrays(s * segment, last), terms_.pair);
  });
  double total = 0.0;
  for (const double part : sum) total += part;
  return total;
}

}  // namespace ionwell
