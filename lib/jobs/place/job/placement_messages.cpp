// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/place/job/placement_messages.hpp"

#include <algorithm>
#include <iomanip>

#include "core/text/count_text.hpp"
#include "core/text/text_stream.hpp"

namespace ionwell {
namespace {

/// What one can do when the lattice is full.
std::string ways_to_make_room(const Result& result, const LatticeRequest& lattice) {
  TextStream text;
  text << "a smaller --ion-ion (" << result.exclusion->ion_ion_A << " A) or --ion-solute ("
       << result.exclusion->ion_solute_A << " A)";
  if (result.potential.method == "sites") {
    text << " makes room";
    return text.str();
  }
  text << ", or a larger ";
  if (lattice.box)
    text << "--box";
  else if (result.potential.imported)
    text << "map";
  else
    text << "--border (" << lattice.border_A.value_or(LatticeOptions{}.border_A) << " A)";
  text << " makes room";
  return text.str();
}

}  // namespace

std::string too_few_message(const Result& result, const LatticeRequest& lattice) {
  const Placement& placement = result.placement;
  TextStream text;
  const std::int64_t placed = std::ssize(placement.ions);
  if (placed == 0)
    text << "no ion";
  else
    text << "only " << grouped(placed) << " of " << count_of(placement.requested, "ion");
  if (placement.refused_kT)
    text << (placed < 2 ? " was" : " were") << " placed, because the " << (placed == 0 ? "first" : "next")
         << " would have an energy of " << std::setprecision(4) << *placement.refused_kT
         << " kT, which is above --max-energy";
  else
    text << " found room, " << (placed == 0 ? "because" : "then")
         << (result.box ? " no water was left to replace; a smaller --ion-ion or --tune salt-solute, less "
                          "salt or a larger box leaves more room"
                        : " no lattice point was free; " + ways_to_make_room(result, lattice));
  return text.str();
}

std::optional<std::string> repelled_ions_warning(const Result& result) {
  const std::vector<PlacedIon>& ions = result.placement.ions;
  const auto first = std::find_if(ions.begin(), ions.end(), is_repelled);
  if (first == ions.end()) return {};
  const auto repelled = std::count_if(first, ions.end(), is_repelled);
  TextStream text;
  text << grouped(repelled) << " of " << count_of(std::ssize(ions), "ion")
       << (repelled == 1 ? " has a positive energy, ion " : " have a positive energy, the first of them ion ")
       << grouped(first - ions.begin() + 1) << " (" << first->species.name << ", " << std::setprecision(4)
       << first->energy_kT << " kT): the solute and the earlier ions repel "
       << (repelled == 1 ? "it" : "them") << "; check the charges, or place fewer";
  if (result.potential.imported)
    text << ", or give an --update that screens ions like the map screens the solute";
  return text.str();
}

}  // namespace ionwell
