// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/perception/shared_places.hpp"

#include <algorithm>

namespace ionwell {

std::vector<SharedPlace> find_shared_places(const WorkingResidues& working) {
  std::vector<SharedPlace> shared;
  std::vector<std::uint32_t> others;  // by atom of a residue, the first residue before it in that place
  for (std::uint32_t r = 1; r < working.residues().size(); ++r) {
    const WorkingResidue& residue = working.residues()[r];
    others.clear();
    std::size_t heavy = 0, alone = 0;
    for (std::uint32_t n = residue.begin; n < residue.end; ++n) heavy += working.is_hydrogen(n) ? 0 : 1;
    for (std::uint32_t n = residue.begin; n < residue.end && 2 * alone <= heavy; ++n) {
      if (working.is_hydrogen(n)) continue;
      std::uint32_t other = nothing;
      working.near(n, same_place_A, [&](std::uint32_t m, double) {
        if (m < residue.begin && !working.is_hydrogen(m)) other = std::min(other, working.residue_of(m));
      });
      if (other == nothing)
        ++alone;
      else
        others.push_back(other);
    }
    if (others.empty() || 2 * alone > heavy) continue;
    std::sort(others.begin(), others.end());
    std::uint32_t best = others[0];
    std::size_t most = 0;
    for (std::size_t begin = 0, end = 0; begin < others.size(); begin = end) {
      while (end < others.size() && others[end] == others[begin]) ++end;
      if (end - begin > most) {
        most = end - begin;
        best = others[begin];
      }
    }
    if (2 * most >= heavy) shared.push_back({r, best});
  }
  return shared;
}

}  // namespace ionwell
