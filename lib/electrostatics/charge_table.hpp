// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "core/structure.hpp"
#include "electrostatics/simd/direct_kernels.hpp"

namespace ionwell {

/// Charges as the inner loops read them: one array per member.
class ChargeTable {
 public:
  explicit ChargeTable(const PairPotential& pair) : pair_(pair) {}

  /// Appends charges in an order of its own, which the sum is fastest with: in clusters of 64 neighbours, the
  /// positive ones of a cluster in front. Charges whose potential at 1 A is below 1e-12 kT/e count as zero
  /// and are left out.
  void append(std::span<const PointCharge> charges);

  std::size_t size() const { return charge_e_.size(); }

  /// Sum of the charges' sizes.
  double total_size_e() const { return total_size_e_; }

  PointCharge operator[](std::size_t i) const { return {{x_A_[i], y_A_[i], z_A_[i]}, charge_e_[i]}; }

  /// Charges first, first + 1, ... last - 1; valid until the next append.
  ChargeArrays arrays(std::size_t first, std::size_t last) const {
    return {x_A_.data() + first,      y_A_.data() + first,          z_A_.data() + first,
            charge_e_.data() + first, length_scale_.data() + first, last - first};
  }
  ChargeArrays arrays() const { return arrays(0, size()); }

 private:
  PairPotential pair_;
  std::vector<double> x_A_, y_A_, z_A_, charge_e_, length_scale_;
  double total_size_e_ = 0.0;
};

}  // namespace ionwell
