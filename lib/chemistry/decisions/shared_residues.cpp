// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/decisions/shared_residues.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "chemistry/perception/bond_lengths.hpp"
#include "chemistry/perception/residue_notes.hpp"

namespace ionwell {
namespace {

bool gets_charges(const ResiduePlan& plan) {
  return plan.fate == ResidueFate::sent || plan.fate == ResidueFate::made;
}

// Metal ions of two residues are farther apart: two of copper 2.4 A. So are a metal and a halide, 1.8 A.
constexpr double nearest_metals_A = 2.0, nearest_ions_A = 1.2;

/// Of positions that an ion of the crystal has one at a time, the first in the file stays.
void decide_shared_ions(std::span<const Atom> atoms, const Chemistry& chemistry, const ResidueUse& use,
                        ChemistryDecisions& decisions) {
  std::vector<std::uint32_t> ions;  // along x
  for (std::uint32_t r = 0; r < chemistry.residues.size(); ++r)
    if (decisions.plans[r].fate == ResidueFate::ion && use.acts(r) &&
        chemistry.residues[r].end == chemistry.residues[r].begin + 1)
      ions.push_back(r);
  const auto atom = [&](std::uint32_t r) -> const Atom& { return atoms[chemistry.residues[r].begin]; };
  std::stable_sort(ions.begin(), ions.end(), [&](std::uint32_t a, std::uint32_t b) {
    return atom(a).position_A.x < atom(b).position_A.x;
  });
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;  // the later one first
  for (std::size_t n = 0; n < ions.size(); ++n)
    for (std::size_t m = n + 1; m < ions.size(); ++m) {
      const Atom &a = atom(ions[n]), &b = atom(ions[m]);
      if (b.position_A.x - a.position_A.x >= nearest_metals_A) break;
      const bool are_metals =
          is_metal(element_by_name(a, true).view()) && is_metal(element_by_name(b, true).view());
      const double least_A = are_metals ? nearest_metals_A : nearest_ions_A;
      if (distance_squared(a.position_A, b.position_A) < least_A * least_A)
        pairs.emplace_back(std::max(ions[n], ions[m]), std::min(ions[n], ions[m]));
    }
  std::sort(pairs.begin(), pairs.end());
  for (const auto& [later, first] : pairs) {
    ResidueFate& fate = decisions.plans[later].fate;
    if (fate == ResidueFate::removed || decisions.plans[first].fate == ResidueFate::removed) continue;
    fate = ResidueFate::removed;
    const double distance_A = std::sqrt(distance_squared(atom(later).position_A, atom(first).position_A));
    decisions.rows.push_back({later, "ion left out",
                              "it is " + distance_text(distance_A) + " from " +
                                  describe_residue(atom(first)) + ", and both cannot be there at a time",
                              "--ignore"});
  }
}

}  // namespace

void decide_shared_places(std::span<const Atom> atoms, const Chemistry& chemistry,
                          const ChemistryChoices& choices, const ResidueUse& use,
                          ChemistryDecisions& decisions) {
  decide_shared_ions(atoms, chemistry, use, decisions);
  std::map<std::uint32_t, std::uint32_t> acting;  // by the first residue of a place, one there that acts
  for (const SharedPlace& shared : chemistry.shared_places) {
    const auto known = acting.find(shared.of);
    const std::uint32_t r = shared.residue, other = known == acting.end() ? shared.of : known->second;
    ResiduePlan& plan = decisions.plans[r];
    if (!gets_charges(plan) || !gets_charges(decisions.plans[other])) continue;
    if (!use.acts(r)) {
      plan.fate = ResidueFate::uncharged;
    } else if (!use.acts(other)) {
      decisions.plans[other].fate = ResidueFate::uncharged;
      acting[shared.of] = r;
    } else {
      plan.same_place_as = other;
      plan.fate = choices.allow_missing ? ResidueFate::removed : ResidueFate::refused;
      if (choices.allow_missing)
        decisions.rows.push_back({r,
                                  "left out",
                                  "it is at the position of " +
                                      describe_residue(atoms[chemistry.residues[other].begin]) +
                                      ", --allow-missing",
                                  {}});
    }
  }
}

}  // namespace ionwell
