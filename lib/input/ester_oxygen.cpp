#include "input/ester_oxygen.hpp"

#include <algorithm>

#include "chemistry/templates/residue_match.hpp"

namespace ionwell {

void open_esters(std::vector<Atom>& charged, std::span<const Atom> entry, std::span<const EsterBond> esters) {
  constexpr double longest_A = 1.2;  // of O-H, 0.96 A
  for (const EsterBond& ester : esters) {
    const Atom& there = entry[ester.oxygen];
    const auto oxygen = std::find_if(charged.begin(), charged.end(), [&](const Atom& atom) {
      return atom.name == there.name && atom.residue_number == there.residue_number &&
             atom.chain == there.chain && atom.insertion_code == there.insertion_code;
    });
    if (oxygen == charged.end()) continue;
    const Atom bound = *oxygen;
    double charge_e = 0.0;
    std::erase_if(charged, [&](const Atom& atom) {
      const bool is_on_it = is_named_as_hydrogen(atom.name.view()) &&
                            distance_squared(atom.position_A, bound.position_A) <= longest_A * longest_A;
      if (is_on_it) charge_e += atom.charge_e;
      return is_on_it;
    });
    for (Atom& atom : charged)
      if (atom.name == bound.name) atom.charge_e += charge_e;
  }
}

}  // namespace ionwell
