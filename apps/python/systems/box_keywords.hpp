// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "jobs/box/box_request.hpp"
#include "jobs/box/solvation_request.hpp"
#include "output/system_output.hpp"
#include "python/keywords.hpp"

/// The keywords of solvate and prepare.
namespace ionwell::python {

/// The cell and its water.
SolvationRequest solvation_request(const Keywords& keywords);

/// Salt, and the waters that ions replace.
BoxRequest box_request(const Keywords& keywords);

/// "FORMULA:M" of each of `salt`: from a dict of formulas and concentrations, or from texts.
std::vector<std::string> salt_texts(const Keywords& keywords);

/// How files are read.
InputOptions input_options(const Keywords& keywords);

/// The program that a system is made for, of `engine` and `force_field`, with the names of ions where none is
/// given. Its path is empty. Throws UsageError for invalid arguments.
SystemOutput engine_output(const Keywords& keywords, IonNaming naming);

}  // namespace ionwell::python
