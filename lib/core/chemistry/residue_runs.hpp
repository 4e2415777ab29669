// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>

#include "core/chemistry/residue_kind.hpp"

namespace ionwell {

/// Whether two neighbours have the same residue number; `AnAtom` has residue_number, insertion_code and
/// chain, and may have a segment.
template <typename AnAtom>
bool same_residue_number(const AnAtom& a, const AnAtom& b) {
  if constexpr (requires { a.segment; })
    if (!(a.segment == b.segment)) return false;
  return a.residue_number == b.residue_number && a.insertion_code == b.insertion_code && a.chain == b.chain;
}

/// One after the last atom of the residue that begins at `begin`: there the residue's name or number
/// changes. Of waters and ions many may share them; there the first atom's name comes again.
template <typename AnAtom>
std::size_t end_of_residue(std::span<const AnAtom> atoms, std::size_t begin) {
  const AnAtom& first = atoms[begin];
  const auto goes_on = [&](const AnAtom& atom) {
    return same_residue_number(atom, first) && atom.residue == first.residue;
  };
  std::size_t end = begin + 1;
  if (end == atoms.size() || !goes_on(atoms[end])) return end;
  const bool name_ends_it = is_small_molecule(first.residue.view());
  while (end < atoms.size() && goes_on(atoms[end]) && !(name_ends_it && atoms[end].name == first.name)) ++end;
  return end;
}

}  // namespace ionwell
