// SPDX-License-Identifier: BSD-3-Clause
#include "structures/charmm/possible_values.hpp"

#include <cmath>

#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"

namespace ionwell {

double NumberInLine::read(std::string_view token) const {
  const std::optional<double> number = parse_number(token);
  if (!number)
    fail(path, ':', line, ": ", what, ' ', quote(token), " is not a finite number (", record, "); ", way_out);
  if (!(std::abs(*number) < largest))
    fail(path, ':', line, ": ", what, " is ", *number, ", but an atom has less than ", largest, unit, " (",
         record, "); ", way_out);
  return *number;
}

}  // namespace ionwell
