// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pybind11/pybind11.h>

namespace ionwell::python {

void add_placement(pybind11::module_& module);

}  // namespace ionwell::python
