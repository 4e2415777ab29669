// SPDX-License-Identifier: BSD-3-Clause
#include "python/cells.hpp"

#include <cmath>
#include <optional>
#include <vector>

#include "core/error.hpp"
#include "core/geometry/standard_cell.hpp"
#include "python/keywords.hpp"

namespace ionwell::python {
namespace py = pybind11;
namespace {

/// The numbers of a sequence; none where it is not one of numbers.
std::vector<double> finite_numbers(const py::handle& given) {
  std::vector<double> numbers;
  try {
    for (const py::handle number : py::list(py::reinterpret_borrow<py::object>(given)))
      numbers.push_back(py::float_(number.attr("__float__")()));
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_Exception)) throw;
    return {};
  }
  for (const double number : numbers)
    if (!std::isfinite(number)) return {};
  return numbers;
}

/// The vectors of rows of three numbers.
std::optional<CellVectors> rows_in(const py::object& given) {
  std::vector<Vec3<double>> rows;
  try {
    for (const py::handle row : py::list(given)) {
      if (PySequence_Check(row.ptr()) == 0) return std::nullopt;
      const std::vector<double> numbers = finite_numbers(row);
      if (numbers.size() != 3) return std::nullopt;
      rows.push_back({numbers[0], numbers[1], numbers[2]});
    }
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_Exception)) throw;
    return std::nullopt;
  }
  if (rows.size() != 3) return std::nullopt;
  return CellVectors{rows[0], rows[1], rows[2]};
}

[[noreturn]] void refuse(const py::object& given) {
  fail<UsageError>("cell is ", shown(given),
                   "; it must be three vectors, the rows of (3, 3) [A], or three lengths [A], or three "
                   "lengths and three angles [degrees]");
}

/// Vectors that are given as such; none where lengths are.
std::optional<CellVectors> checked_rows(const py::object& given) {
  const std::optional<CellVectors> rows = rows_in(given);
  if (rows && !has_volume(*rows)) fail<UsageError>("cell is ", shown(given), "; its vectors span no volume");
  return rows;
}

CellParameters parameters_in(const py::object& given) {
  constexpr double right_deg = 90.0;
  std::vector<double> numbers = finite_numbers(given);
  if (numbers.size() == 3) numbers.resize(6, right_deg);
  if (numbers.size() != 6) refuse(given);
  return {{numbers[0], numbers[1], numbers[2]}, {numbers[3], numbers[4], numbers[5]}};
}

}  // namespace

CellVectors cell_vectors_in(const py::object& given) {
  if (const std::optional<CellVectors> rows = checked_rows(given)) return *rows;
  const std::optional<UnitCell> cell = possible_cell(parameters_in(given), CellKind::simulation);
  if (!cell) fail<UsageError>("cell is ", shown(given), "; these lengths and angles do not form a cell");
  return *cell;
}

CellParameters cell_in(const py::object& given) {
  const std::optional<CellVectors> rows = checked_rows(given);
  if (!rows) return parameters_in(given);
  if (StandardCell({*rows, CellKind::simulation}).is_rotated())
    fail<UsageError>("cell is ", shown(given),
                     "; a new cell has its first vector along x and its second one in the plane of x and y: "
                     "give lengths and angles, or such vectors");
  return {lengths_A(*rows), angles_deg(*rows)};
}

}  // namespace ionwell::python
