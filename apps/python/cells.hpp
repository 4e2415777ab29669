// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pybind11/pybind11.h>

#include "core/unit_cell.hpp"

/// Cells as Python gives them.
namespace ionwell::python {

/// Three vectors, the rows of (3, 3) [A], in any orientation; or three lengths [A], and angles [degrees]
/// after them, which are of 90 degrees where none are given. Throws UsageError for what is neither, and for
/// what makes no cell.
CellVectors cell_vectors_in(const pybind11::object& given);

/// The same as lengths and angles, for a cell that a command makes: vectors must lie as these stand for, a
/// along x and b in the plane of x and y (UsageError).
CellParameters cell_in(const pybind11::object& given);

}  // namespace ionwell::python
