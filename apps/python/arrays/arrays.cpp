// SPDX-License-Identifier: BSD-3-Clause
#include "python/arrays/arrays.hpp"

#include <cmath>

#include "python/arrays/dlpack_import.hpp"
#include "python/errors.hpp"
#include "structures/atom_limits.hpp"

namespace ionwell::python {
namespace py = pybind11;
namespace {

std::string shape_text(const py::array& array) {
  return py::str(array.attr("shape"));
}

using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;

Doubles doubles_in(const py::object& numbers, const std::string& name) {
  return Doubles(real_array(numbers, name));
}

void check_number(double value, const std::string& name, const std::string& place, double smallest,
                  double largest, const std::string& unit) {
  if (std::isfinite(value) && value >= smallest && value <= largest) return;
  fail<ArrayError>(name, place, " is ", value, "; it must be a finite number from ", smallest, " to ",
                   largest, unit.empty() ? "" : " ", unit);
}

}  // namespace

py::array real_array(const py::object& numbers, const std::string& name) {
  if (numbers.is_none()) fail<ArrayError>(name, " is None; it must be an array of numbers");
  py::object array;
  try {
    array = has_dlpack(numbers) ? array_of_dlpack(numbers, name)
                                : py::module_::import("numpy").attr("asanyarray")(numbers);
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_ValueError) && !error.matches(PyExc_TypeError)) throw;
    fail<ArrayError>(name, " is not an array: ", std::string(py::str(error.value())),
                     "; its rows must have the same length");
  }
  if (py::hasattr(array, "mask") && py::module_::import("numpy.ma").attr("is_masked")(array).cast<bool>())
    fail<ArrayError>(name, " has masked values; fill them, or leave those atoms out");
  const auto real = py::reinterpret_borrow<py::array>(array);
  const char kind = real.dtype().kind();
  if (kind != 'f' && kind != 'i' && kind != 'u')
    fail<ArrayError>(name, " has the type ", std::string(py::str(real.dtype())), "; it must be real numbers",
                     kind == 'O' ? ", in rows of one length" : "");
  return real;
}

std::vector<Vec3<double>> positions_in(const py::object& array, const std::string& name) {
  const Doubles numbers = doubles_in(array, name);
  if (numbers.size() == 0) fail<ArrayError>(name, " is empty; it must have at least one row of x, y and z");
  if (numbers.ndim() != 2 || numbers.shape(1) != 3)
    fail<ArrayError>(name, " has the shape ", shape_text(numbers),
                     "; it must be (n, 3), a row of x, y and z for each",
                     numbers.ndim() == 2 && numbers.shape(0) == 3 ? "; transpose it" : "");
  std::vector<Vec3<double>> positions(std::size_t(numbers.shape(0)));
  const auto values = numbers.unchecked<2>();
  for (py::ssize_t n = 0; n < numbers.shape(0); ++n) {
    for (int axis = 0; axis < 3; ++axis)
      if (const double value = values(n, axis); !(std::abs(value) <= largest_coordinate_A))
        check_number(value, name, '[' + std::to_string(n) + ", " + std::to_string(axis) + ']',
                     -largest_coordinate_A, largest_coordinate_A, "A");
    positions[std::size_t(n)] = {values(n, 0), values(n, 1), values(n, 2)};
  }
  return positions;
}

std::vector<double> numbers_in(const py::object& array, const std::string& name, const NumberLimits& limits) {
  const Doubles numbers = doubles_in(array, name);
  if (numbers.ndim() != 1 || std::size_t(numbers.shape(0)) != limits.count)
    fail<ArrayError>(name, " has the shape ", shape_text(numbers), "; it must be (", limits.count,
                     ",), as many as there are positions");
  std::vector<double> values(numbers.data(), numbers.data() + numbers.size());
  for (std::size_t n = 0; n < values.size(); ++n)
    check_number(values[n], name, '[' + std::to_string(n) + ']', limits.smallest, limits.largest,
                 limits.unit);
  return values;
}

std::vector<std::string> texts_in(const py::object& list, const std::string& name, std::size_t count,
                                  std::size_t longest) {
  if (list.is_none()) return {};
  if (py::isinstance<py::str>(list) || !py::isinstance<py::iterable>(list))
    fail<ArrayError>(name, " is ", std::string(py::repr(list)),
                     "; it must be a list with a string for each atom");
  std::vector<std::string> texts;
  for (const py::handle item : list) texts.push_back(py::str(item));
  if (texts.size() != count)
    fail<ArrayError>(name, " has ", texts.size(), " strings; it must have ", count,
                     ", as many as there are positions");
  for (std::size_t n = 0; n < count; ++n)
    if (texts[n].size() > longest)
      fail<ArrayError>(name, '[', n, "] is '", texts[n], "'; it must have at most ", longest, " characters");
  return texts;
}

Vec3<double> vector_in(const py::object& numbers, const std::string& name) {
  const Doubles values = doubles_in(numbers, name);
  if (values.ndim() == 0) return {*values.data(), *values.data(), *values.data()};
  if (values.ndim() != 1 || values.shape(0) != 3)
    fail<ArrayError>(name, " has the shape ", shape_text(values),
                     "; it must be one number, or three for x, y and z");
  return {values.at(0), values.at(1), values.at(2)};
}

py::array_t<double> array_of(const std::vector<double>& numbers) {
  return py::array_t<double>(py::ssize_t(numbers.size()), numbers.data());
}

py::array_t<double> array_of(const Vec3<double>& vector) {
  return array_of(std::vector<double>{vector.x, vector.y, vector.z});
}

}  // namespace ionwell::python
