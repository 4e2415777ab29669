// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pybind11/numpy.h>

#include <optional>
#include <string>
#include <vector>

#include "core/vec3.hpp"

/// Python's arrays as the library takes numbers. Any order in memory and any type of real numbers will do,
/// and arrays of other libraries that have __dlpack__; each function throws ionwell.ArrayError, which names
/// the array, for another shape or type and for NaN.
namespace ionwell::python {

/// Positions [A] of the shape (n, 3), n > 0, finite and within 1e5 A.
std::vector<Vec3<double>> positions_in(const pybind11::object& array, const std::string& name);

/// Numbers of the shape (n,), finite and no larger than `largest`, whatever the sign.
struct NumberLimits {
  std::size_t count;  // as many as there are positions
  double smallest, largest;
  std::string unit;
};
std::vector<double> numbers_in(const pybind11::object& array, const std::string& name,
                               const NumberLimits& limits);

/// Texts, one for each of `count` atoms, of at most `longest` characters; empty for None.
std::vector<std::string> texts_in(const pybind11::object& list, const std::string& name, std::size_t count,
                                  std::size_t longest);

/// Three numbers, or one for all axes.
Vec3<double> vector_in(const pybind11::object& numbers, const std::string& name);

/// An array of the numbers in a shape; copies.
pybind11::array_t<double> array_of(const std::vector<double>& numbers);
pybind11::array_t<double> array_of(const Vec3<double>& vector);

/// Real numbers as doubles, without a copy where they are; throws ionwell.ArrayError for what are none.
pybind11::array real_array(const pybind11::object& array, const std::string& name);

}  // namespace ionwell::python
