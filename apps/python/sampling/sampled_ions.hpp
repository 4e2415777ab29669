// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pybind11/pybind11.h>

namespace ionwell::python {

/// sample, and the class Sample that it gives.
void add_sampling(pybind11::module_& module);

}  // namespace ionwell::python
