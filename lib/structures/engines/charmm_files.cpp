// SPDX-License-Identifier: BSD-3-Clause
#include "structures/engines/charmm_files.hpp"

#include <algorithm>
#include <set>

#include "core/chemistry/composition.hpp"
#include "core/error.hpp"
#include "core/geometry/standard_cell.hpp"
#include "core/text/lines.hpp"
#include "core/text/quoting.hpp"
#include "files/input_file.hpp"
#include "structures/engines/charmm_pieces.hpp"
#include "structures/engines/charmm_segments.hpp"
#include "structures/engines/charmm_topologies.hpp"
#include "structures/engines/engine_ions.hpp"
#include "structures/engines/engine_residues.hpp"
#include "structures/engines/engine_water.hpp"
#include "structures/writers/pdb_writer.hpp"
#include "structures/writers/text_columns.hpp"

namespace ionwell {
namespace {

constexpr std::string_view aliases = R"(
pdbalias residue HIS HSE
pdbalias residue HID HSD
pdbalias residue HIE HSE
pdbalias residue HIP HSP
pdbalias residue CYX CYS
pdbalias atom ILE CD1 CD
foreach {from to} {A ADE C CYT G GUA U URA T THY DA ADE DC CYT DG GUA DT THY} {
  foreach end {{} 5 3 N} {
    pdbalias residue $from$end $to
    pdbalias atom $from$end OP1 O1P
    pdbalias atom $from$end OP2 O2P
    pdbalias atom $from$end C7 C5M
  }
}
)";

/// A file of the force field, in the order in which psfgen reads them, and whose residues it has.
struct TopparFile {
  std::string_view name;
  std::set<ResidueKind> kinds;
};

/// Reads the files: without those that the segments need psfgen would fail later, and not say why.
std::string wished_topology_lines(const std::vector<CharmmSegment>& segments, bool has_ions) {
  const TopparFile files[] = {{"top_all36_prot.rtf", {ResidueKind::protein}},
                              {"top_all36_na.rtf", {ResidueKind::nucleic_acid}},
                              {"top_all36_lipid.rtf", {ResidueKind::lipid}},
                              {"top_all36_carb.rtf", {}},
                              {"top_all36_cgenff.rtf", {}},
                              {"toppar_water_ions.str", {ResidueKind::water, ResidueKind::ion}}};
  std::set<ResidueKind> kinds;
  if (has_ions) kinds.insert(ResidueKind::ion);
  for (const CharmmSegment& segment : segments)
    for (std::size_t begin = 0; begin < segment.atoms.size();) {
      const Residue residue = residue_at(segment.atoms, begin);
      kinds.insert(residue.kind);
      begin = residue.end;
    }
  std::string text =
      "set toppar [expr {[info exists env(TOPPAR)] ? $env(TOPPAR) : {.}}]\n"
      "foreach {file is_needed} {\n";
  for (const TopparFile& file : files) {
    const bool is_needed = std::any_of(file.kinds.begin(), file.kinds.end(),
                                       [&](ResidueKind kind) { return kinds.contains(kind); });
    text.append("  ").append(file.name).append(is_needed ? " yes\n" : " no\n");
  }
  return text +
         "} {\n"
         "  if {[file exists [file join $toppar $file]]} {\n"
         "    topology [file join $toppar $file]\n"
         "  } elseif {$is_needed} {\n"
         "    puts stderr \"there is no $file in the folder [file normalize $toppar]; set the environment "
         "variable "
         "TOPPAR to the folder that has CHARMM's topology files\"\n"
         "    exit 1\n"
         "  }\n"
         "}\n";
}

/// PATCHES that make the nucleotides of CHARMM, which are ribonucleotides, those of DNA.
std::string deoxy_patches(const std::vector<CharmmSegment>& segments) {
  std::string text;
  for (const CharmmSegment& segment : segments) {
    for (std::size_t begin = 0; begin < segment.atoms.size();) {
      const Residue residue = residue_at(segment.atoms, begin);
      const Atom& atom = segment.atoms[begin];
      const std::string_view name = atom.residue.view();
      if (name.size() >= 2 && name[0] == 'D' && std::string_view("ACGT").find(name[1]) != name.npos &&
          residue.kind == ResidueKind::nucleic_acid)
        text += std::string("patch ") + (begin == 0 ? "DEO5 " : "DEOX ") +
                tcl_residue(segment.name + ':', atom) + '\n';
      begin = residue.end;
    }
  }
  return text.empty() ? text : text + "regenerate angles dihedrals\n";
}

constexpr std::string_view loose_ends = "  auto none\n  first none\n  last none\n";

/// What psfgen makes of the ends of a segment, where it is not what the force field has for proteins. It has
/// nothing for nucleic acids, whose first nucleotide would get a phosphate.
std::string segment_ends(const CharmmSegment& segment) {
  if (segment.is_loose) return std::string(loose_ends);
  const Residue first = residue_at(segment.atoms, 0);
  if (first.kind != ResidueKind::nucleic_acid) return {};
  const bool has_phosphate =
      std::any_of(segment.atoms.begin(), segment.atoms.begin() + std::ptrdiff_t(first.end),
                  [](const Atom& atom) { return atom.name == "P"; });
  return std::string("  first ") + (has_phosphate ? "5PHO" : "5TER") + "\n  last 3TER\n";
}

void append_segment(std::string& text, const std::string& name, const std::string& file,
                    std::string_view ends) {
  text.append("segment ").append(name).append(" {\n").append(ends);
  text += "  pdb " + file + "\n}\ncoordpdb " + file + ' ' + name + '\n';
}

/// What takes the replaced waters out of the PSF.
std::string deletions(const EngineSystem& system) {
  std::string text;
  for (const AtomRange& range : system.replaced) {
    const Atom& atom = system.atoms[range.begin];
    text += "delatom " + tcl_word(atom.segment.view()) + ' ' + tcl_residue("", atom) + '\n';
  }
  return text;
}

std::string cell_lines(const EngineSystem& system) {
  const CellVectors& cell = *system.cell;
  const Box box = bounding_box(system.atoms);
  const Vec3<double> centre = system.cell_centre_A.value_or(0.5 * (box.lowest_A + box.highest_A));
  std::string text = "# for NAMD's configuration [A]\n";
  const std::pair<std::string_view, Vec3<double>> rows[] = {{"cellBasisVector1", cell.a},
                                                            {"cellBasisVector2", cell.b},
                                                            {"cellBasisVector3", cell.c},
                                                            {"cellOrigin", centre}};
  for (const auto& [name, v] : rows) {
    append_left(text, name, 18);
    for (const double x : {v.x, v.y, v.z}) append_fixed(text, x, {12, 4});
    text += '\n';
  }
  return text;
}

/// Ions by segments: a file for each.
std::vector<EngineFile> ion_files(const EngineSystem& system, std::string& script) {
  std::vector<EngineFile> files;
  const std::vector<NamedIon> ions = named_ions(system.ions, IonNaming::charmm);
  for (std::size_t begin = 0, n = 1; begin < ions.size(); begin += most_segment_residues, ++n) {
    const std::size_t end = std::min(ions.size(), begin + most_segment_residues);
    const std::string name = n == 1 ? "ION" : (n < 10 ? "ION" : "IO") + std::to_string(n);
    const std::string file = lower_case(name) + ".pdb";
    std::vector<Atom> atoms =
        written_atoms({.ions = std::vector<NamedIon>(ions.begin() + std::ptrdiff_t(begin),
                                                     ions.begin() + std::ptrdiff_t(end))});
    for (Atom& atom : atoms) atom.segment = std::string_view(name);
    files.push_back(
        {file, pdb_text({.remarks = system.remarks, .solute = atoms, .names = SoluteNames::own})});
    append_segment(script, name, file, loose_ends);
  }
  return files;
}

/// Whether it is an element of a list of Tcl as it is.
bool is_list_word(std::string_view word) {
  return std::all_of(word.begin(), word.end(), [](char c) {
    return is_plain_word({&c, 1}) || c == ':' || c == '-' || c == '\'';
  });
}

/// Stops where an atom of the segments has no position but those of `unplaced`, and hydrogens of segments
/// that are free: psfgen would guess it, and only print so.
void append_check(std::string& script, const CharmmPieces& pieces) {
  if (pieces.chains.empty()) return;
  const auto append_list = [&](std::string_view name, const std::vector<std::string>& words) {
    script.append("set ").append(name) += " {";
    std::size_t column = 0;
    constexpr std::size_t longest_line = 120;
    for (const std::string& word : words) {
      const std::string quoted = is_list_word(word) ? word : tcl_quoted(word);
      if (column + quoted.size() > longest_line) column = 0;
      script += column == 0 ? "\n  " : " ";
      script += quoted;
      column += quoted.size() + 1;
    }
    script += words.empty() ? "}\n" : "\n}\n";
  };
  std::vector<std::string> names;
  for (const CharmmSegment& segment : pieces.chains) names.push_back(upper_case(segment.name));
  script +=
      "# Hydrogens that are not in the files, which psfgen places (segment:residue:atom). All else is "
      "there:\n";
  append_list("to_place", pieces.unplaced);
  append_list("free", pieces.free_segments);
  append_list("chains", names);
  script +=
      "array set may_lack {}\n"
      "foreach atom $to_place {set may_lack($atom) 1}\n"
      "foreach segment $chains {\n"
      "  foreach residue [segment resids $segment] {\n"
      "    foreach atom [segment atoms $segment $residue] {\n"
      "      foreach {x y z} [segment coordinates $segment $residue $atom] {\n"
      "        if {$x != 0 || $y != 0 || $z != 0 || [info exists may_lack($segment:$residue:$atom)]} "
      "continue\n"
      "        if {$segment in $free && [segment mass $segment $residue $atom] < 3.5} continue\n"
      "        puts stderr \"psfgen has no position for $atom of residue $residue in segment $segment; are "
      "the files in\\\n"
      "          TOPPAR those of CHARMM36, and all from one release?\"\n"
      "        exit 1\n"
      "      }\n"
      "    }\n"
      "  }\n"
      "}\n";
}

class ScriptWriter {
 public:
  explicit ScriptWriter(const EngineSystem& system) : system_(system) {}

  /// The PSF as it is, and waters behind it.
  void write_psf() {
    for (const Atom& atom : system_.atoms) names_.take(atom.segment.view());
    const std::vector<CharmmSegment> segments = segments_of_chains(system_.waters, names_);
    script_ += wished_topology_lines(segments, !system_.ions.empty());
    script_ += "readpsf solute.psf\ncoordpdb solute.pdb\n" + deletions(system_);
    files_.push_back({"solute.psf", std::string(read_input_file(system_.topology->path).text())});
    files_.push_back({"solute.pdb", pdb_text({.solute = system_.atoms,
                                              .cell = if_standard(system_.cell),
                                              .names = SoluteNames::own,
                                              .serials = PdbSerials::hex})});
    for (const CharmmSegment& segment : segments) add_segment(segment);
    script_ += deoxy_patches(segments);
    add_ions();
  }

  /// Under the names of another topology.
  void write_own_names() {
    const std::vector<CharmmSegment> segments =
        segments_of_chains(with_engine_waters(remaining_atoms(system_), Engine::charmm), names_);
    script_ += wished_topology_lines(segments, !system_.ions.empty());
    script_ += aliases;
    for (const CharmmSegment& segment : segments) add_segment(segment);
    script_ += deoxy_patches(segments);
    add_ions();
  }

  /// Under CHARMM's names. Patches come before positions, as they make atoms, and waters behind them, as
  /// psfgen would regenerate their angles, too.
  void write_named() {
    EngineSystem without_waters = system_;
    without_waters.waters = {};
    const std::vector<Atom> solute = with_engine_waters(remaining_atoms(without_waters), Engine::charmm);
    CharmmPieces pieces = charmm_pieces(
        solute, engine_residues(Engine::charmm, solute, system_.ligands, system_.links), names_);
    for (CharmmSegment& segment :
         segments_of_chains(with_engine_waters(system_.waters, Engine::charmm), names_))
      pieces.loose.push_back(std::move(segment));
    script_ += topology_lines(topologies_with_ions(pieces));
    add_ligands();
    for (const CharmmSegment& segment : pieces.chains) {
      add_file(segment);
      script_.append("segment ").append(segment.name).append(" {\n  first ").append(segment.first);
      script_.append("\n  last ").append(segment.last).append("\n  auto angles dihedrals\n  pdb ");
      script_.append(file_of(segment)).append("\n}\n");
    }
    for (const std::string& patch : pieces.patches) script_ += patch + '\n';
    if (!pieces.patches.empty()) script_ += "regenerate angles dihedrals\n";
    for (const CharmmSegment& segment : pieces.chains)
      script_ += "coordpdb " + file_of(segment) + ' ' + segment.name + '\n';
    append_check(script_, pieces);
    for (const CharmmSegment& segment : pieces.loose) add_segment(segment);
    add_ions();
  }

  std::vector<EngineFile> finish() {
    script_ += "guesscoord\nwritepsf system.psf\nwritepdb system.pdb\n";
    files_.push_back({"psfgen.tcl", std::move(script_)});
    if (system_.cell) files_.push_back({"cell.namd", cell_lines(system_)});
    return std::move(files_);
  }

 private:
  static std::string file_of(const CharmmSegment& segment) { return "segment_" + segment.name + ".pdb"; }

  void add_file(const CharmmSegment& segment) {
    files_.push_back({file_of(segment),
                      pdb_text({.solute = segment.atoms,
                                .names = names_residues(Engine::charmm, system_.topology) ? SoluteNames::own
                                                                                          : SoluteNames::pdb,
                                .serials = PdbSerials::hex})});
  }

  void add_segment(const CharmmSegment& segment) {
    add_file(segment);
    append_segment(script_, segment.name, file_of(segment), segment_ends(segment));
  }

  /// Copies of the user's files; parameters are for NAMD.
  void add_ligands() {
    const std::vector<EngineLigand> ligands = ligands_of(system_.ligands, LigandsOf::charmm);
    for (std::size_t n = 0; n < ligands.size(); ++n) {
      const bool has_residues = ligands[n].kind == LigandKind::charmm_topology;
      const std::string name = "ligand" + std::to_string(n + 1) +
                               (!has_residues                                                   ? ".prm"
                                : lower_case(ligands[n].path).find(".rtf") != std::string::npos ? ".rtf"
                                                                                                : ".str");
      files_.push_back({name, ligands[n].text});
      if (has_residues) script_ += "topology " + name + '\n';
    }
  }

  void add_ions() {
    for (EngineFile& file : ion_files(system_, script_)) files_.push_back(std::move(file));
  }

  std::vector<std::string> topologies_with_ions(const CharmmPieces& pieces) const {
    std::set<CharmmTopology> topologies = pieces.topologies;
    if (!ligands_of(system_.ligands, LigandsOf::charmm).empty()) topologies.insert(CharmmTopology::cgenff);
    if (!system_.waters.empty()) topologies.insert(CharmmTopology::water_and_ions);
    for (const NamedIon& ion : named_ions(system_.ions, IonNaming::charmm))
      topologies.insert(topology_of_ion(ion.residue));
    std::vector<std::string> paths;
    for (const CharmmTopology topology : topologies) paths.emplace_back(path_of(topology));
    return paths;
  }

  const EngineSystem& system_;
  SegmentNames names_;
  std::vector<EngineFile> files_;
  std::string script_ =
      "# vmd -dispdev text -e psfgen.tcl, or psfgen psfgen.tcl; the force field's files are read from\n"
      "# TOPPAR, or from this folder; add others to the list if you need them\n"
      "package require psfgen\n";
};

}  // namespace

bool has_psf(const std::optional<TopologyFile>& topology) {
  return topology && topology->format == FileFormat::psf;
}

void check_psf(const std::optional<TopologyFile>& topology) {
  if (has_psf(topology) && !topology->can_be_reopened)
    fail<UsageError>(topology->path,
                     ": is a PSF topology from a pipe, but --for charmm copies it into the folder; give the "
                     "path of a file");
}

std::vector<EngineFile> charmm_files(const EngineSystem& system) {
  ScriptWriter writer(system);
  if (has_psf(system.topology))
    writer.write_psf();
  else if (names_residues(Engine::charmm, system.topology))
    writer.write_named();
  else
    writer.write_own_names();
  return writer.finish();
}

}  // namespace ionwell
