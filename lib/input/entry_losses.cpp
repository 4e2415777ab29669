// SPDX-License-Identifier: BSD-3-Clause
#include "input/entry_losses.hpp"

#include <algorithm>

#include "chemistry/decisions/residue_ends.hpp"
#include "chemistry/decisions/sent_names.hpp"
#include "structures/solute_elements.hpp"

namespace ionwell {

bool has_one_end(const Chemistry& chemistry, std::uint32_t residue, const ResiduePlan& plan) {
  if (chemistry.residues[residue].role != ResidueRole::amino_acid || plan.fate != ResidueFate::sent)
    return false;
  const ResidueEnds ends = ends_of(chemistry, residue);
  return ends.is_first && ends.is_last;
}

void add_lost_atoms(std::span<const Atom> entry, const Chemistry& chemistry, const ResiduePlan& plan,
                    const SentResidue& sent, std::vector<EntryLoss>& lost) {
  const PerceivedResidue& residue = chemistry.residues[sent.residue];
  const std::span<const Atom> atoms = entry.subspan(residue.begin, residue.end - residue.begin);
  std::vector<std::size_t> in_goal;
  if (plan.fate == ResidueFate::made) in_goal = numbers_in_goal(atoms, *plan.goal);
  for (std::size_t n = 0; n < atoms.size(); ++n) {
    if (element_of(atoms[n]) == "H") continue;
    const bool is_removed = plan.loses_phosphate && is_phosphate_atom(atoms[n].name.view());
    if (!in_goal.empty() && in_goal[n] == ResidueTemplate::no_atom && !is_removed)
      lost.push_back({sent.residue, atoms[n].name});
    if (sent.names[n].empty()) continue;
    const bool came_back = std::any_of(sent.answer.begin(), sent.answer.end(),
                                       [&](const Atom& atom) { return atom.name == sent.names[n]; });
    const bool is_of_end = (has_one_end(chemistry, sent.residue, plan) && atoms[n].name == Label("OXT")) ||
                           is_second_end(plan, sent.names[n].view());
    if (!came_back && !is_of_end) lost.push_back({sent.residue, atoms[n].name});
  }
}

}  // namespace ionwell
