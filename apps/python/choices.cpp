// SPDX-License-Identifier: BSD-3-Clause
#include "python/choices.hpp"

#include "python/word_choice.hpp"

namespace ionwell::python {

InputWater input_water_of(const std::string& word) {
  return chosen<InputWater>(word, "input_water",
                            {{"warn", InputWater::solute_with_warning},
                             {"ignore", InputWater::ignore},
                             {"solute", InputWater::solute}});
}

ChargeForceField charges_of(const std::string& word) {
  return chosen(word, "charges", charges_words());
}

IonNaming ion_names_of(const std::string& word) {
  return chosen(word, "ion_names", ion_names_words());
}

MapUnit unit_of(const std::string& word) {
  if (const std::optional<MapUnit> unit = map_unit(word)) return *unit;
  fail<UsageError>("unit is '", word, "'; it must be one of 'kT/e', 'kcal/(mol e)', 'kJ/(mol e)', 'mV', 'V'");
}

}  // namespace ionwell::python
