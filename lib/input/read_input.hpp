// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "chemistry/decisions/chemistry_choices.hpp"
#include "chemistry/perception/entry_records.hpp"
#include "input/chemistry_row.hpp"
#include "programs/pdb2pqr.hpp"
#include "structures/coordinates.hpp"
#include "structures/engines/engine_ligand.hpp"
#include "structures/formats/read_structure.hpp"
#include "structures/formats/topology_file.hpp"
#include "structures/molecules/system.hpp"

namespace ionwell {

class ScratchFolder;
struct EntryFile;

/// What to read of the files, and what of it acts.
struct InputOptions : ReadOptions {
  FrameChoice frame;                        // of a trajectory
  std::optional<ChargeForceField> charges;  // whose charges PDB2PQR gives; not given: AMBER's, where none are
  std::optional<std::string> keep_scratch;  // folder for PDB2PQR's files
  ChemistryChoices chemistry;               // what is decided otherwise before that
  std::vector<std::string> ligands;         // files with charges of residues that PDB2PQR does not know
  std::string assembly;                     // name of the biological assembly to build; empty: as it is
  std::string solute;                       // selection of what acts and keeps ions away; empty: all
  std::string ignore;                       // selection of what does not, and is removed
  std::vector<std::string> defines, includes;  // for a GROMACS topology, as -D and -I
  /// Files of ligands also go into a folder for that engine: files for it may be among them, and the atoms
  /// may have charges.
  std::vector<LigandsOf> ligands_for = {};
  /// Where nothing is said of water: ions replace that of a box that is full of it, and `water` is then so.
  bool replace_in_box = false;
  /// Without it charges may be missing: PDB2PQR runs only where `charges` asks for it, a file of coordinates
  /// with names (.gro, .g96, CRD) is a structure, nothing is said of charges, and waters are no reason for a
  /// warning.
  bool needs_charges = true;
  /// With it PDB2PQR runs for a structure without charges although none are needed: pdb2gmx gets its states.
  bool charges_entries = false;
  /// With it charges that are all zero are a warning, and no error: nothing is placed by energy.
  bool may_be_uncharged = false;
  /// Without it a file without charges is refused, since those of PDB2PQR come with hydrogens.
  bool may_add_atoms = true;
};

/// What the files hold.
struct Input {
  System system;
  std::vector<std::string> files;
  std::optional<TopologyFile> topology;   // the one among them
  std::vector<ChemistryRow> chemistry;    // what was decided before PDB2PQR gave charges
  std::vector<EngineLigand> ligands;      // files of ligands that an engine reads
  bool replaces_water = false;            // waters stay, and do not act, for ions to take their places
  bool is_pqr = false;                    // whose names of nucleotides are PDB2PQR's
  std::vector<RecordedBond> entry_links;  // between residues of an entry, as found before it got charges
  bool is_entry = false;                  // of the PDB, which got its charges from PDB2PQR
  // Where the topology was made, while this exists; empty: it is a file of the user.
  std::shared_ptr<const ScratchFolder> topology_folder;
};

/// Reads a structure with charges: one file that has all (PQR, mol2, .tpr), one without charges (PDB, mmCIF),
/// for which PDB2PQR is run, or a topology (PSF, prmtop, GROMACS .top) and a file of coordinates, and one of
/// a cell (.xsc); in any order. Any of them may be gzipped, and one standard input ("-"). What of it acts is
/// then selected. Errors and warnings as of read_structure; Interrupted when a signal ends PDB2PQR.
/// `progress` gets the seconds that PDB2PQR has run.
Input read_input(const std::vector<std::string>& paths, const InputOptions& options = {},
                 const std::function<void(double seconds)>& progress = {});

/// The same where one frame of a trajectory, which was read before, has the positions: `paths` are those of
/// the topology or the structure, whose own positions do not count, and of a cell.
Input read_input_at(const Coordinates& coordinates, const std::string& coordinates_path,
                    const std::vector<std::string>& paths, const InputOptions& options = {});

/// The same from files that are open already. `entry` is what the only one holds, where that was read before
/// without an assembly: it is not read once more.
Input read_open_files(std::vector<InputFile> files, const InputOptions& options = {},
                      const std::function<void(double seconds)>& progress = {},
                      const EntryFile* entry = nullptr);

}  // namespace ionwell
