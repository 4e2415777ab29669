// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pybind11/pybind11.h>

#include <optional>
#include <string>

#include "core/chemistry/ion_table.hpp"
#include "maps/map_unit.hpp"
#include "programs/pdb2pqr.hpp"
#include "structures/input_water.hpp"

/// Words that stand for one of several things. Each function throws UsageError, with the words that it knows,
/// for another one.
namespace ionwell::python {

InputWater input_water_of(const std::string& word);
ChargeForceField charges_of(const std::string& word);
IonNaming ion_names_of(const std::string& word);
MapUnit unit_of(const std::string& word);

}  // namespace ionwell::python
