#include "structures/engines/charmm_files.hpp"

#include <algorithm>
#include <set>

#include "core/chemistry/composition.hpp"
#include "core/chemistry/ion_table.hpp"
#include "core/error.hpp"
#include "core/geometry/standard_cell.hpp"
#include "core/text/lines.hpp"
#include "core/text/quoting.hpp"
#include "files/input_file.hpp"
#include "structures/engines/engine_ions.hpp"
#include "structures/engines/engine_water.hpp"
#include "structures/molecules/chain_ends.hpp"
#include "structures/writers/pdb_writer.hpp"
#include "structures/writers/text_columns.hpp"

namespace ionwell {
namespace {

constexpr std::size_t most_residues = 9'999;  // of a segment: its numbers have four digits
constexpr std::size_t longest_segment = 4;

/// Atoms that psfgen builds as one segment.
struct Segment {
  std::string name;
  std::vector<Atom> atoms;
  bool is_loose = false;  // waters or ions: nothing is bound to its neighbour
};

bool is_loose_kind(ResidueKind kind) {
  return kind == ResidueKind::water || kind == ResidueKind::ion;
}

/// What a segment of a chain is called after.
std::string_view own_name(const Atom& atom) {
  const Label& own = atom.segment.empty() ? atom.chain : atom.segment;
  return own.empty() ? "MOL" : own.view();
}

/// The name with "_" for what Tcl might not take as it is.
std::string segment_word(std::string_view own) {
  std::string word(own);
  for (char& c : word)
    if (!is_plain_word({&c, 1})) c = '_';
  return word;
}

class SegmentNames {
 public:
  /// `own` as a plain word, or with a number where it is taken or too long.
  std::string unique(std::string_view own) {
    const std::string wished = segment_word(own);
    std::string name = wished.substr(0, longest_segment);
    for (int n = 1; name.empty() || !taken_.insert(lower_case(name)).second; ++n) {
      const std::string number = std::to_string(n);
      name = wished.substr(0, longest_segment - number.size()) + number;
    }
    return name;
  }

  void take(std::string_view name) { taken_.insert(lower_case(name)); }

 private:
  std::set<std::string> taken_{"ion"};  // and ion2 ..., which begin so; psfgen does not tell cases apart
};

/// A residue's number and insertion code behind the segment, as a word of Tcl.
std::string tcl_residue(const std::string& segment, const Atom& atom) {
  const std::string id = residue_id_text(atom), quoted = tcl_word(id);
  return quoted == id ? segment + id : tcl_quoted(segment + id);
}

/// CHARMM's name for an ion of one atom.
void rename_ion(Atom& atom) {
  const KnownIon* const ion = find_ion(atom.residue.view());
  if (ion == nullptr) return;
  const IonName& name = ion->names[std::size_t(IonNaming::charmm)];
  if (name.residue.empty()) return;
  atom.residue = name.residue;
  atom.name = name.atom;
}

/// Chains as segments, each piece between TERs its own; waters and ions apart, numbered anew.
std::vector<Segment> segments_of(std::span<const Atom> atoms, SegmentNames& names) {
  std::vector<Segment> segments;
  std::size_t residues = 0, last = atoms.size();  // of the present segment; its last atom so far
  ResidueKind kind = ResidueKind::unknown;        // of the present segment, where it is loose
  for (std::size_t begin = 0; begin < atoms.size();) {
    const Residue residue = residue_at(atoms, begin);
    const Atom& first = atoms[begin];
    const bool is_loose = is_loose_kind(residue.kind);
    const bool goes_on = !segments.empty() && segments.back().is_loose == is_loose &&
                         residues < most_residues &&
                         (is_loose ? residue.kind == kind : !chain_ends_between(atoms[last], first));
    if (!goes_on) {
      segments.push_back({names.unique(!is_loose                            ? own_name(first)
                                       : residue.kind == ResidueKind::water ? "WT1"
                                                                            : "IN1"),
                          {},
                          is_loose});
      residues = 0;
      kind = residue.kind;
    }
    ++residues;
    for (std::size_t i = begin; i < residue.end; ++i) {
      Atom& atom = segments.back().atoms.emplace_back(atoms[i]);
      atom.segment = std::string_view(segments.back().name);
      if (is_loose) atom.residue_number = int(residues);
      if (residue.kind == ResidueKind::ion && residue.end - begin == 1) rename_ion(atom);
    }
    last = residue.end - 1;
    begin = residue.end;
  }
  return segments;
}

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
std::string topology_lines(const std::vector<Segment>& segments, bool has_ions) {
  const TopparFile files[] = {{"top_all36_prot.rtf", {ResidueKind::protein}},
                              {"top_all36_na.rtf", {ResidueKind::nucleic_acid}},
                              {"top_all36_lipid.rtf", {ResidueKind::lipid}},
                              {"top_all36_carb.rtf", {}},
                              {"top_all36_cgenff.rtf", {}},
                              {"toppar_water_ions.str", {ResidueKind::water, ResidueKind::ion}}};
  std::set<ResidueKind> kinds;
  if (has_ions) kinds.insert(ResidueKind::ion);
  for (const Segment& segment : segments)
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
std::string deoxy_patches(const std::vector<Segment>& segments) {
  std::string text;
  for (const Segment& segment : segments) {
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
std::string segment_ends(const Segment& segment) {
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
  for (std::size_t begin = 0, n = 1; begin < ions.size(); begin += most_residues, ++n) {
    const std::size_t end = std::min(ions.size(), begin + most_residues);
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

}  // namespace

bool has_psf(const std::optional<TopologyFile>& topology) {
  return topology && topology->format == FileFormat::psf;
}

void check_psf(const std::optional<TopologyFile>& topology) {
  if (has_psf(topology) && !topology->can_be_reopened)
    fail<UsageError>(topology->path,
                     ": is a PSF topology from a pipe, and --for charmm copies it into the folder; give the "
                     "path of a file");
}

std::vector<std::string> renamed_segments(std::span<const Atom> atoms) {
  std::set<std::string> renamed;
  for (std::size_t begin = 0; begin < atoms.size();) {
    const Residue residue = residue_at(atoms, begin);
    const std::string_view own = own_name(atoms[begin]);
    if (!is_loose_kind(residue.kind) && !is_plain_word(own)) renamed.emplace(own);
    begin = residue.end;
  }
  return {renamed.begin(), renamed.end()};
}

std::vector<EngineFile> charmm_files(const EngineSystem& system) {
  std::vector<EngineFile> files;
  std::string script =
      "# vmd -dispdev text -e psfgen.tcl, or psfgen psfgen.tcl; the force field's files are looked for in\n"
      "# TOPPAR, or else beside this one; name others in the list where it needs them\n"
      "package require psfgen\n";
  SegmentNames names;
  std::vector<Segment> segments;
  if (has_psf(system.topology)) {
    for (const Atom& atom : system.atoms) names.take(atom.segment.view());
    segments = segments_of(system.waters, names);
    script += topology_lines(segments, !system.ions.empty());
    script += "readpsf solute.psf\ncoordpdb solute.pdb\n" + deletions(system);
    files.push_back({"solute.psf", std::string(read_input_file(system.topology->path).text())});
    files.push_back({"solute.pdb", pdb_text({.solute = system.atoms,
                                             .cell = if_standard(system.cell),
                                             .names = SoluteNames::own,
                                             .serials = PdbSerials::hex})});
  } else {
    segments = segments_of(with_engine_waters(remaining_atoms(system), Engine::charmm), names);
    script += topology_lines(segments, !system.ions.empty());
    script += aliases;
  }
  for (const Segment& segment : segments) {
    const std::string file = "segment_" + segment.name + ".pdb";
    files.push_back({file, pdb_text({.solute = segment.atoms, .serials = PdbSerials::hex})});
    append_segment(script, segment.name, file, segment_ends(segment));
  }
  script += deoxy_patches(segments);
  for (EngineFile& file : ion_files(system, script)) files.push_back(std::move(file));
  script += "guesscoord\nwritepsf system.psf\nwritepdb system.pdb\n";
  files.push_back({"psfgen.tcl", script});
  if (system.cell) files.push_back({"cell.namd", cell_lines(system)});
  return files;
}

}  // namespace ionwell
