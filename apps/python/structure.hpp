// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <vector>

#include "input/read_input.hpp"

namespace ionwell::python {

/// What was read, and how.
struct HeldInput : Input {
  std::vector<std::string> defines, includes;  // of a GROMACS topology
};

/// What read and Structure(...) give: never changed once made, for results and arrays look into it.
using SharedInput = std::shared_ptr<HeldInput>;

/// Dicts of residue, what, why and otherwise: what was decided of an entry.
pybind11::list chemistry_records(const Input& input);

void add_structure(pybind11::module_& module);

}  // namespace ionwell::python
