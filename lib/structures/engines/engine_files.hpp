// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "chemistry/perception/entry_records.hpp"
#include "core/structure.hpp"
#include "structures/engines/engine_ligand.hpp"
#include "structures/formats/topology_file.hpp"

namespace ionwell {

/// The programs that a folder of files can be written for.
enum class Engine { gromacs, amber, charmm, openmm, vmd };

/// An ion as it was placed, under the name that the user gave it.
struct EngineIon {
  std::string name, element;  // element in upper case; empty when unknown
  double charge_e = 0.0;
  Vec3<double> position_A;
};

/// Atoms [begin, end).
struct AtomRange {
  std::size_t begin = 0, end = 0;
};

/// What the files are made of.
struct EngineSystem {
  std::span<const Atom> atoms;  // all of the input, in its order
  std::vector<EngineIon> ions;
  std::vector<AtomRange> replaced;  // waters among the atoms that ions took the places of, in their order
  std::span<const Atom> waters;     // that come in addition, in molecules of one kind
  std::string water_model;          // of these, as --water-model has it; empty: not known, as TIP3P
  std::optional<UnitCell> cell;
  std::optional<Vec3<double>> cell_centre_A;   // where a file says it; otherwise the middle of the atoms
  std::vector<std::string> remarks;            // one paragraph each
  std::optional<TopologyFile> topology;        // that the atoms are from
  std::vector<std::string> header_records;     // of a PDB file
  std::vector<std::string> defines, includes;  // that a GROMACS topology was read with
  std::vector<EngineLigand> ligands;           // files of the user, for residues that the force fields lack
  std::vector<RecordedBond> links;             // between residues of an entry
};

/// A file of the folder.
struct EngineFile {
  std::string name, text;
};

/// The files that `engine` takes as they are:
/// - GROMACS: conf.gro in the order of [ molecules ], with the ions after the solute and before the water; a
///   copy of the topology with them added under the names that its force field defines, and of what it
///   includes from its own folder; index.ndx. Needs a topology (.top) among the inputs, which stays as it is.
/// - AMBER: solute.pdb, ions.pdb, water.pdb and leap.in, which loads, combines, checks and saves them. LEaP
///   makes rectangular cells only: cell.py gives what it made another one, by ParmEd. A truncated octahedron
///   is turned to the three angles of 109.4712190 degrees that AMBER knows it by.
/// - CHARMM and NAMD: a PDB file for each segment, of at most 9,999 residues, psfgen.tcl, and cell.namd.
/// - OpenMM: system.cif and run.py, which minimises and runs it.
/// - VMD: solute.pdb, ions.pdb and view.tcl, which shows them.
/// Throws UsageError for what that engine cannot take: an ion or a water that its force field does not have,
/// no topology.
std::vector<EngineFile> engine_files(Engine engine, const EngineSystem& system);

/// Throws UsageError for what can be refused before anything is computed: a topology that GROMACS lacks, that
/// LEaP has no names for, or that cannot be read a second time; a water that the engine has no file for.
/// `water_model` is empty where no water is added.
void check_engine(Engine engine, const std::optional<TopologyFile>& topology, std::string_view water_model);

/// Throws UsageError for atoms that no file of that engine is for: Drude particles, which the force fields of
/// psfgen.tcl, leap.in and run.py do not have. O(atoms).
void check_engine_particles(Engine engine, std::span<const Atom> atoms);

/// The same, and throws Error for residues and atoms that the engine's force fields do not have, where the
/// folder gives them their names (engine_residues). O(atoms).
void check_engine_atoms(Engine engine, const std::optional<TopologyFile>& topology,
                        std::span<const Atom> atoms, const std::vector<EngineLigand>& ligands = {},
                        std::span<const RecordedBond> links = {});

/// The atoms that the ions left in place, and the waters added.
std::vector<Atom> remaining_atoms(const EngineSystem& system);

/// What a user has to be told of these files: atoms that an ion lies on, because they were left out when ions
/// were placed; names that the engine's force fields do not have, because they are CHARMM's. Ready to show.
/// O(atoms).
std::vector<std::string> engine_warnings(Engine engine, const EngineSystem& system);

}  // namespace ionwell
