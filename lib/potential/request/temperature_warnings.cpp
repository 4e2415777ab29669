// SPDX-License-Identifier: BSD-3-Clause
#include "potential/request/temperature_warnings.hpp"

#include "core/text/text_stream.hpp"
#include "electrostatics/pair_potential.hpp"

namespace ionwell {

std::vector<std::string> temperature_warnings(double temperature_K) {
  constexpr double coldest_solution_K = 200.0, boiling_C = 100.0, zero_C_K = 273.15;
  if (temperature_K >= coldest_solution_K) return {};
  TextStream text;
  text << "--temperature is " << temperature_K << " K";
  if (temperature_K <= boiling_C)
    text << "; did you mean " << zero_C_K + temperature_K << " K (" << temperature_K << " C)?";
  else
    text << ", which is too cold for a solution; room temperature is " << room_temperature_K << " K";
  return {text.str()};
}

}  // namespace ionwell
