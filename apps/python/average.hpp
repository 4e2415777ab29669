// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pybind11/pybind11.h>

namespace ionwell::python {

/// average, and the class Average that it gives.
void add_average(pybind11::module_& module);

}  // namespace ionwell::python
