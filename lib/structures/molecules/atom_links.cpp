// SPDX-License-Identifier: BSD-3-Clause
#include "structures/molecules/atom_links.hpp"

#include "core/chemistry/composition.hpp"

namespace ionwell {

std::vector<AtomLink> links_between_residues(std::span<const Atom> atoms, std::span<const AtomLink> bonds) {
  std::vector<std::uint32_t> residue_of(atoms.size());
  std::uint32_t number = 0;
  for (std::size_t begin = 0; begin < atoms.size(); ++number)
    for (const std::size_t end = residue_at(atoms, begin).end; begin < end; ++begin)
      residue_of[begin] = number;
  std::vector<AtomLink> links;
  for (const AtomLink& bond : bonds)
    if (residue_of[bond.first] != residue_of[bond.second]) links.push_back(bond);
  return links;
}

std::vector<AtomLink> links_of_kept(std::span<const AtomLink> links, std::span<const std::uint8_t> is_kept) {
  if (is_kept.empty() || links.empty()) return {links.begin(), links.end()};
  std::vector<std::uint32_t> number_of(is_kept.size());
  std::uint32_t kept = 0;
  for (std::size_t n = 0; n < is_kept.size(); ++n) number_of[n] = is_kept[n] ? kept++ : 0;
  std::vector<AtomLink> result;
  for (const AtomLink& link : links)
    if (is_kept[link.first] && is_kept[link.second])
      result.push_back({number_of[link.first], number_of[link.second]});
  return result;
}

}  // namespace ionwell
