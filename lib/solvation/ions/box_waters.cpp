// SPDX-License-Identifier: BSD-3-Clause
#include "solvation/ions/box_waters.hpp"

#include "core/chemistry/composition.hpp"
#include "core/error.hpp"
#include "structures/solute_elements.hpp"

namespace ionwell {

namespace {

/// Of a water's atom: what names begin with is enough, where there is no element.
bool is_oxygen(const Atom& atom) {
  if (!atom.element.empty()) return atom.element.view() == "O";
  return atom.name.view().starts_with('O') || element_of(atom) == "O";
}

}  // namespace

std::vector<BoxWater> find_waters(std::span<const Atom> atoms) {
  std::vector<BoxWater> waters;
  std::uint32_t run = 0;
  for (std::size_t begin = 0; begin < atoms.size();) {
    const Residue residue = residue_at(atoms, begin);
    if (residue.kind == ResidueKind::water) {
      std::size_t oxygen = residue.begin;
      while (oxygen < residue.end && !is_oxygen(atoms[oxygen])) ++oxygen;
      if (oxygen == residue.end)
        fail("the water ", describe_residue(atoms[begin]),
             " has no oxygen, whose position an ion would take; complete it, or leave it out with --ignore");
      const Atom& atom = atoms[begin];
      if (!waters.empty()) {
        const Atom& before = atoms[waters.back().begin];
        if (waters.back().end != begin || before.chain != atom.chain || before.segment != atom.segment) ++run;
      }
      waters.push_back({std::uint32_t(begin), std::uint32_t(residue.end), std::uint32_t(oxygen), run});
    }
    begin = residue.end;
  }
  return waters;
}

}  // namespace ionwell
