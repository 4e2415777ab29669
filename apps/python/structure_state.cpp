// SPDX-License-Identifier: BSD-3-Clause
#include "python/structure_state.hpp"

#include <pybind11/stl.h>

#include <cstring>
#include <type_traits>

#include "core/chemistry/elements.hpp"
#include "core/error.hpp"
#include "core/version.hpp"

namespace ionwell::python {
namespace py = pybind11;
namespace {

template <typename T>
py::bytes bytes_of(const std::vector<T>& values) {
  static_assert(std::is_trivially_copyable_v<T>);
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

template <typename T>
std::vector<T> values_of(const py::handle& bytes) {
  const auto text = bytes.cast<std::string>();
  std::vector<T> values(text.size() / sizeof(T));
  if (!values.empty()) std::memcpy(static_cast<void*>(values.data()), text.data(), values.size() * sizeof(T));
  return values;
}

std::vector<double> numbers_of(const std::optional<UnitCell>& cell) {
  if (!cell) return {};
  return {cell->a.x, cell->a.y, cell->a.z, cell->b.x, cell->b.y,
          cell->b.z, cell->c.x, cell->c.y, cell->c.z, double(cell->kind)};
}

std::optional<UnitCell> cell_of(const std::vector<double>& numbers) {
  if (numbers.empty()) return {};
  return UnitCell{{{numbers.at(0), numbers.at(1), numbers.at(2)},
                   {numbers.at(3), numbers.at(4), numbers.at(5)},
                   {numbers.at(6), numbers.at(7), numbers.at(8)}},
                  CellKind(int(numbers.at(9)))};
}

std::optional<Vec3<double>> centre_of(const std::vector<double>& numbers) {
  if (numbers.empty()) return {};
  return Vec3<double>{numbers.at(0), numbers.at(1), numbers.at(2)};
}

py::object parts_of(const std::optional<Composition>& composition) {
  if (!composition) return py::none();
  const Composition& of = *composition;
  py::list ions;
  for (const IonCount& ion : of.ion_kinds)
    ions.append(
        py::make_tuple(std::string(ion.name.view()), std::string(ion.element), ion.charge_e, ion.count));
  return py::make_tuple(
      bytes_of(std::vector<KindCount>{of.protein, of.nucleic_acid, of.lipid, of.water, of.ions, of.unknown}),
      ions, bytes_of(of.unknown_names), of.water_left_out);
}

std::optional<Composition> composition_in(const py::object& parts) {
  if (parts.is_none()) return {};
  const py::tuple all(parts);
  const std::vector<KindCount> kinds = values_of<KindCount>(all[0]);
  Composition composition{.protein = kinds.at(0),
                          .nucleic_acid = kinds.at(1),
                          .lipid = kinds.at(2),
                          .water = kinds.at(3),
                          .ions = kinds.at(4),
                          .unknown = kinds.at(5),
                          .ion_kinds = {},
                          .unknown_names = values_of<NameCount>(all[2]),
                          .water_left_out = all[3].cast<bool>()};
  for (const py::handle ion : py::list(all[1])) {
    const auto of = ion.cast<py::tuple>();
    composition.ion_kinds.push_back({Label(of[0].cast<std::string>()),
                                     element_of_symbol(of[1].cast<std::string>()), of[2].cast<double>(),
                                     of[3].cast<std::int64_t>()});
  }
  return composition;
}

py::object parts_of(const std::optional<TopologyFile>& topology) {
  if (!topology) return py::none();
  return py::make_tuple(topology->path, int(topology->format), topology->has_charmm_names,
                        topology->can_be_reopened);
}

std::optional<TopologyFile> topology_in(const py::object& parts) {
  if (parts.is_none()) return {};
  const py::tuple all(parts);
  return TopologyFile{.path = all[0].cast<std::string>(),
                      .format = FileFormat(all[1].cast<int>()),
                      .has_charmm_names = all[2].cast<bool>(),
                      .can_be_reopened = all[3].cast<bool>()};
}

py::list rows_of(const std::vector<ChemistryRow>& chemistry) {
  py::list rows;
  for (const ChemistryRow& row : chemistry)
    rows.append(py::make_tuple(row.residue, row.what, row.why, row.otherwise));
  return rows;
}

std::vector<ChemistryRow> chemistry_in(const py::handle& rows) {
  std::vector<ChemistryRow> chemistry;
  for (const py::handle& row : rows.cast<py::list>()) {
    const auto parts = row.cast<py::tuple>();
    chemistry.push_back({parts[0].cast<std::string>(), parts[1].cast<std::string>(),
                         parts[2].cast<std::string>(), parts[3].cast<std::string>()});
  }
  return chemistry;
}

py::list parts_of(const std::vector<EngineLigand>& ligands) {
  py::list files;
  for (const EngineLigand& ligand : ligands)
    files.append(py::make_tuple(ligand.path, int(ligand.kind), py::bytes(ligand.text), ligand.residues));
  return files;
}

std::vector<EngineLigand> ligands_in(const py::handle& files) {
  std::vector<EngineLigand> ligands;
  for (const py::handle& file : files.cast<py::list>()) {
    const auto parts = file.cast<py::tuple>();
    ligands.push_back({parts[0].cast<std::string>(), LigandKind(parts[1].cast<int>()),
                       parts[2].cast<std::string>(), parts[3].cast<std::vector<std::string>>()});
  }
  return ligands;
}

}  // namespace

py::tuple state_of(const SharedInput& input) {
  const System& system = input->system;
  const Structure& acting = system.acting();
  std::vector<double> centre;
  if (const auto& at = system.cell_centre_A()) centre = {at->x, at->y, at->z};
  return py::make_tuple(std::string(version()), sizeof(Atom), acting.path, bytes_of(system.atoms_of_files()),
                        bytes_of(system.roles()), numbers_of(acting.cell), acting.warnings,
                        parts_of(acting.composition), bytes_of(system.links()), input->files,
                        parts_of(input->topology), system.header_records(), input->replaces_water,
                        input->is_pqr, input->defines, input->includes, rows_of(input->chemistry), centre,
                        parts_of(input->ligands), bytes_of(input->entry_links), input->is_entry);
}

SharedInput from_state(const py::tuple& state) {
  constexpr std::size_t parts = 21;
  if (state.size() != parts || state[0].cast<std::string>() != version() ||
      state[1].cast<std::size_t>() != sizeof(Atom))
    fail("a pickled structure is of another version of ionwell; read its files again");
  const auto input = std::make_shared<HeldInput>();
  const auto texts = [&](std::size_t part) { return state[part].cast<std::vector<std::string>>(); };
  input->system = System({.whole = {.path = state[2].cast<std::string>(),
                                    .atoms = values_of<Atom>(state[3]),
                                    .warnings = texts(6),
                                    .composition = composition_in(state[7]),
                                    .cell = cell_of(state[5].cast<std::vector<double>>())},
                          .roles = values_of<AtomRole>(state[4]),
                          .links = values_of<AtomLink>(state[8]),
                          .header_records = texts(11),
                          .cell_centre_A = centre_of(state[17].cast<std::vector<double>>())});
  input->files = texts(9);
  input->topology = topology_in(state[10]);
  input->replaces_water = state[12].cast<bool>();
  input->is_pqr = state[13].cast<bool>();
  input->defines = texts(14);
  input->includes = texts(15);
  input->chemistry = chemistry_in(state[16]);
  input->ligands = ligands_in(state[18]);
  input->entry_links = values_of<RecordedBond>(state[19]);
  input->is_entry = state[20].cast<bool>();
  return input;
}

}  // namespace ionwell::python
