// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pybind11/pybind11.h>

#include <string>

/// Arrays of other libraries, by DLPack.
namespace ionwell::python {

/// Whether the object is an array of another library than NumPy, with __dlpack__.
bool has_dlpack(const pybind11::object& array);

/// Its numbers as an array of NumPy: those in host memory where they are, those of a GPU copied. Throws
/// ArrayError, which begins with `name`, for what cannot be had so.
pybind11::object array_of_dlpack(const pybind11::object& array, const std::string& name);

}  // namespace ionwell::python
