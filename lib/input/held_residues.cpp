// SPDX-License-Identifier: BSD-3-Clause
#include "input/held_residues.hpp"

#include <algorithm>
#include <cmath>

#include "chemistry/perception/residue_notes.hpp"

namespace ionwell {

std::vector<ChemistryDecision> hold_bound_atoms(std::span<const Atom> entry, const Chemistry& chemistry,
                                                const ChemistryDecisions& decisions,
                                                std::span<const BoundAtom> bound,
                                                std::span<const SentResidue> sent, std::span<Atom> answer) {
  constexpr double moved_A = 0.3;  // PDB2PQR moves an atom by a turn, or not at all
  std::vector<ChemistryDecision> rows;
  for (const BoundAtom& held : bound) {
    const std::uint32_t r = chemistry.residue_of(held.atom);
    const auto place = std::find_if(sent.begin(), sent.end(),
                                    [r](const SentResidue& residue) { return residue.residue == r; });
    const ResiduePlan& how = decisions.plans[r];
    const ResidueTemplate* const residue = how.parent != nullptr ? how.parent : chemistry.residues[r].found;
    if (place == sent.end() || place->answer.empty() || residue == nullptr) continue;
    const std::span<Atom> atoms =
        answer.subspan(std::size_t(place->answer.data() - answer.data()), place->answer.size());
    const std::uint32_t begin = chemistry.residues[r].begin;
    const Label name = place->names[held.atom - begin];
    const auto there =
        std::find_if(atoms.begin(), atoms.end(), [&](const Atom& atom) { return atom.name == name; });
    if (name.empty() || there == atoms.end()) continue;
    const auto distance_A = [&] {
      return std::sqrt(distance_squared(there->position_A, entry[held.atom].position_A));
    };
    const double away_A = distance_A();
    if (away_A < moved_A) continue;
    std::vector<Atom> file(entry.begin() + begin, entry.begin() + chemistry.residues[r].end);
    for (std::size_t n = 0; n < file.size(); ++n) file[n].name = place->names[n];
    turn_back(atoms, *residue, file, name.view());
    const bool is_back = distance_A() < moved_A;  // without all atoms in between it stays
    rows.push_back(
        {r,
         is_back ? "its side chain is flipped back" : "its side chain is not where it is in the file",
         std::string(name.view()) + " is bound to " + describe_residue(entry[held.partner]) +
             ", and PDB2PQR had moved it by " + distance_text(away_A),
         {}});
  }
  return rows;
}

}  // namespace ionwell
