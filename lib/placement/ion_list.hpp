// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "electrostatics/charge_table.hpp"
#include "placement/placement_rules.hpp"

namespace ionwell {

/// The ions placed so far that have a charge to speak of, in their order.
class IonList {
 public:
  explicit IonList(const PairPotential& pair) : table_(pair) {}

  /// No point within `limit_A2` (squared) of the ion is available any more. Returns false when its charge
  /// does not count, and the list is as before.
  bool append(const PointCharge& ion, double limit_A2) {
    table_.append({&ion, 1});
    if (distance_A_.size() == table_.size()) return false;
    constexpr double rounding = 1e-12;
    distance_A_.push_back(limit_A2 > 0.0 ? std::sqrt(limit_A2) * (1 - rounding) : 0.0);
    clearance_A_ = std::min(clearance_A_, distance_A_.back());
    return true;
  }

  std::size_t size() const { return table_.size(); }
  const ChargeTable& table() const { return table_; }
  ChargeArrays arrays(std::size_t first, std::size_t last) const { return table_.arrays(first, last); }

  /// How near to each ion, from `first` on, a point can still be available.
  const double* distances_A(std::size_t first) const { return distance_A_.data() + first; }

  /// From any ion to any available point.
  double clearance_A() const { return clearance_A_; }

 private:
  ChargeTable table_;
  std::vector<double> distance_A_;
  double clearance_A_ = std::numeric_limits<double>::infinity();
};

}  // namespace ionwell
