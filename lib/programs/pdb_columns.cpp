// SPDX-License-Identifier: BSD-3-Clause
#include "programs/pdb_columns.hpp"

#include <cmath>

#include "core/box.hpp"

namespace ionwell {

Vec3<double> shift_into_pdb_columns(std::span<const Atom> atoms) {
  constexpr double lowest_A = -999.0, highest_A = 9999.0;
  const Box box = bounding_box(atoms);
  const auto centred = [](double low, double high) {
    return low > lowest_A && high < highest_A ? 0.0 : -std::round(0.5 * (low + high));
  };
  const Vec3<double>&low = box.lowest_A, &high = box.highest_A;
  return {centred(low.x, high.x), centred(low.y, high.y), centred(low.z, high.z)};
}

}  // namespace ionwell
