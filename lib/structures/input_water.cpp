#include "structures/input_water.hpp"

#include <utility>

#include "core/error.hpp"
#include "core/text/count_text.hpp"

namespace ionwell {
void apply_water_option(Structure& structure, InputWater water) {
  Composition& composition = structure.composition.emplace(composition_of(structure.atoms));
  if (composition.water.residues == 0) return;
  const std::string waters = count_of(composition.water.residues, "water");
  if (water == InputWater::ignore || water == InputWater::replace) {
    composition.water_left_out = true;
    take_waters(structure.atoms);
    if (structure.atoms.empty() && water == InputWater::ignore)
      fail(structure.path, ": holds ", waters,
           " and nothing else, and --input-water ignore leaves nothing; give a structure that has a solute");
  } else if (water == InputWater::solute_with_warning) {
    structure.warnings.push_back(
        structure.path + ": holds " + waters +
        ", and water counts as solute: its charges act, and ions keep their distance from "
        "it; --input-water ignore leaves it out, --input-water solute says that this is meant");
  }
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

void leave_waters_out(std::span<const Atom> atoms, std::vector<std::uint8_t>& acts) {
  std::size_t at = 0;  // the next that acts
  for (std::size_t begin = 0; begin < atoms.size();) {
    const Residue residue = residue_at(atoms, begin);
    for (; begin < residue.end; ++begin, ++at) {
      while (!acts[at]) ++at;
      if (residue.kind == ResidueKind::water) acts[at] = 0;
    }
  }
}

}  // namespace ionwell
