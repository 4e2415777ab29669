// SPDX-License-Identifier: BSD-3-Clause
#include "python/errors.hpp"

#include <exception>
#include <regex>

#include "core/text/quoting.hpp"

namespace ionwell::python {
namespace py = pybind11;
namespace {

py::object error_class(const char* name) {
  return py::module_::import("ionwell.errors").attr(name);
}

void set_error(const char* name, const std::exception& error) {
  PyErr_SetString(error_class(name).ptr(), one_line(in_words_of_python(error.what())).c_str());
}

}  // namespace

void add_errors() {
  py::register_exception_translator([](std::exception_ptr failure) {
    try {
      if (failure) std::rethrow_exception(failure);
    } catch (const ArrayError& error) {
      set_error("ArrayError", error);
    } catch (const ExportError& error) {
      set_error("ExportError", error);
    } catch (const UsageError& error) {
      set_error("UsageError", error);
    } catch (const Error& error) {
      set_error("Error", error);
    }
  });
}

std::string in_words_of_python(const std::string& message) {
  static const std::regex tune("--tune (?=[a-z])"), no_refine("--no-refine"), ions("--ion\\b(?!-)"),
      radii("--ion-radius"), engine("--for\\b(?!-)"), path("-o\\b(?= )"), option("--([a-z]+(?:-[a-z]+)*)");
  std::string words = std::regex_replace(message, tune, "--");
  words = std::regex_replace(words, no_refine, "refine=False");
  words = std::regex_replace(words, ions, "ions");
  words = std::regex_replace(words, radii, "radii");
  words = std::regex_replace(words, engine, "engine");
  words = std::regex_replace(words, path, "path");
  std::string text;
  auto at = words.cbegin();
  for (std::sregex_iterator found(words.cbegin(), words.cend(), option), none; found != none; ++found) {
    std::string name = (*found)[1];
    for (char& c : name)
      if (c == '-') c = '_';
    text.append(at, (*found)[0].first).append(name);
    at = (*found)[0].second;
  }
  return text.append(at, words.cend());
}

void fail_for_too_few(const std::string& message, const py::object& result) {
  const py::object kind = error_class("TooFewPlaced");
  const py::object error = kind(one_line(in_words_of_python(message)));
  error.attr("result") = result;
  PyErr_SetObject(kind.ptr(), error.ptr());
  throw py::error_already_set();
}

}  // namespace ionwell::python
