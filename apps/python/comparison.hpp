// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pybind11/pybind11.h>

namespace ionwell::python {

/// read_sites and compare_sites: ions against known sites.
void add_comparison(pybind11::module_& module);

}  // namespace ionwell::python
