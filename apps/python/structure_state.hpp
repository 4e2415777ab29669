// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pybind11/pybind11.h>

#include "python/structure.hpp"

namespace ionwell::python {

/// All of a structure, for pickle: between processes of one build; on disk a structure is kept in files of
/// its own. O(atoms).
pybind11::tuple state_of(const SharedInput& input);

/// The structure again. Throws Error for the state of another version.
SharedInput from_state(const pybind11::tuple& state);

}  // namespace ionwell::python
