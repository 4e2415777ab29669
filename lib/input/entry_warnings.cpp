// SPDX-License-Identifier: BSD-3-Clause
#include "input/entry_warnings.hpp"

#include <algorithm>

#include "chemistry/decisions/made_residue.hpp"
#include "core/text/count_text.hpp"
#include "core/text/note.hpp"

namespace ionwell {

void add_built_warning(const Structure& entry, const Chemistry& chemistry,
                       const ChemistryDecisions& decisions, std::span<const SentResidue> sent,
                       std::span<const BuiltAtom> built, std::vector<std::string>& warnings) {
  std::int64_t count = 0;
  std::string names;
  for (const BuiltAtom& atom : built) {
    const auto residue = std::find_if(sent.begin(), sent.end(),
                                      [&](const SentResidue& other) { return other.begin == atom.first; });
    if (residue == sent.end()) continue;
    const ResiduePlan& how = decisions.plans[residue->residue];
    const bool is_dropped = how.fate == ResidueFate::made && !takes_built_atom(how, atom.name);
    if (is_dropped) continue;
    constexpr std::int64_t most = 8;
    const Atom& first = entry.atoms[chemistry.residues[residue->residue].begin];
    if (count < most) names += (count == 0 ? "" : ", ") + describe_residue(first) + ' ' + atom.name;
    if (count++ == most) names += ", ...";
  }
  if (count > 0)
    warnings.push_back(note(entry.path + ": missing in the file, built by PDB2PQR: " +
                            count_of(count, "atom") + " (" + names + ')'));
}

void add_gap_warnings(const Structure& entry, const Chemistry& chemistry, const ChemistryDecisions& decisions,
                      std::vector<std::string>& warnings) {
  for (const ChemistryDecision& row : decisions.rows)
    if (row.what.starts_with("a gap after "))
      warnings.push_back(entry.path + ": " +
                         describe_residue(entry.atoms[chemistry.residues[row.residue].begin]) + ": " +
                         row.what + " (" + row.why + ')');
}

}  // namespace ionwell
