// SPDX-License-Identifier: BSD-3-Clause
#include "input/held_residues.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "chemistry/perception/residue_notes.hpp"
#include "chemistry/templates/residue_match.hpp"
#include "structures/solute_elements.hpp"

namespace ionwell {
namespace {

double distance_A_between(const Atom& a, const Atom& b) {
  return std::sqrt(distance_squared(a.position_A, b.position_A));
}

/// Of an amino acid, one row at most. Oxygens of a carboxylate, which look alike, may exchange their names.
std::optional<ChemistryDecision> turned_side_chain(std::span<const Atom> entry, const Chemistry& chemistry,
                                                   const SentResidue& sent) {
  constexpr double turned_A = 0.05;                     // PDB2PQR turns in steps of 5 degrees
  constexpr double exchanged_A = 0.3, flipped_A = 0.6;  // bonds of C, N and O differ by 0.2 A
  const PerceivedResidue& residue = chemistry.residues[sent.residue];
  const std::span<const Atom> file = entry.subspan(residue.begin, residue.end - residue.begin);
  const auto lies_on = [&](const Atom& moved, double distance_A, bool of_its_element) {
    return std::any_of(file.begin(), file.end(), [&](const Atom& other) {
      return !is_named_as_hydrogen(other.name.view()) && distance_A_between(moved, other) <= distance_A &&
             (element_of(other) == element_of(moved)) == of_its_element;
    });
  };
  const Label name = residue.found != nullptr ? residue.found->residue : Label();
  const bool is_ring = name == Label("HIS"), is_amide = name == Label("ASN") || name == Label("GLN");
  const Atom* farthest = nullptr;
  double most_A = 0.0;
  bool is_flipped = is_ring || is_amide;
  for (std::size_t n = 0; n < file.size(); ++n) {
    const auto there = std::find_if(sent.answer.begin(), sent.answer.end(), [&](const Atom& atom) {
      return !sent.names[n].empty() && atom.name == sent.names[n];
    });
    if (there == sent.answer.end() || is_named_as_hydrogen(file[n].name.view())) continue;
    const double away_A = distance_A_between(*there, file[n]);
    if (away_A < turned_A || (away_A > exchanged_A && lies_on(*there, exchanged_A, true))) continue;
    is_flipped = is_flipped && lies_on(*there, flipped_A, false);
    if (away_A > most_A) farthest = &file[n];
    most_A = std::max(most_A, away_A);
  }
  if (farthest == nullptr) return {};
  return ChemistryDecision{sent.residue,
                           !is_flipped ? "its side chain is turned"
                           : is_ring   ? "its ring is flipped"
                                       : "its amide is flipped",
                           "PDB2PQR moved " + std::string(farthest->name.view()) + " by " +
                               distance_text(most_A) +
                               (is_flipped ? ", for hydrogen bonds" : ", out of a clash"),
                           {}};
}

}  // namespace

std::vector<ChemistryDecision> hold_bound_atoms(std::span<const Atom> entry, const Chemistry& chemistry,
                                                const ChemistryDecisions& decisions,
                                                std::span<const BoundAtom> bound,
                                                std::span<const SentResidue> sent, std::span<Atom> answer) {
  constexpr double moved_A = 0.3;
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
  std::set<std::uint32_t> told;
  for (const ChemistryDecision& row : rows) told.insert(row.residue);
  for (const SentResidue& residue : sent)
    if (chemistry.residues[residue.residue].role == ResidueRole::amino_acid &&
        decisions.plans[residue.residue].fate == ResidueFate::sent && !told.contains(residue.residue))
      if (auto row = turned_side_chain(entry, chemistry, residue)) rows.push_back(std::move(*row));
  return rows;
}

}  // namespace ionwell
