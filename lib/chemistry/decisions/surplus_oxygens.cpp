// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/decisions/surplus_oxygens.hpp"

#include <cmath>
#include <string_view>

#include "chemistry/perception/residue_notes.hpp"

namespace ionwell {
namespace {

std::uint32_t atom_named(std::span<const Atom> atoms, const PerceivedResidue& residue, std::string_view name,
                         std::string_view other) {
  for (std::uint32_t n = residue.begin; n < residue.end; ++n)
    if (atoms[n].name.view() == name || atoms[n].name.view() == other) return n;
  return nothing;
}

}  // namespace

std::vector<ExchangedPlaces> surplus_oxygens(std::span<const Atom> atoms, const Chemistry& chemistry) {
  constexpr double same_place_A = 1.0;  // bonded oxygens of a phosphate are 2.5 A apart
  std::vector<ExchangedPlaces> result;
  for (std::uint32_t r = 0; r < chemistry.residues.size(); ++r) {
    const PerceivedResidue& residue = chemistry.residues[r];
    if (residue.role != ResidueRole::nucleotide || residue.before == nothing) continue;
    const std::uint32_t third = atom_named(atoms, residue, "OP3", "O3P"),
                        last = atom_named(atoms, chemistry.residues[residue.before], "O3'", "O3*");
    if (third == nothing || last == nothing) continue;
    for (const auto& [name, other] : {std::pair("OP1", "O1P"), std::pair("OP2", "O2P")}) {
      const std::uint32_t oxygen = atom_named(atoms, residue, name, other);
      if (oxygen == nothing) continue;
      const double away_A = std::sqrt(distance_squared(atoms[oxygen].position_A, atoms[last].position_A));
      if (away_A > same_place_A) continue;
      const std::string old_name(atoms[oxygen].name.view()), third_name(atoms[third].name.view());
      result.push_back({r,
                        {{oxygen, third}},
                        old_name + " and " + third_name + " change places: " + third_name + " is surplus",
                        old_name + " is " + distance_text(away_A) + " from " + describe(atoms[last])});
      break;
    }
  }
  return result;
}

}  // namespace ionwell
