#pragma once

#include "jobs/box/box_request.hpp"
#include "jobs/box/solvation_request.hpp"
#include "python/keywords.hpp"

/// The keywords of solvate and prepare.
namespace ionwell::python {

/// The cell and its water.
SolvationRequest solvation_request(const Keywords& keywords);

/// Salt, and the waters that ions replace.
BoxRequest box_request(const Keywords& keywords);

/// "FORMULA:M" of each of `salt`: from a dict of formulas and concentrations, or from texts.
std::vector<std::string> salt_texts(const Keywords& keywords);

/// A cell of lengths, and angles that are of 90 degrees where none are given.
CellParameters cell_in(const pybind11::object& given);

/// How files are read.
InputOptions input_options(const Keywords& keywords);

}  // namespace ionwell::python
