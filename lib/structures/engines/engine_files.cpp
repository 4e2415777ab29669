// SPDX-License-Identifier: BSD-3-Clause
#include "structures/engines/engine_files.hpp"

#include <algorithm>

#include "core/cell_list.hpp"
#include "core/chemistry/extra_particles.hpp"
#include "core/error.hpp"
#include "core/geometry/standard_cell.hpp"
#include "core/text/count_text.hpp"
#include "core/text/lines.hpp"
#include "core/text/note.hpp"
#include "structures/engines/amber_files.hpp"
#include "structures/engines/charmm_files.hpp"
#include "structures/engines/engine_residues.hpp"
#include "structures/engines/engine_water.hpp"
#include "structures/engines/gromacs_files.hpp"
#include "structures/engines/openmm_files.hpp"
#include "structures/engines/vmd_files.hpp"
#include "structures/pdb/pdb_header.hpp"
#include "structures/writers/written_system.hpp"

namespace ionwell {

namespace {

/// The same system with nothing replaced and nothing to add; it refers to `atoms`.
EngineSystem with_atoms(const EngineSystem& system, std::span<const Atom> atoms) {
  EngineSystem same = system;
  same.atoms = atoms;
  same.replaced.clear();
  same.waters = {};
  return same;
}

/// The program takes a cell as lengths and angles, or with its vector a along x: all but NAMD, and VMD, which
/// shows maps with the atoms.
bool needs_standard_cell(Engine engine) {
  return engine != Engine::charmm && engine != Engine::vmd;
}

/// A system whose cell and atoms are in the standard orientation.
class StandardSystem {
 public:
  explicit StandardSystem(const EngineSystem& system, const StandardCell& cell)
      : atoms_(rotated(system.atoms, cell)), waters_(rotated(system.waters, cell)), system_(system) {
    system_.atoms = atoms_;
    system_.waters = waters_;
    system_.cell = cell.cell();
    for (EngineIon& ion : system_.ions) ion.position_A = cell.rotation()(ion.position_A);
    system_.remarks.emplace_back(rotation_remark);
    system_.header_records = records_without_places(system.header_records);
  }
  StandardSystem(const StandardSystem&) = delete;
  StandardSystem& operator=(const StandardSystem&) = delete;

  const EngineSystem& system() const { return system_; }

 private:
  static std::vector<Atom> rotated(std::span<const Atom> atoms, const StandardCell& cell) {
    std::vector<Atom> all(atoms.begin(), atoms.end());
    for (Atom& atom : all) atom.position_A = cell.rotation()(atom.position_A);
    return all;
  }

  std::vector<Atom> atoms_, waters_;
  EngineSystem system_;
};

std::vector<EngineFile> files_for(Engine engine, const EngineSystem& system) {
  if (engine == Engine::gromacs) return gromacs_files(system);
  if (engine == Engine::charmm) return charmm_files(system);
  const std::vector<Atom> remaining = remaining_atoms(system);
  const EngineSystem written = with_atoms(system, remaining);
  if (engine == Engine::amber) return amber_files(written);
  return engine == Engine::openmm ? openmm_files(written) : vmd_files(written);
}

}  // namespace

std::vector<Atom> remaining_atoms(const EngineSystem& system) {
  std::vector<Atom> atoms;
  atoms.reserve(system.atoms.size() + system.waters.size());
  std::size_t next = 0;
  const auto take_until = [&](std::size_t end) {
    atoms.insert(atoms.end(), system.atoms.begin() + std::ptrdiff_t(next),
                 system.atoms.begin() + std::ptrdiff_t(end));
  };
  for (const AtomRange& range : system.replaced) {
    take_until(range.begin);
    next = range.end;
  }
  take_until(system.atoms.size());
  atoms.insert(atoms.end(), system.waters.begin(), system.waters.end());
  return atoms;
}

void check_engine(Engine engine, const std::optional<TopologyFile>& topology, std::string_view water_model) {
  if (engine == Engine::gromacs) check_gromacs_topology(topology);
  if (engine == Engine::charmm) check_psf(topology);
  if (engine == Engine::amber && topology && topology->has_charmm_names)
    fail<UsageError>(topology->path, ": is ", describe(topology->format),
                     topology->format == FileFormat::prmtop ? " that CHAMBER made" : "",
                     ", whose residues and atoms have CHARMM names, but LEaP needs AMBER names; write for "
                     "CHARMM with --for charmm, or give a structure with AMBER names");
  if (!water_model.empty()) check_engine_water(engine, water_model);
}

void check_engine_particles(Engine engine, std::span<const Atom> atoms) {
  if (engine == Engine::vmd || engine == Engine::gromacs) return;  // as they are; GROMACS by its own topology
  const std::int64_t drude = count_extra_particles(atoms).drude;
  if (drude > 0)
    fail<UsageError>(
        "the structure has ", count_of(drude, "Drude particle"), ", and --for ",
        engine == Engine::charmm  ? "charmm"
        : engine == Engine::amber ? "amber"
                                  : "openmm",
        " writes files for force fields without them; write a single file, such as -o ions.pdb, and "
        "build the system with it and a Drude force field");
}

void check_engine_atoms(Engine engine, const std::optional<TopologyFile>& topology,
                        std::span<const Atom> atoms, const std::vector<EngineLigand>& ligands,
                        std::span<const RecordedBond> links) {
  check_engine_particles(engine, atoms);
  if (names_residues(engine, topology)) engine_residues(engine, atoms, ligands, links);
}

std::vector<EngineFile> engine_files(Engine engine, const EngineSystem& system) {
  check_engine(engine, system.topology, system.water_model);
  check_engine_particles(engine, system.atoms);
  if (system.cell && needs_standard_cell(engine))
    if (const StandardCell cell(*system.cell); cell.is_rotated())
      return files_for(engine, StandardSystem(system, cell).system());
  return files_for(engine, system);
}

std::vector<std::string> engine_warnings(Engine engine, const EngineSystem& system) {
  std::vector<std::string> warnings;
  if (system.cell && needs_standard_cell(engine) && StandardCell(*system.cell).is_rotated())
    warnings.emplace_back(note(
        "the program needs a cell with the vector a along x and b in the plane of x and y, and this cell has "
        "another "
        "orientation: all atoms in the folder are rotated with the cell; maps and reports keep the "
        "orientation of "
        "the input"));
  constexpr double touching_A =
      2.5;  // hydrated ions have their first atoms at about this distance, or closer
  std::vector<Vec3<double>> ions;
  for (const EngineIon& ion : system.ions) ions.push_back(ion.position_A);
  if (!system.replaced.empty()) ions.clear();  // their neighbours are the water's that was there
  const CellList cells(ions, touching_A);
  std::int64_t touched = 0;
  std::string first;
  for (const Atom& atom : system.atoms) {
    const auto nearest = cells.nearest(ions, atom.position_A, touching_A, [](std::uint32_t) { return true; });
    if (!(nearest.distance2_A2 < touching_A * touching_A)) continue;
    if (touched++ == 0) first = describe(atom);
  }
  if (touched > 0)
    warnings.push_back(count_of(touched, "atom") + " that did not count when ions were placed " +
                       (touched == 1 ? "is" : "are") + " within 2.5 A of one, first " + first +
                       ", but the folder has them; place ions before adding water, or remove these");
  if (system.topology && system.topology->has_charmm_names && engine == Engine::openmm)
    warnings.push_back("residues and atoms have the names of " + system.topology->path +
                       ", which are those of CHARMM, but OpenMM's force fields have those of the PDB; --for "
                       "charmm keeps the CHARMM names");
  const std::vector<std::string> renamed = engine == Engine::charmm && !has_psf(system.topology)
                                               ? renamed_segments(system.atoms)
                                               : std::vector<std::string>();
  if (!renamed.empty()) {
    std::string names;
    for (const std::string& name : renamed) names.append(names.empty() ? "" : ", ") += quote(name);
    warnings.push_back(note(
        "psfgen segments have names of letters, digits and underscores; in psfgen.tcl each other character "
        "of " +
        names + " is replaced by an underscore, and segments that would have the same name are numbered"));
  }
  return warnings;
}

}  // namespace ionwell
