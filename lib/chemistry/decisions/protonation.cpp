// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/decisions/protonation.hpp"

#include <algorithm>
#include <cstdio>

#include "chemistry/decisions/residue_ends.hpp"
#include "chemistry/templates/residue_match.hpp"

namespace ionwell {
namespace {

struct PkaState {
  std::string_view group, name;        // empty: no force field has it
  bool has_lost_proton;                // against the standard state
  std::string_view hydrogens[2] = {};  // what the names of those that the group may have contain
};

/// Those that are not the standard ones.
constexpr PkaState pka_states[] = {{"ASP", "ASH", false, {"HD"}},
                                   {"GLU", "GLH", false, {"HE"}},
                                   {"HIS", "HIP", false, {"HD1", "HE2"}},
                                   {"LYS", "LYN", true, {"HZ"}},
                                   {"CYS", "CYM", true, {"HG"}},
                                   {"TYR", "", true},
                                   {"ARG", "", true},
                                   {"N+", "", true},
                                   {"C-", "", false}};

std::string two_decimals(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

bool is_on_backbone_nitrogen(std::string_view hydrogen) {
  constexpr std::string_view names[] = {"H",  "HN", "D",  "H1",  "H2",  "H3",
                                        "1H", "2H", "3H", "HT1", "HT2", "HT3"};
  return std::find(std::begin(names), std::end(names), hydrogen) != std::end(names);
}

bool is_on_alpha_carbon(std::string_view hydrogen) {
  return hydrogen.find("HA") != hydrogen.npos;
}

/// Whether the hydrogens of a side chain show its state: those that its group may have, or all others, for a
/// file may have those of amides only, or of carbons.
bool show_state(std::span<const Atom> residue, const PkaState& state) {
  bool has_amide = false, has_side_chain = false;
  for (const Atom& atom : residue) {
    const std::string_view name = atom.name.view();
    if (!is_named_as_hydrogen(name)) continue;
    for (const std::string_view of_group : state.hydrogens)
      if (!of_group.empty() && name.find(of_group) != name.npos) return true;
    if (is_on_backbone_nitrogen(name))
      has_amide = true;
    else if (!is_on_alpha_carbon(name))
      has_side_chain = true;
  }
  return has_amide && has_side_chain;
}

}  // namespace

void decide_protonation(std::span<const Atom> atoms, const Chemistry& chemistry, const ResidueUse& use,
                        double pH, ChemistryDecisions& decisions) {
  for (const ResiduePka& pka : use.pkas) {
    const auto state = std::find_if(std::begin(pka_states), std::end(pka_states),
                                    [&](const PkaState& other) { return other.group == pka.group.view(); });
    if (state == std::end(pka_states)) continue;
    const bool is_other = state->has_lost_proton ? pka.pka < pH : pka.pka > pH;
    const PerceivedResidue& residue = chemistry.residues[pka.residue];
    ResiduePlan& plan = decisions.plans[pka.residue];
    const ResidueEnds ends = ends_of(chemistry, pka.residue);
    const bool is_alone = plan.fate == ResidueFate::made && plan.goal->name == plan.goal->residue &&
                          ends.is_first && ends.is_last;
    const bool is_open = is_alone || (plan.fate == ResidueFate::sent && plan.sent_as.empty());
    const bool is_other_tautomer = plan.fate == ResidueFate::sent && pka.group == Label("HIS") &&
                                   (plan.sent_as == Label("HID") || plan.sent_as == Label("HIE"));
    if (!is_other || (!is_open && !is_other_tautomer)) continue;
    const std::string why =
        "its pKa is " + two_decimals(pka.pka) + " by PROPKA, and the pH " + two_decimals(pH);
    const bool is_end = ends.is_first || ends.is_last;
    const bool is_first = pka.group == Label("N+"), is_last = pka.group == Label("C-");
    // PROPKA does not see what a ring or a residue that it does not know closes.
    if ((is_first && !ends.is_first) || (is_last && !ends.is_last)) continue;
    const bool is_known =
        !is_alone && !state->name.empty() && (!use.has_state || use.has_state(state->name, is_end));
    if (is_other_tautomer) {
      decisions.rows.push_back({pka.residue,
                                "stays " + std::string(plan.sent_as.view()),
                                why + "; the hydrogens in the file or the metal at it decide",
                                {}});
    } else if (is_known && show_state(atoms.subspan(residue.begin, residue.end - residue.begin), *state)) {
      decisions.rows.push_back({pka.residue,
                                "keeps the state that its hydrogens show",
                                why + "; without those in the file it would be " + std::string(state->name),
                                {}});
    } else if (is_known) {
      plan.sent_as = state->name;
      decisions.rows.push_back({pka.residue, "as " + std::string(state->name), why, "--pH"});
    } else {
      decisions.rows.push_back(
          {pka.residue,
           is_first || is_last ? "its end of the chain stays charged" : "keeps its standard state",
           why + (is_alone              ? "; it is a single residue with both ends of a chain"
                  : state->name.empty() ? "; the force field does not have the other state"
                                        : "; the force field has no " + state_there(state->name, is_end)),
           state->name.empty() ? "" : "--charges"});
    }
  }
}

}  // namespace ionwell
