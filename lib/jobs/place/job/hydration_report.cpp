// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/place/job/hydration_report.hpp"

#include <algorithm>

#include "core/text/count_text.hpp"
#include "core/text/note.hpp"

namespace ionwell {

nlohmann::ordered_json hydration_json(const Hydration& hydration, const Structure& structure) {
  using Json = nlohmann::ordered_json;
  Json shells = Json::array();
  for (const IonShell& shell : hydration.shells) {
    Json acceptors = Json::array();
    for (const std::size_t atom : shell.acceptors) acceptors.push_back(describe(structure.atoms[atom]));
    shells.push_back({{"ion", shell.ion + 1},
                      {"neighbours", shell.neighbours},
                      {"waters", shell.waters.size()},
                      {"acceptors", acceptors},
                      {"left_out", shell.left_out},
                      {"energy_kT", shell.energy_kT}});
  }
  return {{"water", hydration.water},         {"ions", hydration.shells.size()},
          {"waters", hydration.waters()},     {"acceptors", hydration.acceptors()},
          {"left_out", hydration.left_out()}, {"shells", shells}};
}

std::string hydration_remark(const Hydration& hydration) {
  std::string text = "Hydrated: " + count_of(std::ssize(hydration.shells), "ion") + " with " +
                     count_of(hydration.waters(), "water");
  if (hydration.acceptors() > 0)
    text += " and " + count_of(hydration.acceptors(), "acceptor") + " of the solute";
  return text + ", shell by shell in the order of the ions";
}

std::vector<std::string> hydration_warnings(const Hydration& hydration, std::string_view remedy) {
  if (hydration.left_out() == 0) return {};
  const auto ions = std::count_if(hydration.shells.begin(), hydration.shells.end(),
                                  [](const IonShell& shell) { return shell.left_out > 0; });
  return {note(
      count_of(hydration.left_out(), "water") + " of the shells of " + count_of(ions, "ion") +
      (hydration.left_out() == 1 ? " was" : " were") +
      (hydration.left_out() == 1 ? " left out, because it overlaps" : " left out, because they overlap") +
      " atoms of the solute, ions or other shells" + (remedy.empty() ? "" : "; ") + std::string(remedy))};
}

}  // namespace ionwell
