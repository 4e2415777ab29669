// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pybind11/pybind11.h>

namespace ionwell::python {

/// solvate and prepare, which give a System.
void add_preparation(pybind11::module_& module);

}  // namespace ionwell::python
