// SPDX-License-Identifier: BSD-3-Clause
#include "python/systems/made_system.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <limits>

#include "core/error.hpp"
#include "core/text/note.hpp"
#include "files/new_folder.hpp"
#include "gpu/backend.hpp"
#include "output/folder_checks.hpp"
#include "output/views/html_report.hpp"
#include "python/arrays/arrays.hpp"
#include "python/file_choices.hpp"
#include "python/following.hpp"
#include "python/map.hpp"

namespace ionwell::python {
namespace py = pybind11;
using namespace py::literals;
namespace {

using SystemPointer = std::shared_ptr<MadeSystem>;

SystemOutput output_of(const MadeSystem& system, const std::string& path, const FileChoices& choices) {
  FileChoices chosen = choices;
  if (!chosen.engine && !is_system_name(path)) chosen.engine = system.engine;
  const SystemOutput output = file_output(path, chosen, system.naming, "for the system");
  if (output.engine) {
    if (*output.engine == Engine::gromacs && !system.input->topology && system.input->is_entry)
      fail<UsageError>(
          system.input->system.acting().path,
          ": pdb2gmx makes the topology of an entry when it is read; give engine='gromacs' to prepare "
          "or solvate");
    check_engine(*output.engine, system.input->topology, system.water_model);
    check_engine_input(*output.engine, *system.input);
    check_left_out(*output.engine, *system.input, system.parts().is_in_solute);
  }
  return output;
}

void save_system(const MadeSystem& system, const std::filesystem::path& path, const FileChoices& choices,
                 const py::object& progress) {
  const SystemOutput output = output_of(system, path.string(), choices);
  Following following(progress);
  const RunObserver observer = following.observer();
  following.run([&] {
    NewFolder folder(output.folder());
    OutputFiles files;
    add_solvated_files(output, *system.input, system.read, system.parts(), files, system.threads,
                       observer.stage("write", "write"));
    files.commit();
    folder.keep();
    if (output.engine)
      for (const std::string& warning :
           engine_warnings(*output.engine, {.atoms = system.input->system.atoms(),
                                           .cell = system.parts().cell,
                                           .topology = system.input->topology}))
        observer.warning(warning);
    return 0;
  });
  following.tell_warnings();
}

/// All atoms as a Structure, which the system keeps.
SharedInput all_atoms(const SystemPointer& system) {
  if (system->all_atoms) return system->all_atoms;
  const auto all = std::make_shared<HeldInput>();
  {
    const py::gil_scoped_release release;
    all->system = System({.whole = {.path = system->input->system.acting().path,
                                    .atoms = system_atoms(*system->input, system->parts(), system->naming),
                                    .cell = system->water().cell}});
    all->files = {system->input->system.acting().path};
  }
  system->all_atoms = all;
  return all;
}

/// What the structure of all atoms has, as `name`.
auto of_all_atoms(const char* name) {
  return [name](const SystemPointer& system) -> py::object { return py::cast(all_atoms(system)).attr(name); };
}

py::array_t<double> box_vectors(const MadeSystem& system) {
  const CellVectors& vectors = system.water().cell;
  py::array_t<double> rows({py::ssize_t(3), py::ssize_t(3)});
  double* at = rows.mutable_data();
  for (const Vec3<double>& row : {vectors.a, vectors.b, vectors.c})
    for (const double x : {row.x, row.y, row.z}) *at++ = x;
  return rows;
}

py::array_t<double> cell_numbers(const MadeSystem& system) {
  const CellVectors& vectors = system.water().cell;
  const Vec3<double> lengths = lengths_A(vectors), angles = angles_deg(vectors);
  return array_of(std::vector<double>{lengths.x, lengths.y, lengths.z, angles.x, angles.y, angles.z});
}

std::int64_t solute_atoms(const MadeSystem& system) {
  auto atoms = std::int64_t(system.solute_atoms());
  if (system.remaining)
    for (const AtomRange& range : system.remaining->replaced) atoms -= std::int64_t(range.end - range.begin);
  return atoms;
}

std::int64_t waters_of(const MadeSystem& system) {
  return system.remaining ? system.remaining->waters.size() : system.water().waters.size();
}

py::object ion_names(const MadeSystem& system) {
  py::list names;
  for (const PlacedIon& ion : system.ions) names.append(ion.species.name);
  return py::module_::import("numpy").attr("array")(names, "dtype"_a = "str");
}

/// NaN for ions that were placed at random.
py::array_t<double> ion_energies(const MadeSystem& system) {
  std::vector<double> energies;
  for (const PlacedIon& ion : system.ions)
    energies.push_back(ion.by_chance ? std::numeric_limits<double>::quiet_NaN() : ion.energy_kT);
  return array_of(energies);
}

std::string system_text_of(const MadeSystem& system) {
  return "<ionwell.System of '" + system.input->system.acting().path +
         "': " + std::to_string(solute_atoms(system)) + " atoms of the solute, " +
         std::to_string(system.ions.size()) + " ions, " + std::to_string(waters_of(system)) + " waters>";
}

void add_properties(py::class_<MadeSystem, SystemPointer>& system) {
  system
      .def_property_readonly("structure", &all_atoms,
                             "All atoms as a Structure, in the order of files: solute, ions, water. Ions "
                             "have the names of ion_names, waters those of the PDB. Waters have the charges "
                             "of the water model. It is made at the first access.")
      .def_property_readonly("positions", of_all_atoms("positions"),
                             "Positions [A] of all atoms, (n, 3), without a copy; read-only.")
      .def_property_readonly("names", of_all_atoms("names"), "Names of all atoms, (n,).")
      .def_property_readonly("residues", of_all_atoms("residues"), "Names of their residues, (n,).")
      .def_property_readonly("box", box_vectors, "The vectors of the cell, the rows of (3, 3) [A].")
      .def_property_readonly("cell", cell_numbers, "Its lengths [A] and angles [degrees], (6,).")
      .def_property_readonly(
          "solute_atoms", solute_atoms,
          "Number of atoms of the solute, including crystal waters and ions of the input: the first atoms.")
      .def_property_readonly(
          "waters", waters_of,
          "Number of added molecules of water, the last atoms; those around ions at sites come first.")
      .def_property_readonly("ion_names", ion_names,
                             "Names of the placed ions, as they were given, (m,); those at sites come first, "
                             "here and in the other arrays of ions.")
      .def_property_readonly(
          "ion_positions",
          [](const MadeSystem& self) {
            py::array_t<double> rows({py::ssize_t(self.ions.size()), py::ssize_t(3)});
            double* at = rows.mutable_data();
            for (const PlacedIon& ion : self.ions)
              for (const double x : {ion.position_A.x, ion.position_A.y, ion.position_A.z}) *at++ = x;
            return rows;
          },
          "Their positions [A], (m, 3).")
      .def_property_readonly(
          "ion_charges",
          [](const MadeSystem& self) {
            std::vector<double> charges;
            for (const PlacedIon& ion : self.ions) charges.push_back(ion.species.charge_e);
            return array_of(charges);
          },
          "Their charges [e], (m,).")
      .def_property_readonly("ion_energies", ion_energies,
                             "Their energies [kT], (m,): charge times the potential of the solute and of the "
                             "ions placed before; for ions at sites as in Result; NaN for salt at random.")
      .def_property_readonly(
          "chemistry", [](const MadeSystem& self) { return chemistry_records(*self.input); },
          "Decisions about a PDB or mmCIF file, a list of dicts as in Structure.")
      .def_property_readonly(
          "report", [](const MadeSystem& self) { return report_of(self.report); },
          "The report of the run as a dict, as written by --report.")
      .def_property_readonly(
          "warnings", [](const MadeSystem& self) { return warnings_of(self.warnings); },
          "The warnings of the run, which were also issued as Python warnings.")
      .def_property_readonly(
          "notes", [](const MadeSystem& self) { return notes_of(self.warnings); },
          "The notes of the run, on which no action is needed.");
}

}  // namespace

void add_made_system(py::module_& module) {
  py::class_<MadeSystem, SystemPointer> system(module, "System",
                                               "A solute in a periodic cell of water, with the ions of "
                                               "prepare, returned by ionwell.solvate and ionwell.prepare.");
  add_properties(system);
  system.def("__repr__", system_text_of)
      .def("__len__",
           [](const MadeSystem& self) {
             return solute_atoms(self) + std::ssize(self.ions) +
                    waters_of(self) * std::int64_t(self.water().waters.atoms_each());
           })
      .def(
          "html",
          [](const MadeSystem& self) {
            if (!self.job)
              fail<UsageError>("html is a page about ions, but solvate places none; use ionwell.prepare");
            const py::gil_scoped_release release;
            return html_report(*self.result, coarse_map(*self.job, {&gpu_backend()}), self.input->chemistry);
          },
          "A page about the ions, as in Result.")
      .def(
          "save",
          [](const MadeSystem& self, const std::filesystem::path& path,
             const std::optional<std::string>& engine, const std::optional<std::string>& ion_names,
             const std::optional<std::string>& water_names, const std::string& pdb_serials,
             const py::object& progress) {
            save_system(self, path, {engine, ion_names, water_names, pdb_serials}, progress);
          },
          "path"_a, py::kw_only(), "engine"_a = py::none(), "ion_names"_a = py::none(),
          "water_names"_a = py::none(), "pdb_serials"_a = "wrapped", "progress"_a = py::none(),
          R"(Writes the system as the program does, byte for byte: a file in the format that its name asks for, .gro, .pdb,
.cif, .pqr, .crd (CHARMM), .rst7 or .xyz, also with .gz; or, with engine='gromacs', 'amber', 'charmm' (NAMD, too),
'openmm' or 'vmd', a new folder of files that this program takes as they are; without engine that of prepare or solvate,
where path is not the name of such a file. ion_names, water_names: whose names
these get, 'pdb', 'charmm', 'amber' or 'gromacs'; None: those of prepare, and what the format is for. pdb_serials:
'wrapped', 'hex' or 'hybrid36', past 99,999. All files appear when they are complete, or none does.)");
}

}  // namespace ionwell::python
