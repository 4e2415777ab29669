// SPDX-License-Identifier: BSD-3-Clause
#include "placement/placement.hpp"

#include <cmath>

#include "core/error.hpp"
#include "core/text/text_stream.hpp"

namespace ionwell {
namespace {

void require_distance(const char* option, double distance_A) {
  if (!(distance_A >= 0.0 && std::isfinite(distance_A)))
    fail<UsageError>(option, " is ", distance_A, " A (a distance must not be negative); 5 is common");
}

}  // namespace

void validate(const ExclusionOptions& options) {
  require_distance("--ion-solute", options.ion_solute_A);
  require_distance("--ion-ion", options.ion_ion_A);
}

std::vector<std::string> warnings(const ExclusionOptions& options) {
  constexpr double shortest_bond_A = 1.0;
  std::vector<std::string> texts;
  const auto note = [&](const char* option, double distance_A, const char* what) {
    if (distance_A >= shortest_bond_A) return;
    TextStream text;
    text << option << " is " << distance_A << " A: " << what
         << ", where its energy is not realistic; 5 is the published distance, and 2.5 the smallest in use";
    texts.push_back(text.str());
  };
  note("--ion-solute", options.ion_solute_A, "an ion may overlap an atom of the solute");
  note("--ion-ion", options.ion_ion_A, "two ions may be closer than the length of a bond");
  return texts;
}

}  // namespace ionwell
