#include "potential/charge_table.hpp"
#include "potential/placement_rules.hpp"

#include <algorithm>

namespace ionwell {

void ChargeTable::append(std::span<const PointCharge> charges) {
  constexpr std::size_t group = 64;
  for (std::size_t first = 0; first < charges.size(); first += group) {
    const auto part = charges.subspan(first, std::min(group, charges.size() - first));
    for (const PointCharge& charge : part)
      if (charge.charge_e > 0.0) push_back(charge);
    for (const PointCharge& charge : part)
      if (charge.charge_e < 0.0) push_back(charge);
  }
}

void ChargeTable::push_back(const PointCharge& charge) {
  if (pair_.prefactor * std::abs(charge.charge_e) < smallest_potential_kT_e) return;
  x_A_.push_back(charge.position_A.x);
  y_A_.push_back(charge.position_A.y);
  z_A_.push_back(charge.position_A.z);
  charge_e_.push_back(charge.charge_e);
  length_scale_.push_back(length_scale(pair_, charge.charge_e));
}

}  // namespace ionwell
