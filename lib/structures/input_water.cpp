// SPDX-License-Identifier: BSD-3-Clause
#include "structures/input_water.hpp"

#include <utility>

#include "core/error.hpp"
#include "core/text/count_text.hpp"

namespace ionwell {

void count_waters(Structure& structure, std::span<const Atom> acting, InputWater water) {
  Composition& composition = structure.composition.emplace(composition_of(acting));
  if (composition.water.residues == 0) return;
  const std::string waters = count_of(composition.water.residues, "water");
  if (water == InputWater::ignore || water == InputWater::replace) {
    composition.water_left_out = true;
    if (composition.water.atoms == std::ssize(acting) && water == InputWater::ignore)
      fail(structure.path, ": contains ", waters,
           " and nothing else, so --input-water ignore leaves nothing; give a structure that has a solute");
  } else if (water == InputWater::solute_with_warning) {
    structure.warnings.push_back(
        structure.path + ": contains " + waters +
        ", and water counts as solute: its charges are included, and ions keep their distance from it; use "
        "--input-water ignore to leave it out, or --input-water solute to confirm it");
  }
}

void apply_water_option(Structure& structure, InputWater water) {
  count_waters(structure, structure.atoms, water);
  if (structure.composition->water_left_out) take_waters(structure.atoms);
}

std::vector<Atom> take_waters(std::vector<Atom>& atoms) {
  std::vector<Atom> waters, others;
  for (std::size_t begin = 0; begin < atoms.size();) {
    const Residue residue = residue_at(atoms, begin);
    std::vector<Atom>& taken = residue.kind == ResidueKind::water ? waters : others;
    for (; begin < residue.end; ++begin) taken.push_back(atoms[begin]);
  }
  atoms = std::move(others);
  return waters;
}

}  // namespace ionwell
