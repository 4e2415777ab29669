// SPDX-License-Identifier: BSD-3-Clause
#include "solvation/water_model.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "core/text/nearest_words.hpp"

namespace ionwell {
namespace {

constexpr double lone_pairs_deg = 109.47;  // between the two of TIP5P

constexpr WaterModel models[] = {
    {"tip3p", "TIP3P", 0.9572, 104.52, 0.0, 0.417, 3, 0.982, "Jorgensen et al., J. Chem. Phys. 79:926, 1983"},
    {"tips3p", "TIPS3P", 0.9572, 104.52, 0.0, 0.417, 3, 1.017,
     "MacKerell et al., J. Phys. Chem. B 102:3586, 1998; density by examples/water"},
    {"spce", "SPC/E", 1.0, 109.47, 0.0, 0.4238, 3, 0.998, "Berendsen et al., J. Phys. Chem. 91:6269, 1987"},
    {"opc", "OPC", 0.8724, 103.6, 0.1594, 0.6791, 4, 0.997,
     "Izadi et al., J. Phys. Chem. Lett. 5:3863, 2014"},
    {"tip4pew", "TIP4P-Ew", 0.9572, 104.52, 0.125, 0.52422, 4, 0.995,
     "Horn et al., J. Chem. Phys. 120:9665, 2004"},
    {"tip4p2005", "TIP4P/2005", 0.9572, 104.52, 0.1546, 0.5564, 4, 0.997,
     "Abascal and Vega, J. Chem. Phys. 123:234505, 2005"},
    {"tip5p", "TIP5P", 0.9572, 104.52, 0.70, 0.241, 5, 0.999,
     "Mahoney and Jorgensen, J. Chem. Phys. 112:8910, 2000"},
};

/// Letters and digits alone, in lower case.
std::string plain(std::string_view name) {
  std::string text = lower_case(name);
  std::erase_if(text, [](char c) { return !is_letter(c) && !is_digit(c); });
  return text;
}

}  // namespace

std::vector<WaterSite> WaterModel::geometry() const {
  constexpr double degrees = std::numbers::pi / 180.0;
  const double half = 0.5 * hoh_deg * degrees;
  std::vector<WaterSite> all(sites);
  all[1] = {{oh_A * std::cos(half), oh_A * std::sin(half), 0.0}, hydrogen_e};
  all[2] = {{oh_A * std::cos(half), -oh_A * std::sin(half), 0.0}, hydrogen_e};
  if (sites == 3) all[0].charge_e = -2.0 * hydrogen_e;
  if (sites == 4) all[3] = {{extra_A, 0.0, 0.0}, -2.0 * hydrogen_e};
  if (sites == 5) {
    // The first is where O-H1 x O-H2 does not point, as in the force fields of GROMACS and OpenMM.
    const double half_pairs = 0.5 * lone_pairs_deg * degrees;
    const double x_A = -extra_A * std::cos(half_pairs), z_A = extra_A * std::sin(half_pairs);
    all[3] = {{x_A, 0.0, z_A}, -hydrogen_e};
    all[4] = {{x_A, 0.0, -z_A}, -hydrogen_e};
  }
  return all;
}

std::span<const WaterModel> water_models() {
  return models;
}

const WaterModel& water_model(std::string_view name) {
  const std::string wanted = plain(name);
  std::vector<std::string_view> words;
  for (const WaterModel& model : models) {
    if (wanted == model.name) return model;
    words.push_back(model.name);
  }
  fail<UsageError>("there is no water model ", quote(name), "; --water-model is one of ",
                   nearest_first(wanted, words, words.size()));
}

NamedWater named_water(const WaterModel& model, WaterNames names) {
  const bool has_pairs = model.sites == 5;
  switch (names) {
    case WaterNames::gromacs:
      return {"SOL", {"OW", "HW1", "HW2", has_pairs ? "LP1" : "MW", "LP2"}};
    case WaterNames::amber:
      return {"WAT", {"O", "H1", "H2", has_pairs ? "EP1" : "EPW", "EP2"}};
    case WaterNames::charmm: {
      // TP4E and TP45 are TIP4P-Ew and TIP4P/2005 in CHARMM36; OPC is not in it.
      constexpr std::pair<std::string_view, std::string_view> residues[] = {
          {"tip3p", "TIP3"},   {"tips3p", "TIP3"},    {"spce", "SPCE"}, {"opc", "OPC"},
          {"tip4pew", "TP4E"}, {"tip4p2005", "TP45"}, {"tip5p", "TIP5"}};
      const auto* const found = std::find_if(std::begin(residues), std::end(residues),
                                             [&](const auto& entry) { return entry.first == model.name; });
      return {found->second, {"OH2", "H1", "H2", has_pairs ? "LP1" : "OM", "LP2"}};
    }
    case WaterNames::pdb:
      break;
  }
  return {"HOH", {"O", "H1", "H2", has_pairs ? "M1" : "M", "M2"}};
}

}  // namespace ionwell
