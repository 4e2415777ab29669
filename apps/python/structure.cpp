// SPDX-License-Identifier: BSD-3-Clause
#include "python/structure.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <numeric>

#include "core/error.hpp"
#include "core/text/note.hpp"
#include "core/text/printable_names.hpp"
#include "core/text/quoting.hpp"
#include "python/arrays/arrays.hpp"
#include "python/cells.hpp"
#include "python/choices.hpp"
#include "python/entry_keywords.hpp"
#include "python/following.hpp"
#include "python/structure_state.hpp"
#include "python/word_choice.hpp"
#include "solvation/simulation_cell.hpp"
#include "structures/atom_limits.hpp"
#include "structures/structure_checks.hpp"

namespace ionwell::python {
namespace py = pybind11;
using namespace py::literals;
namespace {

template <typename Text>
void set_texts(const std::vector<std::string>& texts, std::vector<Atom>& atoms, Text Atom::*member) {
  for (std::size_t n = 0; n < texts.size(); ++n) atoms[n].*member = Text(std::string_view(texts[n]));
}

std::vector<int> residue_numbers_in(const py::object& list, std::size_t count) {
  if (list.is_none()) return {};
  constexpr double largest = 2147483647.0;
  const std::vector<double> numbers = numbers_in(list, "residue_numbers", {count, -largest, largest, ""});
  return {numbers.begin(), numbers.end()};
}

struct AtomTexts {
  py::object names, residues, insertion_codes, chains, segments, elements;
};

struct GivenCell {
  py::object vectors;
  std::string kind;
};

std::optional<UnitCell> unit_cell_in(const GivenCell& given) {
  const CellKind kind = chosen<CellKind>(given.kind, "cell_kind",
                                         {{"simulation", CellKind::simulation},
                                          {"crystal", CellKind::crystal},
                                          {"undecided", CellKind::undecided}});
  if (given.vectors.is_none()) return std::nullopt;
  return UnitCell{cell_vectors_in(given.vectors), kind};
}

SharedInput structure_of_arrays(const py::object& positions, const py::object& charges,
                                const py::object& radii, const AtomTexts& texts,
                                const py::object& residue_numbers, const GivenCell& cell,
                                const std::string& name, const std::string& input_water) {
  const auto input = std::make_shared<HeldInput>();
  Structure& structure = input->system.acting();
  structure.path = name;
  const std::vector<Vec3<double>> positions_A = positions_in(positions, "positions");
  const std::size_t count = positions_A.size();
  const std::vector<double> charges_e =
      numbers_in(charges, "charges", {count, -largest_charge_e, largest_charge_e, "e"});
  std::vector<Atom>& atoms = structure.atoms;
  atoms.resize(count);
  for (std::size_t n = 0; n < count; ++n) {
    atoms[n].position_A = positions_A[n];
    atoms[n].charge_e = charges_e[n];
  }
  if (!radii.is_none()) {
    const std::vector<double> radii_A = numbers_in(radii, "radii", {count, 0.0, largest_radius_A, "A"});
    for (std::size_t n = 0; n < count; ++n) atoms[n].radius_A = radii_A[n];
  }
  const auto labels = [&](const py::object& list, const char* what) {
    return texts_in(list, what, count, Label::capacity);
  };
  set_texts(labels(texts.names, "names"), atoms, &Atom::name);
  set_texts(labels(texts.residues, "residues"), atoms, &Atom::residue);
  const std::vector<std::string> codes = texts_in(texts.insertion_codes, "insertion_codes", count, 1);
  for (std::size_t n = 0; n < codes.size(); ++n)
    if (!codes[n].empty()) atoms[n].insertion_code = codes[n].front();
  set_texts(labels(texts.chains, "chains"), atoms, &Atom::chain);
  set_texts(labels(texts.segments, "segments"), atoms, &Atom::segment);
  std::vector<std::string> elements = texts_in(texts.elements, "elements", count, ElementSymbol::capacity);
  for (std::string& element : elements)
    for (char& c : element)
      if (c >= 'a' && c <= 'z') c = char(c - 'a' + 'A');
  set_texts(elements, atoms, &Atom::element);
  std::vector<int> numbers = residue_numbers_in(residue_numbers, count);
  if (numbers.empty() && texts.residues.is_none()) {  // each atom stands for itself
    numbers.resize(count);
    std::iota(numbers.begin(), numbers.end(), 1);
  }
  for (std::size_t n = 0; n < numbers.size(); ++n) atoms[n].residue_number = numbers[n];
  input->files = {name};
  structure.cell = unit_cell_in(cell);
  const py::gil_scoped_release release;
  make_names_printable(structure);
  decide_cell(structure, structure.atoms);
  apply_water_option(structure, input_water_of(input_water));
  check_structure(structure);
  return input;
}

SharedInput read(const std::vector<std::string>& paths, const InputOptions& options,
                 const py::object& progress) {
  if (paths.empty()) fail<UsageError>("read needs a file; give the path of a structure");
  Following following(progress);
  const RunObserver observer = following.observer();
  return following.run_alone([&] {
    const Progress shown = observer.stage("read", "read");
    const auto input = std::make_shared<HeldInput>();
    static_cast<Input&>(*input) = read_input(paths, options, [&](double) { shown(0.0); });
    input->defines = options.defines;
    input->includes = options.includes;
    return input;
  });
}

/// A member of each atom as an array that looks into the structure and keeps it; nobody may write to it.
template <typename T, typename Member>
py::array looking_into(const py::object& self, Member Atom::*member, std::vector<py::ssize_t> shape) {
  const std::vector<Atom>& atoms = self.cast<SharedInput>()->system.acting().atoms;
  shape.insert(shape.begin(), py::ssize_t(atoms.size()));
  std::vector<py::ssize_t> strides{py::ssize_t(sizeof(Atom))};
  if (shape.size() > 1) strides.push_back(py::ssize_t(sizeof(T)));
  py::array view(py::dtype::of<T>(), shape, strides, reinterpret_cast<const T*>(&(atoms.front().*member)),
                 self);
  view.attr("setflags")("write"_a = false);
  return view;
}

template <typename Text>
auto texts_of(Text Atom::*member) {
  return [member](const SharedInput& input) {
    std::vector<std::string> texts;
    for (const Atom& atom : input->system.acting().atoms) texts.emplace_back((atom.*member).view());
    return py::module_::import("numpy").attr("array")(texts);
  };
}

std::string representation(const SharedInput& input) {
  const Structure& structure = input->system.acting();
  return "<ionwell.Structure '" + one_line(structure.path) + "': " + std::to_string(structure.atoms.size()) +
         " atoms, " +
         std::string(py::str(py::float_(net_charge_e(structure.atoms)).attr("__format__")("+.4g"))) + " e>";
}

}  // namespace

py::list chemistry_records(const Input& input) {
  py::list rows;
  for (const ChemistryRow& row : input.chemistry)
    rows.append(py::dict(
        "residue"_a = row.residue, "what"_a = row.what, "why"_a = row.why,
        "otherwise"_a = row.otherwise.empty() ? py::object(py::none()) : py::object(py::str(row.otherwise))));
  return rows;
}

void add_structure(py::module_& module) {
  module.def(
      "read",
      [](const std::vector<std::string>& paths, const std::string& input_water, const std::string& solute,
         const std::string& ignore, const std::optional<std::string>& charges, const std::string& assembly,
         std::int64_t frame, const std::vector<std::string>& define, const std::vector<std::string>& include,
         const py::dict& chemistry, const py::object& progress) {
        InputOptions options;
        options.water = input_water_of(input_water);
        options.frame.number = frame;
        if (charges) options.charges = charges_of(*charges);
        options.assembly = assembly;
        options.solute = solute;
        options.ignore = ignore;
        options.may_be_uncharged = true;  // which place and potential refuse
        options.defines = define;
        options.includes = include;
        read_chemistry(Keywords(chemistry), options);
        return read(paths, options, progress);
      },
      "paths"_a, py::kw_only(), "input_water"_a, "solute"_a, "ignore"_a, "charges"_a, "assembly"_a, "frame"_a,
      "define"_a, "include"_a, "chemistry"_a, "progress"_a);

  py::class_<HeldInput, SharedInput>(
      module, "Structure",
      R"(Atoms with charges, in the frame in which they came. Nothing changes one.

    Structure(positions, charges, radii=None, *, names=None, residues=None, residue_numbers=None,
              insertion_codes=None, chains=None, segments=None, elements=None, cell=None,
              cell_kind="simulation", name="arrays", input_water="warn")

positions: (n, 3) [A], charges: (n,) [e], radii: (n,) [A], for Poisson-Boltzmann only; where none is given the
elements, or the names, tell them. The texts are lists of n, for files, messages and residues of water, and may be
left out; without residues and their numbers each atom is a residue, counted from 1. cell: three vectors, (3, 3) [A],
or three lengths [A] and three angles [degrees]; cell_kind: whose it is, 'simulation', 'crystal', whose images are
never used, or 'undecided', which is a simulation's where a solvent fills it. name stands for the path of a file in messages and reports. input_water: what waters are, 'ignore' leaves
them out, 'solute' means them, and 'warn' takes them for solute with a warning. Raises ArrayError for arrays of the
wrong shape, type or length, and for NaN, and Error where all charges are zero.

    >>> import ionwell
    >>> ionwell.Structure([[0, 0, 0], [4, 0, 0]], [-1, -1])
    <ionwell.Structure 'arrays': 2 atoms, -2 e>
)")
      .def(
          py::init([](const py::object& positions, const py::object& charges, const py::object& radii,
                      const py::object& names, const py::object& residues, const py::object& residue_numbers,
                      const py::object& insertion_codes, const py::object& chains, const py::object& segments,
                      const py::object& elements, const py::object& cell, const std::string& cell_kind,
                      const std::string& name, const std::string& input_water) {
            return structure_of_arrays(positions, charges, radii,
                                       {names, residues, insertion_codes, chains, segments, elements},
                                       residue_numbers, {cell, cell_kind}, name, input_water);
          }),
          "positions"_a, "charges"_a, "radii"_a = py::none(), py::kw_only(), "names"_a = py::none(),
          "residues"_a = py::none(), "residue_numbers"_a = py::none(), "insertion_codes"_a = py::none(),
          "chains"_a = py::none(), "segments"_a = py::none(), "elements"_a = py::none(),
          "cell"_a = py::none(), "cell_kind"_a = "simulation", "name"_a = "arrays", "input_water"_a = "warn")
      .def("__len__", [](const SharedInput& input) { return input->system.acting().atoms.size(); })
      .def("__repr__", representation)
      .def(py::pickle(&state_of, &from_state))
      .def_property_readonly(
          "positions",
          [](const py::object& self) { return looking_into<double>(self, &Atom::position_A, {3}); },
          "Positions [A], (n, 3), without a copy; read-only.")
      .def_property_readonly(
          "charges", [](const py::object& self) { return looking_into<double>(self, &Atom::charge_e, {}); },
          "Charges [e], (n,), without a copy; read-only.")
      .def_property_readonly(
          "radii", [](const py::object& self) { return looking_into<double>(self, &Atom::radius_A, {}); },
          "Radii [A], (n,), without a copy; read-only; 0 if not known.")
      .def_property_readonly(
          "residue_numbers",
          [](const py::object& self) { return looking_into<int>(self, &Atom::residue_number, {}); },
          "Numbers of residues, (n,), without a copy; read-only.")
      .def_property_readonly(
          "chemistry", [](const SharedInput& input) { return chemistry_records(*input); },
          "Decisions about a PDB or mmCIF file before PDB2PQR assigned charges: dicts of residue, what, why, "
          "and otherwise (the option of the program that changes the decision).")
      .def_property_readonly("names", texts_of(&Atom::name), "Names of atoms, (n,).")
      .def_property_readonly("residues", texts_of(&Atom::residue), "Names of residues, (n,).")
      .def_property_readonly("chains", texts_of(&Atom::chain), "Names of chains, (n,).")
      .def_property_readonly("segments", texts_of(&Atom::segment), "Names of segments, (n,).")
      .def_property_readonly(
          "cell",
          [](const SharedInput& input) -> py::object {
            const std::optional<UnitCell>& cell = input->system.acting().cell;
            if (!cell) return py::none();
            py::array_t<double> rows({3, 3});
            auto at = rows.mutable_unchecked<2>();
            const Vec3<double> vectors[] = {cell->a, cell->b, cell->c};
            for (py::ssize_t n = 0; n < 3; ++n) {
              at(n, 0) = vectors[n].x;
              at(n, 1) = vectors[n].y;
              at(n, 2) = vectors[n].z;
            }
            return rows;
          },
          "The vectors of the cell, the rows of (3, 3) [A]; None without a cell.")
      .def_property_readonly(
          "cell_kind",
          [](const SharedInput& input) -> py::object {
            const std::optional<UnitCell>& cell = input->system.acting().cell;
            if (!cell) return py::none();
            constexpr const char* kinds[] = {"undecided", "simulation", "crystal"};
            return py::str(kinds[int(cell->kind)]);
          },
          "The kind of cell: 'simulation', 'crystal' or 'undecided'; None without a cell.")
      .def_property_readonly(
          "net_charge", [](const SharedInput& input) { return net_charge_e(input->system.acting().atoms); },
          "Sum of the charges [e].")
      .def_property_readonly(
          "path", [](const SharedInput& input) { return input->system.acting().path; },
          "The file that the atoms come from.")
      .def_property_readonly(
          "warnings", [](const SharedInput& input) { return warnings_of(input->system.acting().warnings); },
          "The warnings from reading the structure; place and potential issue them, too.")
      .def_property_readonly(
          "notes", [](const SharedInput& input) { return notes_of(input->system.acting().warnings); },
          "The notes from reading the structure, on which no action is needed.")
      .def(
          "describe",
          [](const SharedInput& input, std::int64_t atom) {
            const std::vector<Atom>& atoms = input->system.acting().atoms;
            if (atom < -std::ssize(atoms) || atom >= std::ssize(atoms))
              throw py::index_error("atom " + std::to_string(atom) + " of " + std::to_string(atoms.size()));
            return describe(atoms[std::size_t(atom < 0 ? atom + std::ssize(atoms) : atom)]);
          },
          "atom"_a, "The name of an atom in messages: 'DA 6 A H62'.");
}

}  // namespace ionwell::python
