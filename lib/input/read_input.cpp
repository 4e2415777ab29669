// SPDX-License-Identifier: BSD-3-Clause
#include "input/read_input.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/error.hpp"
#include "core/periodic_cell.hpp"
#include "core/text/count_text.hpp"
#include "core/text/note.hpp"
#include "core/text/printable_names.hpp"
#include "files/input_file.hpp"
#include "input/entry_file.hpp"
#include "input/entry_part.hpp"
#include "input/entry_programs.hpp"
#include "input/ligands_for_engines.hpp"
#include "input/overlapping_waters.hpp"
#include "input/roles.hpp"
#include "programs/gromacs.hpp"
#include "solvation/ions/box_waters.hpp"
#include "solvation/simulation_cell.hpp"
#include "solvation/whole_molecules.hpp"
#include "structures/amber/prmtop.hpp"
#include "structures/charmm/psf.hpp"
#include "structures/charmm/xsc.hpp"
#include "structures/formats/coordinate_file.hpp"
#include "structures/formats/file_format.hpp"
#include "structures/formats/unread_format.hpp"
#include "structures/gromacs/topology.hpp"
#include "structures/join.hpp"
#include "structures/mol2.hpp"
#include "structures/molecules/beads.hpp"
#include "structures/pdb/pqr_reader.hpp"
#include "structures/structure_checks.hpp"

namespace ionwell {
namespace {

/// A file whose beginning has told its format.
struct OpenInput {
  InputFile file;
  std::string path;  // as messages call it
  std::optional<FileFormat> format;

  /// Of atoms by name, which PDB2PQR reads.
  bool is_model() const { return format == FileFormat::pdb || format == FileFormat::mmcif; }
  FileRole role() const { return format ? role_of(*format) : FileRole::structure; }
};

OpenInput recognised(InputFile file) {
  const std::string name = file.name();
  const std::optional<FileFormat> format = format_of_file(file);
  return {std::move(file), name, format};
}

Topology read_topology(OpenInput& input, const InputOptions& options) {
  if (input.format == FileFormat::gromacs_topology) {
    if (!input.file.can_be_reopened())
      fail<UsageError>(input.path, ": a GROMACS topology needs the files that it includes; give its path");
    return read_gromacs_topology(input.path, {.preprocessor = {.defines = options.defines,
                                                               .include_folders = options.includes}})
        .topology;
  }
  const FileBytes bytes = read_input_file(std::move(input.file));
  return input.format == FileFormat::psf ? read_psf(bytes.text(), input.path)
                                         : read_prmtop(bytes.text(), input.path);
}

/// Coordinates that were read before, and the file that they come from.
struct GivenCoordinates {
  const Coordinates& coordinates;
  const std::string& path;
};

Coordinates coordinates_in(OpenInput& input, const InputOptions& options) {
  const FileBytes file = read_input_bytes(std::move(input.file));
  return read_coordinates(*input.format, file.text(), input.path, options.frame);
}

/// Reads the files of one structure.
class InputReader {
 public:
  InputReader(const InputOptions& options, const std::function<void(double)>& progress,
              const GivenCoordinates* given = nullptr, const EntryFile* entry = nullptr)
      : options_(options), progress_(progress), given_(given), entry_(entry) {}

  Input read(std::vector<InputFile> opened) {
    check_entry_options(options_);
    std::vector<OpenInput> files;
    for (InputFile& file : opened) {
      input_.files.push_back(file.name());
      files.push_back(recognised(std::move(file)));
    }
    const auto take = [&](FileRole role) -> OpenInput* {
      const auto found =
          std::find_if(files.begin(), files.end(), [&](const OpenInput& f) { return f.role() == role; });
      return found == files.end() ? nullptr : &*found;
    };
    OpenInput* const topology = take(FileRole::topology);
    OpenInput* atoms = topology != nullptr ? topology : take(FileRole::structure);
    const bool has_names_only = atoms == nullptr && !options_.needs_charges;
    if (has_names_only) atoms = take(FileRole::coordinates);
    if (atoms == nullptr) {
      refuse_beads(take(FileRole::coordinates));
      fail<UsageError>(files.front().path, ": is ", describe(*files.front().format),
                       options_.needs_charges ? ", which has no charges" : ", which has no atoms",
                       "; also give the topology or the structure that it belongs to");
    }
    OpenInput* positions = has_names_only ? nullptr : take(FileRole::coordinates);
    if (topology != nullptr && positions == nullptr) positions = take(FileRole::structure);
    OpenInput* const cell = take(FileRole::cell);
    for (const OpenInput& file : files)
      if (&file != atoms && &file != positions && &file != cell)
        fail<UsageError>(file.path, ": is ", file.format ? describe(*file.format) : "in an unknown format",
                         ", and ", atoms->path, " is ", atoms->format ? describe(*atoms->format) : "given",
                         " already; give one topology or structure and one file of coordinates");
    if (topology != nullptr && positions == nullptr && given_ == nullptr) {
      if (extension_of(topology->path) == ".itp") refuse_unread_name(topology->path);
      fail<UsageError>(topology->path, ": is ", describe(*topology->format),
                       ", which has no coordinates; name the file with the coordinates after it");
    }

    const OpenInput& placed = positions != nullptr ? *positions : *atoms;
    const bool has_frame = (positions != nullptr || has_names_only) && has_frames(*placed.format);
    if (options_.frame.number != FrameChoice{}.number && !has_frame)
      refuse("--frame", placed, "files of several frames (DCD, XTC, TRR, NetCDF, .gro, .g96)");
    const bool is_preprocessed = atoms->format == FileFormat::gromacs_topology;
    if (!is_preprocessed && !(options_.defines.empty() && options_.includes.empty()))
      refuse(options_.defines.empty() ? "--include" : "--define", *atoms, "GROMACS topologies (.top)");
    if (!options_.assembly.empty() && !atoms->is_model()) refuse("--assembly", *atoms, "PDB and mmCIF files");
    if (topology != nullptr)
      from_topology(*topology);
    else if (has_names_only)
      from_coordinates(*atoms);
    else
      from_structure(*atoms);
    if (positions != nullptr) place(coordinates_in(*positions, options_), atoms->path, positions->path);
    if (given_ != nullptr) place(given_->coordinates, atoms->path, given_->path);
    if (cell != nullptr) take_cell(*cell);
    make_names_printable(structure());
    decide_cell(structure(), structure().atoms);
    if (options_.needs_charges && are_beads(structure().atoms))
      structure().warnings.push_back(structure().path + ": " + std::string(beads_problem) +
                                     "; distances and energies of ions are for models with all atoms");
    give_charges(*atoms);
    roles() = selected_roles(structure().atoms, options_.solute, options_.ignore, structure().path,
                             input_.is_entry ? Absent::allowed : Absent::refused);
    apply_water();
    input_.system = System(std::move(parts_));
    const ZeroCharges zeros = options_.may_be_uncharged ? ZeroCharges::warned : ZeroCharges::refused;
    if (options_.needs_charges)
      check_structure(input_.system.acting(),
                      {.copies = copies_, .decimals = options_.decimals, .zero_charges = zeros});
    return std::move(input_);
  }

 private:
  Structure& structure() { return parts_.whole; }
  std::vector<AtomRole>& roles() { return parts_.roles; }

  /// Of coordinates alone, where charges are needed, too.
  void refuse_beads(OpenInput* file) {
    if (file == nullptr || file->format != FileFormat::gro) return;
    from_coordinates(*file);
    if (are_beads(structure().atoms))
      fail(file->path, ": ", beads_problem,
           ", and has no charges; give the structure with all its atoms, or the topology of the beads");
  }

  void from_topology(OpenInput& file) {
    input_.topology = as_topology(file.file);
    Topology topology = read_topology(file, options_);
    structure().path = file.path;
    structure().atoms = std::move(topology.atoms);
    structure().cell = topology.cell;
    parts_.links = std::move(topology.links);
    structure().warnings = std::move(topology.warnings);
    if (topology.has_copies) copies_ = AtomCopies::on_purpose;
  }

  void from_structure(OpenInput& file) {
    const PdbReadOptions pdb{.assembly = options_.assembly};
    input_.is_pqr = !file.format || file.format == FileFormat::pqr;
    if (input_.is_pqr) {
      structure() = read_pqr_file(std::move(file.file));
    } else if (file.format == FileFormat::tpr) {
      const SignalNotes notes;
      structure() = read_tpr(file.path, {}, notes);
    } else if (file.is_model()) {
      const bool is_read = entry_ != nullptr && pdb.assembly.empty();
      EntryFile read = is_read ? *entry_ : read_entry_file(std::move(file.file), *file.format, pdb);
      structure() = std::move(read.structure);
      records_ = std::move(read.records);
      parts_.header_records = std::move(read.header_records);
    } else {
      const FileBytes bytes = read_input_file(std::move(file.file));
      if (file.format == FileFormat::mol2)
        structure() = read_mol2(bytes.text(), file.path,
                                options_.needs_charges && !options_.may_be_uncharged ? Mol2Charges::needed
                                                                                     : Mol2Charges::optional);
    }
  }

  void from_coordinates(OpenInput& file) {
    const Coordinates coordinates = coordinates_in(file, options_);
    if (coordinates.labels.empty())
      fail<UsageError>(
          file.path, ": is ", describe(*file.format),
          ", which has no names of atoms; also give the topology or the structure that it belongs to");
    structure().path = file.path;
    for (std::size_t n = 0; n < coordinates.labels.size(); ++n) {
      const AtomLabels& labels = coordinates.labels[n];
      structure().atoms.push_back({.position_A = coordinates.positions_A[n],
                                   .name = labels.name,
                                   .residue = labels.residue,
                                   .residue_number = labels.residue_number});
    }
    take_rest(coordinates, file.path);
  }

  void place(const Coordinates& coordinates, const std::string& topology_path, const std::string& path) {
    place_atoms(structure().atoms, coordinates, topology_path, path, structure().warnings);
    take_rest(coordinates, path);
  }

  /// What coordinates have besides positions and names.
  void take_rest(const Coordinates& coordinates, const std::string& path) {
    take_cell(coordinates.cell);
    for (const std::string& warning : coordinates.warnings) structure().warnings.push_back(warning);
    if (coordinates.frames > 1)
      structure().warnings.push_back(note(path + ": contains " + count_of(coordinates.frames, "frame") +
                                          "; frame " + std::to_string(options_.frame.number) + " was used"));
  }

  /// The coordinates' own goes before the topology's, unless it is a crystal's that they were made from.
  void take_cell(const std::optional<UnitCell>& cell) {
    if (!cell) return;
    const bool is_simulated = structure().cell && structure().cell->kind == CellKind::simulation;
    if (is_simulated && cell->kind == CellKind::crystal) return;
    structure().cell = cell;
    if (is_simulated) structure().cell->kind = CellKind::simulation;
  }

  void take_cell(OpenInput& file) {
    const FileBytes bytes = read_input_file(std::move(file.file));
    ExtendedSystem extended = read_xsc(bytes.text(), file.path);
    structure().cell = extended.cell;
    if (extended.cell) parts_.cell_centre_A = extended.origin_A;
    for (std::string& warning : extended.warnings) structure().warnings.push_back(std::move(warning));
  }

  /// For an option that has no effect with the file.
  [[noreturn]] static void refuse(const char* option, const OpenInput& file, const char* meant) {
    fail<UsageError>(option, " has no effect with ", file.path, ", which is ",
                     describe(file.format.value_or(FileFormat::pqr)), ": it is for ", meant,
                     "; leave it out");
  }

  /// Those of PDB2PQR, for a file that has none.
  void give_charges(const OpenInput& file) {
    const auto is_charged = [](const Atom& atom) { return atom.charge_e != 0.0; };
    const bool has_no_charges = std::ranges::none_of(structure().atoms, is_charged);
    const bool makes_charges = options_.needs_charges || options_.charges || options_.charges_entries;
    const bool lacks = makes_charges && file.is_model() && has_no_charges;
    if (lacks || !options_.ligands_for.empty())
      input_.ligands = ligands_for_engines(options_.ligands, options_.ligands_for);
    const std::size_t of_engine = file.role() == FileRole::structure ? input_.ligands.size() : 0;
    if (const char* const option = lacks ? nullptr : given_entry_option(options_, of_engine)) {
      if (!options_.needs_charges && !options_.charges && file.is_model() && has_no_charges)
        fail<UsageError>(option, " needs --charges here, because no charges are assigned to ", file.path,
                         " without it; add --charges, or leave ", option, " out");
      refuse(option, file, "files without charges (PDB, mmCIF)");
    }
    if (!lacks) check_ligand_residues(input_.ligands, structure().atoms);
    if (!lacks && (options_.charges || options_.keep_scratch))
      refuse(options_.charges ? "--charges" : "--keep-pdb2pqr", file, "files without charges (PDB, mmCIF)");
    if (!lacks) return;
    if (!options_.may_add_atoms)
      fail(file.path, ": is ", describe(*file.format),
           ", which has no charges, and PDB2PQR would add atoms that the coordinates lack; give a topology "
           "(PSF, prmtop, .top, .tpr), or a PQR or mol2 file");
    if (are_beads(structure().atoms))
      fail(file.path, ": ", beads_problem,
           ", and has no charges, which PDB2PQR assigns only to atoms; give the structure with all its "
           "atoms, or the topology of the beads");
    // Waters that stay need no charges, and PDB2PQR would leave them out.
    const bool keeps = replaces_water() || (!options_.needs_charges && options_.water != InputWater::ignore);
    std::vector<Atom> waters = keeps ? waters_taken_out() : std::vector<Atom>();
    if (structure().atoms.empty()) {  // a box of water alone
      structure().atoms = waters;
      return;
    }
    ChargedEntry charged = charge_entry_by_pdb2pqr(std::move(structure()), std::move(records_), options_,
                                                   SignalNotes(), progress_);
    structure() = std::move(charged.structure);
    input_.chemistry = std::move(charged.rows);
    input_.entry_links = std::move(charged.links);
    leave_out_overlapping(waters, structure().atoms, input_.chemistry);
    add_kept_waters_row(waters, input_.chemistry);
    input_.is_entry = true;
    if (!charged.note.empty()) structure().warnings.push_back(note(charged.note));
    structure().atoms.insert(structure().atoms.end(), waters.begin(), waters.end());
  }

  /// The records of the entry name atoms by their numbers, which are those of what is left then.
  std::vector<Atom> waters_taken_out() {
    EntryPart part{std::move(structure()), std::move(records_), {}};
    std::vector<Atom> waters = take_waters_out(part);
    structure() = std::move(part.structure);
    records_ = std::move(part.records);
    return waters;
  }

  void apply_water() {
    InputWater water = replaces_water() ? InputWater::replace : options_.water;
    if (water == InputWater::solute_with_warning && !options_.needs_charges) water = InputWater::solute;
    input_.replaces_water = water == InputWater::replace;
    std::vector<Atom> some;
    if (!roles().empty()) some = atoms_with(structure().atoms, roles(), {AtomRole::acts});
    const std::span<const Atom> acting = roles().empty() ? structure().atoms : some;
    count_waters(structure(), acting, water);
    if (structure().composition->water_left_out) take_waters_out(structure().atoms, acting, roles(), water);
    if (input_.replaces_water) make_solute_whole();
  }

  /// Of a box: what a simulation left on both sides of its boundary.
  void make_solute_whole() {
    if (!is_box_of_water()) return;
    std::vector<std::uint8_t> acts;
    for (const AtomRole role : roles()) acts.push_back(role == AtomRole::acts);
    std::vector<Atom> solute = atoms_with(structure().atoms, roles(), {AtomRole::acts});
    const std::int64_t moved =
        make_whole(solute, PeriodicCell(*structure().cell), links_of_kept(parts_.links, acts));
    if (moved == 0) return;
    std::size_t next = 0;
    for (std::size_t i = 0; i < acts.size(); ++i)
      if (acts[i]) structure().atoms[i].position_A = solute[next++].position_A;
    structure().warnings.push_back(note(structure().path + ": is broken across the boundary of its cell; " +
                                        count_of(moved, "atom") + " shifted by vectors of that cell"));
  }

  /// Whether ions will take the places of waters.
  bool replaces_water() {
    return options_.water == InputWater::replace || (options_.water == InputWater::solute_with_warning &&
                                                     options_.replace_in_box && is_box_of_water());
  }

  /// Whether the file has a simulation's cell that is full of water.
  bool is_box_of_water() {
    if (!structure().cell || structure().cell->kind != CellKind::simulation) return false;
    const UnitCell& cell = *structure().cell;
    using enum AtomRole;
    const Composition composition =
        roles().empty() ? composition_of(structure().atoms)
                        : composition_of(atoms_with(structure().atoms, roles(), {acts, stays, left_out}));
    return fill_cell(composition.water.residues, PeriodicCell(cell).volume_A3());
  }

  const InputOptions& options_;
  const std::function<void(double)>& progress_;
  const GivenCoordinates* given_;
  const EntryFile* entry_;  // that was read before; or nullptr
  AtomCopies copies_ = AtomCopies::none;
  SystemParts parts_;     // of the system, until all is known
  EntryRecords records_;  // of an entry of the PDB
  Input input_;
};

}  // namespace

Input read_open_files(std::vector<InputFile> files, const InputOptions& options,
                      const std::function<void(double)>& progress, const EntryFile* entry) {
  return InputReader(options, progress, nullptr, entry).read(std::move(files));
}

Input read_input_at(const Coordinates& coordinates, const std::string& coordinates_path,
                    const std::vector<std::string>& paths, const InputOptions& options) {
  std::vector<InputFile> files;
  for (const std::string& path : paths) files.emplace_back(path);
  const std::function<void(double)> no_progress;
  const GivenCoordinates given{coordinates, coordinates_path};
  return InputReader(options, no_progress, &given).read(std::move(files));
}

Input read_input(const std::vector<std::string>& paths, const InputOptions& options,
                 const std::function<void(double)>& progress) {
  std::vector<InputFile> files;
  for (const std::string& path : paths) files.emplace_back(path);
  return read_open_files(std::move(files), options, progress);
}

}  // namespace ionwell
