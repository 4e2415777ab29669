// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>

#include "input/chemistry_row.hpp"

namespace ionwell {

/// A JSON report with the table "chemistry", all of it: residue, what was decided, why, and the option that
/// decides otherwise. Without rows the report stays as it is.
std::string with_chemistry(const std::string& report, std::span<const ChemistryRow> rows);

}  // namespace ionwell
