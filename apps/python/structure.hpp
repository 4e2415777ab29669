#pragma once

#include <pybind11/pybind11.h>

#include <memory>

#include "run/read_input.hpp"

namespace ionwell::python {

/// What read and Structure(...) give: never changed once made, for results and arrays look into it.
using SharedInput = std::shared_ptr<Input>;

void add_structure(pybind11::module_& module);

}  // namespace ionwell::python
