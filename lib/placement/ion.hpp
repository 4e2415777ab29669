// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/chemistry/ion_table.hpp"

namespace ionwell {

constexpr std::int64_t most_ions_of_a_kind = 1'000'000;  // a PDB file of ions ends at 619,938
constexpr double largest_ion_charge_e = 100.0;           // beyond any ion: a typing mistake
constexpr std::size_t longest_ion_name = 4;              // columns of a PDB file

/// A kind of ion: the name that the user gave it and its entry in the ion table.
struct IonSpecies {
  std::string name;     // as given: MG, NA, XYZ
  std::string element;  // "MG"; empty for a name that the table does not know
  double charge_e = 0.0;
};

struct IonRequest {
  IonSpecies species;
  std::int64_t count = 0;
};

/// The ions to place, in order, and the warnings about them.
struct IonRequests {
  std::vector<IonRequest> requests;
  std::vector<std::string> warnings;  // ready to show
};

/// Reads NAME:COUNT or NAME:COUNT:CHARGE, one text for each kind of ion: MG:24, NA:neutralize, XYZ:3:+4.
/// `neutralize` uses the charge that remains after the solute, rounded to a whole number, and the requests
/// before it. Throws UsageError for requests that cannot be placed, neutralized, or written with the names of
/// `naming`.
IonRequests parse_ion_requests(const std::vector<std::string>& texts, double solute_charge_e,
                               IonNaming naming);

}  // namespace ionwell
