// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "core/error.hpp"

/// What the library throws, as Python's exceptions.
namespace ionwell::python {

/// An array that cannot be used.
struct ArrayError : UsageError {
  using UsageError::UsageError;
};

/// An array that another library cannot have the way it asks for.
struct ExportError : Error {
  using Error::Error;
};

/// Registers the classes of ionwell.errors for what the library throws.
void add_errors();

/// A message of the library in the words of Python: the program's option --ion-solute is ion_solute here.
std::string in_words_of_python(const std::string& message);

/// Throws ionwell.TooFewPlaced, with `result` as its attribute.
[[noreturn]] void fail_for_too_few(const std::string& message, const pybind11::object& result);

}  // namespace ionwell::python
