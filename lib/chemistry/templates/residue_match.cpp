// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/templates/residue_match.hpp"

#include <algorithm>
#include <array>

#include "core/text/lines.hpp"

namespace ionwell {
namespace {

/// Atoms by the names of `scheme`; then those that are left by the PDB's names of version 3, of version 2,
/// and with a D for an H: programs and users mix them.
struct Comparison {
  ResidueMatch match;
  int cost = 0;  // of the template as an explanation of the residue
};

/// An atom that the template does not have weighs more than one that is not in the file; of a branch that is
/// missing only its first atom counts.
int cost_of(const ResidueMatch& match, const std::vector<bool>& is_there, bool has_hydrogens) {
  int cost = 8 * match.unknown_heavy + 4 * match.unknown_hydrogens;
  std::vector<bool> is_counted(is_there.size());
  const auto count = [&](std::size_t present, std::size_t absent) {
    if (!is_there[present] || is_there[absent] || is_counted[absent]) return;
    is_counted[absent] = true;
    const bool is_hydrogen = match.residue->atoms[absent].element == ElementSymbol("H");
    cost += !is_hydrogen ? 4 : has_hydrogens ? 1 : 0;
  };
  for (const TemplateBond& bond : match.residue->bonds) {
    count(bond.first, bond.second);
    count(bond.second, bond.first);
  }
  return cost;
}

/// Whether a hydrogen at N of a chain's first proline is called so by any program.
bool is_of_first_nitrogen(std::string_view name) {
  constexpr std::string_view names[] = {"H",   "H1",  "H2",  "H3",  "HN", "HN1", "HN2",
                                        "HN3", "HT1", "HT2", "HT3", "1H", "2H",  "3H"};
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

/// `by_place`: the two hydrogens of a first proline may have names of different programs.
Comparison compare(const ResidueTemplate& residue, NamingScheme scheme, bool has_hydrogens,
                   std::span<const Label> atoms, bool by_place) {
  ResidueMatch match{.residue = &residue, .scheme = scheme};
  match.atoms.assign(atoms.size(), ResidueMatch::no_atom);
  std::vector<bool> is_taken(residue.atoms.size());
  const auto take = [&](std::size_t n, Label name, NamingScheme names) {
    for (std::size_t m = 0; m < residue.atoms.size(); ++m)
      if (!is_taken[m] && residue.name_in(names, m) == name) {
        match.atoms[n] = std::uint16_t(m);
        is_taken[m] = true;
        return;
      }
  };
  for (std::size_t n = 0; n < atoms.size(); ++n) take(n, atoms[n], scheme);
  for (const NamingScheme other : {NamingScheme::pdb, NamingScheme::pdb2})
    for (std::size_t n = 0; n < atoms.size(); ++n)
      if (match.atoms[n] == ResidueMatch::no_atom) take(n, atoms[n], other);
  for (std::size_t n = 0; n < atoms.size(); ++n)
    if (match.atoms[n] == ResidueMatch::no_atom && atoms[n].view().starts_with('D'))
      take(n, Label("H" + std::string(atoms[n].view().substr(1))), NamingScheme::pdb);
  // They are H2 and H3 in the PDB, H1 and H2 in GROMACS, and files mix them with other names.
  const auto has_two = [&] {  // one alone may be at the other end
    return std::count_if(atoms.begin(), atoms.end(),
                         [](const Label& name) { return is_of_first_nitrogen(name.view()); }) == 2;
  };
  if (by_place && residue.ends.first == ChainEnd::n_terminal && has_two())
    for (std::size_t n = 0; n < atoms.size(); ++n)
      for (std::size_t m = 0; m < residue.atoms.size(); ++m)
        if (match.atoms[n] == ResidueMatch::no_atom && !is_taken[m] &&
            is_of_first_nitrogen(atoms[n].view()) && is_of_first_nitrogen(residue.atoms[m].name.view())) {
          match.atoms[n] = std::uint16_t(m);
          is_taken[m] = true;
        }
  for (std::size_t n = 0; n < atoms.size(); ++n)
    if (match.atoms[n] == ResidueMatch::no_atom)
      ++(is_named_as_hydrogen(atoms[n].view()) ? match.unknown_hydrogens : match.unknown_heavy);
  for (std::size_t m = 0; m < residue.atoms.size(); ++m)
    if (!is_taken[m])
      ++(residue.atoms[m].element == ElementSymbol("H") ? match.missing_hydrogens : match.missing_heavy);
  const int cost = cost_of(match, is_taken, has_hydrogens);
  return {std::move(match), cost};
}

}  // namespace

bool is_named_as_hydrogen(std::string_view name) {
  while (!name.empty() && is_digit(name.front())) name.remove_prefix(1);
  return name.starts_with('H') || name.starts_with('D');
}

const ResidueMatch& ResidueMatcher::match(std::string_view residue, std::span<const Label> atoms) {
  key_.assign(residue);
  for (const Label& atom : atoms) (key_ += ' ') += atom.view();
  const auto found = found_.find(key_);
  if (found != found_.end()) return found->second;
  return found_.emplace(key_, find(residue, atoms)).first->second;
}

ResidueMatch ResidueMatcher::find(std::string_view residue, std::span<const Label> atoms) const {
  const bool has_hydrogens = std::any_of(atoms.begin(), atoms.end(),
                                         [](const Label& name) { return is_named_as_hydrogen(name.view()); });
  ResidueMatch best;
  int lowest = 0;
  const auto find_by = [&](bool by_place) {
    for (std::size_t scheme = 0; scheme < naming_schemes; ++scheme) {
      for (const std::uint32_t n : table_->candidates(residue)) {
        auto [match, cost] =
            compare(table_->templates()[n], NamingScheme(scheme), has_hydrogens, atoms, by_place);
        if (best.residue != nullptr && cost >= lowest) continue;
        lowest = cost;
        best = std::move(match);
      }
      // Two hydrogens on NZ are those of LYN, whichever of the three names they have: so another scheme may
      // explain what the first one misses.
      const bool misses_hydrogens = has_hydrogens && best.missing_hydrogens > 0;
      if (best.residue == nullptr || (best.unknown_heavy + best.unknown_hydrogens == 0 && !misses_hydrogens))
        break;
    }
  };
  find_by(false);
  if (best.residue != nullptr && best.residue->residue == Label("PRO") && best.unknown_hydrogens > 0)
    find_by(true);
  // CLA is chlorophyll as well as CHARMM's chloride: one known atom among many explains nothing.
  const auto known =
      std::count_if(best.atoms.begin(), best.atoms.end(), [](auto n) { return n != ResidueMatch::no_atom; });
  if (2 * known < std::ptrdiff_t(atoms.size())) return {};
  return best;
}

}  // namespace ionwell
