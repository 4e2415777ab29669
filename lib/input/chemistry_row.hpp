// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace ionwell {

/// A row of the table "chemistry", ready to show.
struct ChemistryRow {
  std::string residue;  // "PTR 527 A"
  std::string what, why;
  std::string otherwise;  // the option that decides otherwise; empty: none does
};

}  // namespace ionwell
