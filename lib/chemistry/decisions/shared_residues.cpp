// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/decisions/shared_residues.hpp"

#include <map>

namespace ionwell {
namespace {

bool gets_charges(const ResiduePlan& plan) {
  return plan.fate == ResidueFate::sent || plan.fate == ResidueFate::made;
}

}  // namespace

void decide_shared_places(std::span<const Atom> atoms, const Chemistry& chemistry,
                          const ChemistryChoices& choices, const ResidueUse& use,
                          ChemistryDecisions& decisions) {
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
