// SPDX-License-Identifier: BSD-3-Clause
#include <limits>

#include "chemistry/perception/residue_links.hpp"

namespace ionwell {
namespace {

// C-N has 1.33 A, O3'-P 1.60 A. Across a gap there are 3 A at least, but models of a low resolution stretch
// the bonds of residues that follow each other.
constexpr double longest_of_neighbours_A = 2.5, longest_of_others_A = 2.0;

/// Whether the numbers say that one follows the other in its chain.
bool follows(const Atom& before, const Atom& after) {
  return before.chain == after.chain && before.segment == after.segment && !before.ends_chain &&
         (std::int64_t(after.residue_number) == std::int64_t(before.residue_number) + 1 ||
          (after.residue_number == before.residue_number && after.insertion_code != before.insertion_code));
}

bool share_a_number(const WorkingResidues& working, std::uint32_t a, std::uint32_t b) {
  const Atom &first = working.atoms()[working.residues()[a].begin],
             &second = working.atoms()[working.residues()[b].begin];
  return first.residue_number == second.residue_number && first.insertion_code == second.insertion_code &&
         first.chain == second.chain && first.segment == second.segment &&
         !(first.residue == second.residue) && working.residues()[a].last_atom != nothing;
}

/// The residue whose last atom is bound to the first atom of residue `r`: the one before it in the file if
/// that is, and otherwise the nearest that has no other yet.
std::uint32_t residue_before(const WorkingResidues& working, std::uint32_t r) {
  const WorkingResidue& residue = working.residues()[r];
  const std::string_view element = working.element(residue.first_atom);
  const std::string_view partner = element == "N" ? "C" : element == "P" ? "O" : std::string_view{};
  if (partner.empty()) return nothing;
  const auto is_free = [&](std::uint32_t q) {
    const std::uint32_t last = working.residues()[q].last_atom;
    return last != nothing && working.residues()[q].after == nothing && working.element(last) == partner;
  };
  // Of two residues of one number, which share a place, the chain goes through the first.
  const std::uint32_t previous = r > 1 && share_a_number(working, r - 2, r - 1) ? r - 2 : r - 1;
  if (r > 0 && is_free(previous)) {
    const WorkingResidue& last = working.residues()[previous];
    const bool is_next = follows(working.atoms()[last.end - 1], working.atoms()[residue.begin]);
    if (working.distance_A(last.last_atom, residue.first_atom) <=
        (is_next ? longest_of_neighbours_A : longest_of_others_A))
      return previous;
  }
  std::uint32_t found = nothing;
  double nearest_A = std::numeric_limits<double>::infinity();
  working.near(residue.first_atom, longest_of_others_A, [&](std::uint32_t atom, double distance_A) {
    const std::uint32_t other = working.residue_of(atom);
    if (other == r || working.residues()[other].last_atom != atom || !is_free(other)) return;
    if (distance_A > nearest_A || (distance_A == nearest_A && other > found)) return;
    nearest_A = distance_A;
    found = other;
  });
  return found;
}

}  // namespace

void link_chains(WorkingResidues& working) {
  auto& residues = working.residues();
  for (std::uint32_t r = 0; r < residues.size(); ++r) {
    if (residues[r].first_atom == nothing) continue;
    const std::uint32_t before = residue_before(working, r);
    if (before == nothing) continue;
    residues[r].before = before;
    residues[before].after = r;
  }
}

}  // namespace ionwell
