#include "placement/exact_potential.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ionwell {

double ExactPotential::at(std::int64_t index) {
  const Vec3<double> p = lattice_.position_A(index);
  const double position_A[3] = {p.x, p.y, p.z};
  constexpr std::size_t most_known = 1 << 20;  // some 50 MB
  if (known_.size() >= most_known) forget();
  const auto [entry, is_new] = known_.try_emplace(index);
  Known& known = entry->second;
  if (is_new) {
    known.potential_kT_e = solute_sum(position_A);
    if (!imported_kT_e_.empty()) known.potential_kT_e += imported_kT_e_[std::size_t(index)];
    ++sums_;
  }
  if (known.ions < ions_.size())
    known.potential_kT_e += kernels_.exact(position_A, ions_.arrays(known.ions, ions_.size()), pair_);
  known.ions = ions_.size();
  return known.potential_kT_e;
}

double ExactPotential::magnitude_at(std::int64_t index) const {
  const Vec3<double> at_A = lattice_.position_A(index);
  double magnitude = imported_kT_e_.empty() ? 0.0 : std::abs(imported_kT_e_[std::size_t(index)]);
  for (const ChargeTable* table : {&solute_, &ions_})
    for (std::size_t n = 0; n < table->size(); ++n) {
      const PointCharge charge = (*table)[n];
      magnitude += std::abs(charge.charge_e) * pair_.at(distance_squared(at_A, charge.position_A));
    }
  return magnitude;
}

double ExactPotential::magnitude_bound(std::int64_t index, double clearance_A, double ion_clearance_A) const {
  const double imported = imported_kT_e_.empty() ? 0.0 : std::abs(imported_kT_e_[std::size_t(index)]);
  return imported + solute_.total_size_e() * pair_.at(clearance_A * clearance_A) +
         ions_.total_size_e() * pair_.at(ion_clearance_A * ion_clearance_A);
}

double ExactPotential::solute_sum(const double* position_A) {
  constexpr std::size_t segment = 8192;  // summed alone, so that threads change nothing
  std::vector<double> sum((solute_.size() + segment - 1) / segment);
  pool_.run(sum.size(), [&](std::size_t s) {
    const std::size_t last = std::min(solute_.size(), (s + 1) * segment);
    sum[s] = kernels_.exact(position_A, solute_.arrays(s * segment, last), pair_);
  });
  double total = 0.0;
  for (const double part : sum) total += part;
  return total;
}

}  // namespace ionwell
