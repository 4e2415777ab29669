// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstddef>
#include <span>

#include "core/structure.hpp"
#include "sampling/ion_model.hpp"

namespace ionwell {

/// Calls visit(n, position) for each atom, and in a periodic box for each of its images within `distance_A`
/// of the box by axis; those farther away are left out there.
template <typename Visit>
void for_each_image(std::span<const Atom> atoms, const Box& box, SampleBoundary boundary, double distance_A,
                    const Visit& visit) {
  if (boundary == SampleBoundary::open) {
    for (std::size_t n = 0; n < atoms.size(); ++n) visit(n, atoms[n].position_A);
    return;
  }
  const Vec3<double> edge = box.highest_A - box.lowest_A;
  const auto first = [distance_A](double x, double low, double length) {
    return int(std::ceil((low - distance_A - x) / length));
  };
  const auto last = [distance_A](double x, double high, double length) {
    return int(std::floor((high + distance_A - x) / length));
  };
  for (std::size_t n = 0; n < atoms.size(); ++n) {
    const Vec3<double>& p = atoms[n].position_A;
    for (int k = first(p.z, box.lowest_A.z, edge.z); k <= last(p.z, box.highest_A.z, edge.z); ++k)
      for (int j = first(p.y, box.lowest_A.y, edge.y); j <= last(p.y, box.highest_A.y, edge.y); ++j)
        for (int i = first(p.x, box.lowest_A.x, edge.x); i <= last(p.x, box.highest_A.x, edge.x); ++i)
          visit(n, p + Vec3<double>{i * edge.x, j * edge.y, k * edge.z});
  }
}

}  // namespace ionwell
