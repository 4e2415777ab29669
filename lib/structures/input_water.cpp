#include "structures/input_water.hpp"

#include "core/error.hpp"
#include "core/text/count_text.hpp"

namespace ionwell {
namespace {

std::vector<Atom> without_water(const std::vector<Atom>& atoms) {
  std::vector<Atom> kept;
  for (std::size_t begin = 0; begin < atoms.size();) {
    const Residue residue = residue_at(atoms, begin);
    if (residue.kind != ResidueKind::water)
      kept.insert(kept.end(), atoms.begin() + std::ptrdiff_t(begin),
                  atoms.begin() + std::ptrdiff_t(residue.end));
    begin = residue.end;
  }
  return kept;
}

}  // namespace

void apply_water_option(Structure& structure, InputWater water) {
  Composition& composition = structure.composition.emplace(composition_of(structure.atoms));
  if (composition.water.residues == 0) return;
  const std::string waters = count_of(composition.water.residues, "water");
  if (water == InputWater::ignore || water == InputWater::replace) {
    composition.water_left_out = true;
    structure.atoms = without_water(structure.atoms);
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

}  // namespace ionwell
