// SPDX-License-Identifier: BSD-3-Clause
#include "input/entry_part.hpp"

#include <utility>

#include "core/chemistry/composition.hpp"

namespace ionwell {

std::vector<Atom> take_waters_out(EntryPart& part) {
  const std::vector<Atom>& atoms = part.structure.atoms;
  std::vector<std::uint8_t> is_water(atoms.size(), 0);
  std::vector<Atom> waters;
  for (std::size_t begin = 0; begin < atoms.size();) {
    const Residue residue = residue_at(atoms, begin);
    for (; begin < residue.end; ++begin) {
      if (residue.kind != ResidueKind::water) continue;
      is_water[begin] = 1;
      waters.push_back(atoms[begin]);
    }
  }
  take_out(part, is_water);
  return waters;
}

void take_out(EntryPart& part, std::span<const std::uint8_t> is_taken) {
  std::vector<Atom>& atoms = part.structure.atoms;
  std::vector<std::uint32_t> number(atoms.size());
  std::size_t kept = 0;
  for (std::size_t n = 0; n < atoms.size(); ++n) {
    number[n] = std::uint32_t(kept);
    if (is_taken[n]) {
      if (atoms[n].ends_chain && kept > 0 && atoms[kept - 1].chain == atoms[n].chain)
        atoms[kept - 1].ends_chain = true;
      continue;
    }
    if (!part.acts.empty()) part.acts[kept] = part.acts[n];
    if (kept != n) atoms[kept] = atoms[n];
    ++kept;
  }
  atoms.resize(kept);
  if (!part.acts.empty()) part.acts.resize(kept);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> bonds;
  for (const auto& [first, second] : part.records.connected_atoms)
    if (!is_taken[first] && !is_taken[second]) bonds.emplace_back(number[first], number[second]);
  part.records.connected_atoms = std::move(bonds);
}

}  // namespace ionwell
