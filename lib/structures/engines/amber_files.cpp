// SPDX-License-Identifier: BSD-3-Clause
#include "structures/engines/amber_files.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/chemistry/composition.hpp"
#include "structures/engines/amber_cell.hpp"
#include "structures/engines/amber_leap.hpp"
#include "structures/engines/amber_solute.hpp"
#include "structures/engines/engine_ions.hpp"
#include "structures/engines/engine_residues.hpp"
#include "structures/engines/engine_water.hpp"
#include "structures/pdb/pdb_header.hpp"
#include "structures/writers/pdb_writer.hpp"

namespace ionwell {
namespace {

/// The atoms of waters, or those of all else.
std::vector<Atom> of_kind(std::span<const Atom> atoms, bool water) {
  std::vector<Atom> found;
  for (std::size_t begin = 0; begin < atoms.size();) {
    const Residue residue = residue_at(atoms, begin);
    if ((residue.kind == ResidueKind::water) == water)
      found.insert(found.end(), atoms.begin() + std::ptrdiff_t(begin),
                   atoms.begin() + std::ptrdiff_t(residue.end));
    begin = residue.end;
  }
  return found;
}

/// Of records what stays true when residues have other names and numbers.
std::vector<std::string> title_records(const std::vector<std::string>& records) {
  constexpr std::array<std::string_view, 8> titles = {"HEADER", "TITLE",  "COMPND", "SOURCE",
                                                      "KEYWDS", "AUTHOR", "REVDAT", "JRNL"};
  std::vector<std::string> kept;
  for (const std::string& record : records)
    if (std::any_of(titles.begin(), titles.end(),
                    [&](std::string_view beginning) { return record.starts_with(beginning); }))
      kept.push_back(record);
  return kept;
}

}  // namespace

std::vector<EngineFile> amber_files(const EngineSystem& system) {
  std::optional<AmberCell> cell;
  if (system.cell) cell.emplace(*system.cell);
  std::vector<Atom> solute = of_kind(system.atoms, false),
                    waters = with_engine_waters(of_kind(system.atoms, true), Engine::amber);
  const std::vector<EngineLigand> ligands = ligands_of(system.ligands, LigandsOf::leap);
  std::optional<AmberSolute> named;
  if (names_residues(Engine::amber, system.topology)) {
    named = amber_solute(solute, engine_residues(Engine::amber, solute, ligands, system.links), ligands);
    solute = named->atoms;
  }
  EngineSystem turned = system;
  if (cell && cell->is_turned()) {
    turned.cell = cell->cell();
    for (EngineIon& ion : turned.ions) ion.position_A = cell->turned(ion.position_A);
    for (std::vector<Atom>* const atoms : {&solute, &waters})
      for (Atom& atom : *atoms) atom.position_A = cell->turned(atom.position_A);
  }
  const std::vector<std::string> records = named ? title_records(system.header_records)
                                           : cell && cell->is_turned()
                                               ? records_without_places(system.header_records)
                                               : system.header_records;
  std::vector<EngineFile> files;
  std::string units;
  const auto add = [&](const char* unit, EngineFile file) {
    units.append(units.empty() ? "" : " ").append(unit);
    files.push_back(std::move(file));
  };
  if (!solute.empty())
    add("mol", {"solute.pdb", pdb_text({.records = records,
                                        .solute = solute,
                                        .cell = turned.cell,
                                        .names = named ? SoluteNames::own : SoluteNames::pdb})});
  if (!turned.ions.empty()) add("ions", {"ions.pdb", ions_pdb(turned, IonNaming::amber)});
  if (!waters.empty()) add("water", {"water.pdb", pdb_text({.solute = waters, .cell = turned.cell})});
  for (std::size_t n = 0; named && n < ligands.size(); ++n)
    files.push_back({ligand_file_name(ligands, n), ligands[n].text});
  if (named && named->lacks_torsion) files.push_back({std::string(missing_torsion_file), missing_torsion()});
  files.push_back(
      {"leap.in", leap_script(turned, named ? &*named : nullptr, cell ? &*cell : nullptr, units)});
  if (cell && !cell->is_rectangular()) files.push_back({"cell.py", amber_cell_script(cell->cell())});
  return files;
}

}  // namespace ionwell
