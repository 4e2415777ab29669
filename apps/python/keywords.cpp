// SPDX-License-Identifier: BSD-3-Clause
#include "python/keywords.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "parallel/thread_count.hpp"

namespace ionwell::python {
namespace py = pybind11;

std::string shown(const py::handle& value) {
  return py::repr(value);
}

std::string path_text(const py::handle& path) {
  return py::module_::import("os").attr("fspath")(path).cast<std::string>();
}

bool is_text(const py::handle& value) {
  return py::isinstance<py::str>(value);
}

std::optional<std::int64_t> whole(const py::handle& value) {
  if (PyBool_Check(value.ptr()) || PyIndex_Check(value.ptr()) == 0) return {};
  const auto number = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
  if (!number) throw py::error_already_set();
  const long long count = PyLong_AsLongLong(number.ptr());
  if (count == -1 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    return {};
  }
  return count;
}

bool Keywords::has(const char* name) const {
  return given_.contains(name) && !given_[name].is_none();
}

std::string Keywords::text(const char* name) const {
  if (!is_text(given_[name])) fail<UsageError>(name, " is ", shown(given_[name]), "; it must be a string");
  return given_[name].cast<std::string>();
}

std::optional<double> Keywords::number(const char* name) const {
  if (!has(name)) return {};
  const py::object value = given_[name];
  const double number = is_text(value) || PyBool_Check(value.ptr()) ? -1.0 : PyFloat_AsDouble(value.ptr());
  if (is_text(value) || PyBool_Check(value.ptr()) || (number == -1.0 && PyErr_Occurred() != nullptr)) {
    PyErr_Clear();
    fail<UsageError>(name, " is ", shown(value), "; it must be a number");
  }
  return number;
}

std::optional<std::int64_t> Keywords::whole_number(const char* name) const {
  if (!has(name)) return {};
  const std::optional<std::int64_t> number = whole(given_[name]);
  if (!number || std::abs(*number) > std::numeric_limits<int>::max())
    fail<UsageError>(name, " is ", shown(given_[name]), "; it must be a whole number");
  return number;
}

std::vector<std::string> Keywords::texts(const char* name, const char* what) const {
  if (!has(name)) return {};
  const py::object value = given_[name];
  const auto is_path = [](const py::handle& one) { return is_text(one) || py::hasattr(one, "__fspath__"); };
  if (is_path(value)) return {path_text(value)};
  std::vector<std::string> all;
  if (!py::isinstance<py::iterable>(value))
    fail<UsageError>(name, " is ", shown(value), "; it must be a ", what, ", or a list of ", what, "s");
  for (const py::handle item : value) {
    if (!is_path(item)) fail<UsageError>(name, " has ", shown(item), "; it must be a ", what);
    all.push_back(path_text(item));
  }
  return all;
}

std::vector<std::pair<std::string, double>> Keywords::named_numbers(const char* name) const {
  std::vector<std::pair<std::string, double>> numbers;
  if (!has(name)) return numbers;
  const auto refuse_it = [&] {
    fail<UsageError>(name, " is ", shown(given_[name]),
                     "; it must be a dict of ions and positive numbers, for example {'NA': 2.1}");
  };
  if (!py::isinstance<py::dict>(given_[name])) refuse_it();
  for (const auto& [ion, value] : py::dict(given_[name])) {
    const double number =
        is_text(value) || PyNumber_Check(value.ptr()) == 0 ? 0.0 : PyFloat_AsDouble(value.ptr());
    PyErr_Clear();
    if (!is_text(ion) || !(number > 0.0)) refuse_it();
    numbers.emplace_back(ion.cast<std::string>(), number);
  }
  return numbers;
}

int Keywords::threads() const {
  const std::int64_t threads = whole_number("threads").value_or(0);
  if (threads < 0) fail<UsageError>("threads is ", threads, "; it must be 1 or more, or 0 for all cores");
  return std::min(thread_count(int(threads)), available_cores());
}

bool Keywords::flag(const char* name) const {
  return has(name) && py::bool_(given_[name]);
}

}  // namespace ionwell::python
