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
  return chosen<ChargeForceField>(word, "charges",
                                  {{"amber", ChargeForceField::amber},
                                   {"charmm", ChargeForceField::charmm},
                                   {"parse", ChargeForceField::parse},
                                   {"tyl06", ChargeForceField::tyl06},
                                   {"peoepb", ChargeForceField::peoepb},
                                   {"swanson", ChargeForceField::swanson}});
}

IonNaming ion_names_of(const std::string& word) {
  return chosen<IonNaming>(word, "ion_names",
                           {{"pdb", IonNaming::pdb},
                            {"charmm", IonNaming::charmm},
                            {"amber", IonNaming::amber},
                            {"gromacs", IonNaming::gromacs}});
}

MapUnit unit_of(const std::string& word) {
  if (const std::optional<MapUnit> unit = map_unit(word)) return *unit;
  fail<UsageError>("unit is '", word, "'; it must be one of 'kT/e', 'kcal/(mol e)', 'kJ/(mol e)', 'mV', 'V'");
}

Boundary boundary_of(const std::string& word) {
  return chosen<Boundary>(word, "boundary", {{"periodic", Boundary::periodic}, {"open", Boundary::open}});
}

}  // namespace ionwell::python
