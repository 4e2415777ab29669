// SPDX-License-Identifier: BSD-3-Clause
#include "placement/periodic_neighbours.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/periodic/periodic_cell_list.hpp"
#include "parallel/parallel_for.hpp"

namespace ionwell {

void find_periodic_neighbours(std::span<PlacedIon> ions, std::span<const Atom> atoms,
                              const PeriodicCell& cell, int threads) {
  std::vector<Vec3<double>> atoms_A, ions_A;
  for (const Atom& atom : atoms) atoms_A.push_back(atom.position_A);
  for (const PlacedIon& ion : ions) ions_A.push_back(ion.position_A);
  constexpr double usual_A = 8.0;
  const PeriodicCellList atom_list(cell, atoms_A, usual_A), ion_list(cell, ions_A, usual_A);
  parallel_for({threads, 16}, std::ssize(ions_A), [&](std::int64_t i) {
    PlacedIon& ion = ions[std::size_t(i)];
    const auto nearest = [&](const PeriodicCellList& list, std::size_t count, std::int64_t but,
                             std::size_t& number) {
      double d2 = std::numeric_limits<double>::infinity();
      if (count == 0) return d2;
      const double farthest_A = cell.farthest_A() * (1 + 1e-9);
      for (double searched_A = usual_A / 2; d2 > searched_A * searched_A && searched_A < farthest_A;) {
        searched_A = std::min(2 * searched_A, farthest_A);
        list.near(ion.position_A, searched_A, [&](std::uint32_t n, const Vec3<double>& d) {
          if (std::int64_t(n) == but || dot(d, d) >= d2) return;
          d2 = dot(d, d);
          number = n;
        });
      }
      return d2;
    };
    std::size_t another = 0;
    ion.nearest_solute_A = std::sqrt(nearest(atom_list, atoms_A.size(), -1, ion.nearest_atom));
    ion.nearest_ion_A = std::sqrt(nearest(ion_list, ions_A.size(), i, another));
  });
}

}  // namespace ionwell
