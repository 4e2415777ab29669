// SPDX-License-Identifier: BSD-3-Clause
#include "python/systems/box_keywords.hpp"

#include <pybind11/numpy.h>

#include "cli/file_words.hpp"
#include "core/error.hpp"
#include "python/cells.hpp"
#include "python/choices.hpp"
#include "python/entry_keywords.hpp"

namespace ionwell::python {
namespace py = pybind11;
namespace {

/// As one would type it.
std::string number_text(const py::handle& number) {
  const std::string text = py::str(py::float_(py::reinterpret_borrow<py::object>(number)));
  return text.ends_with(".0") ? text.substr(0, text.size() - 2) : text;
}

/// "FROM:TO".
std::optional<std::string> heights(const Keywords& keywords) {
  if (!keywords.has("inside_z")) return {};
  const py::object given = keywords["inside_z"];
  if (is_text(given)) return given.cast<std::string>();
  if (!py::isinstance<py::sequence>(given) || py::len(given) != 2 ||
      PyNumber_Check(py::object(given[py::int_(0)]).ptr()) == 0 ||
      PyNumber_Check(py::object(given[py::int_(1)]).ptr()) == 0)
    fail<UsageError>("inside_z is ", shown(given), "; it must be a pair of heights [A]");
  return number_text(py::object(given[py::int_(0)])) + ':' + number_text(py::object(given[py::int_(1)]));
}

}  // namespace

std::vector<std::string> salt_texts(const Keywords& keywords) {
  if (!keywords.has("salt") || !py::isinstance<py::dict>(keywords["salt"]))
    return keywords.texts("salt", "string such as 'NaCl:0.15'");
  std::vector<std::string> texts;
  for (const auto& [formula, concentration] : py::dict(keywords["salt"])) {
    if (!is_text(formula) || is_text(concentration) || PyNumber_Check(concentration.ptr()) == 0)
      fail<UsageError>(
          "salt is ", shown(keywords["salt"]),
          "; it must be a dict of formulas and concentrations [mol/L], for example {'NaCl': 0.15}");
    texts.push_back(formula.cast<std::string>() + ':' + number_text(concentration));
  }
  return texts;
}

SolvationRequest solvation_request(const Keywords& keywords) {
  SolvationRequest request;
  SolvationOptions& options = request.options;
  if (keywords.has("water_model")) options.water_model = keywords.text("water_model");
  keywords.choose("cell_shape", request.shape, cell_shape_words());
  request.padding_A = keywords.number("padding");
  if (keywords.has("cell")) options.cell = cell_in(keywords["cell"]);
  options.orient = keywords.flag("orient");
  options.cutoff_A = keywords.number("cutoff").value_or(options.cutoff_A);
  options.fill.smallest_cavity =
      int(keywords.whole_number("smallest_cavity").value_or(options.fill.smallest_cavity));
  return request;
}

BoxRequest box_request(const Keywords& keywords) {
  BoxRequest request{.salts = salt_texts(keywords),
                     .near = keywords.texts("near", "string such as 'nucleic:12'"),
                     .not_near = keywords.texts("not_near", "string such as 'nucleic:12'"),
                     .inside_z = heights(keywords),
                     .boundary = {},
                     .keep_water_A = keywords.number("keep_water"),
                     .salt_solute_A = keywords.number("salt_solute"),
                     .scheme = {},
                     .salt_placement = {},
                     .seed = keywords.whole_number("seed"),
                     .replace_crystal_waters = keywords.flag("replace_crystal_water"),
                     .in_membrane = keywords.flag("in_membrane"),
                     .waters_act = keywords.flag("water_acts")};
  keywords.choose("boundary", request.boundary, boundary_words());
  keywords.choose("scheme", request.scheme, scheme_words());
  keywords.choose("salt_by", request.salt_placement, salt_by_words());
  return request;
}

SystemOutput engine_output(const Keywords& keywords, IonNaming naming) {
  SystemOutput output{.path = {}, .engine = {}, .naming = naming, .water_names = {}};
  keywords.choose("engine", output.engine, engine_words());
  if (output.engine && naming != IonNaming::pdb)
    fail<UsageError>("engine sets the names that its program needs; leave ion_names out");
  if (!keywords.has("force_field")) return output;
  if (output.engine != Engine::gromacs)
    fail<UsageError>("force_field needs engine='gromacs'; add that, or leave it out");
  output.force_field = keywords.text("force_field");
  return output;
}

InputOptions input_options(const Keywords& keywords) {
  InputOptions options;
  keywords.choose("input_water", options.water, input_water_words());
  if (keywords.has("solute")) options.solute = keywords.text("solute");
  if (keywords.has("ignore")) options.ignore = keywords.text("ignore");
  keywords.choose("charges", options.charges, charges_words());
  if (keywords.has("assembly")) options.assembly = keywords.text("assembly");
  options.frame.number = keywords.whole_number("frame").value_or(options.frame.number);
  options.defines = keywords.texts("define", "text");
  options.includes = keywords.texts("include", "path");
  read_chemistry(keywords, options);
  return options;
}

}  // namespace ionwell::python
