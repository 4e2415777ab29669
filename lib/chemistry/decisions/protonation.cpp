// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/decisions/protonation.hpp"

#include <algorithm>
#include <cstdio>

#include "chemistry/decisions/residue_ends.hpp"
#include "chemistry/templates/residue_match.hpp"

namespace ionwell {
namespace {

struct PkaState {
  std::string_view group, name;  // empty: no force field has it
  bool has_lost_proton;          // against the standard state
};

/// Those that are not the standard ones.
constexpr PkaState pka_states[] = {{"ASP", "ASH", false}, {"GLU", "GLH", false}, {"HIS", "HIP", false},
                                   {"LYS", "LYN", true},  {"CYS", "CYM", true},  {"TYR", "", true},
                                   {"ARG", "", true},     {"N+", "", true},      {"C-", "", false}};

std::string two_decimals(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

/// Those of the backbone say nothing of a side chain.
bool is_on_backbone(std::string_view hydrogen) {
  constexpr std::string_view names[] = {"H",   "HN",  "D",  "H1",  "H2",  "H3", "HT1",
                                        "HT2", "HT3", "HA", "HA1", "HA2", "HA3"};
  return std::find(std::begin(names), std::end(names), hydrogen) != std::end(names);
}

bool has_own_hydrogens(std::span<const Atom> residue, bool of_side_chain) {
  return std::any_of(residue.begin(), residue.end(), [&](const Atom& atom) {
    return is_named_as_hydrogen(atom.name.view()) && !(of_side_chain && is_on_backbone(atom.name.view()));
  });
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
    if (!is_other || !is_open) continue;
    const std::string why =
        "its pKa is " + two_decimals(pka.pka) + " by PROPKA, and the pH " + two_decimals(pH);
    const bool is_end = ends.is_first || ends.is_last;
    const bool is_first = pka.group == Label("N+"), is_last = pka.group == Label("C-");
    const bool is_terminus = is_first || is_last;
    const bool is_given =
        has_own_hydrogens(atoms.subspan(residue.begin, residue.end - residue.begin), !is_terminus);
    // PROPKA does not see what a ring or a residue that it does not know closes.
    if ((is_first && !ends.is_first) || (is_last && !ends.is_last)) continue;
    if (is_given) {
      decisions.rows.push_back({pka.residue,
                                is_terminus ? "its end of the chain keeps the state of its hydrogens"
                                            : "keeps the state that its hydrogens show",
                                why + "; those in the file decide", "remove them from the file"});
    } else if (!is_alone && !state->name.empty() && (!use.has_state || use.has_state(state->name, is_end))) {
      plan.sent_as = state->name;
      decisions.rows.push_back({pka.residue, "as " + std::string(state->name), why, "--pH"});
    } else {
      decisions.rows.push_back(
          {pka.residue, is_terminus ? "its end of the chain stays charged" : "keeps its standard state",
           why + (is_alone              ? "; it is a single residue with both ends of a chain"
                  : state->name.empty() ? "; the force field does not have the other state"
                                        : "; the force field has no " + state_there(state->name, is_end)),
           state->name.empty() ? "" : "--charges"});
    }
  }
}

}  // namespace ionwell
