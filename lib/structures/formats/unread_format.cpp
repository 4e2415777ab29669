// SPDX-License-Identifier: BSD-3-Clause
#include "structures/formats/unread_format.hpp"

#include <algorithm>
#include <array>

#include "core/chemistry/elements.hpp"
#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"
#include "structures/first_line.hpp"
#include "structures/formats/file_format.hpp"
#include "structures/gromacs/topology.hpp"

namespace ionwell {
namespace {

using std::literals::operator""sv;

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != text.npos;
}

/// The first lines of a text, without blanks at their ends; empty where there are fewer.
template <std::size_t count>
std::array<std::string_view, count> first_lines(std::string_view head) {
  std::array<std::string_view, count> lines;
  LineScanner scanner(head);
  for (std::string_view& line : lines)
    if (!scanner.next(line)) break;
  for (std::string_view& line : lines) line = trim(line);
  return lines;
}

/// How many lines are one of the words, without their blanks.
int lines_of(std::string_view head, std::initializer_list<std::string_view> words) {
  int count = 0;
  LineScanner lines(head);
  for (std::string_view line; lines.next(line);)
    count += int(std::find(words.begin(), words.end(), trim(line)) != words.end());
  return count;
}

bool is_utf16(std::string_view head) {
  if (!head.starts_with("\xFF\xFE") && !head.starts_with("\xFE\xFF")) return false;
  const std::size_t high = head.starts_with("\xFF\xFE") ? 1 : 0;  // the byte that is 0 in ASCII text
  constexpr std::size_t enough = 32;
  for (std::size_t at = 2 + high; at < std::min(head.size(), enough); at += 2)
    if (head[at] != '\0') return false;
  return true;
}

bool is_hdf5_file(std::string_view head) {
  return head.starts_with("\x89HDF");
}

bool is_netcdf_file(std::string_view head) {
  return head.starts_with("CDF\1"sv) || head.starts_with("CDF\2"sv) || head.starts_with("CDF\5"sv);
}

/// XDR: the number -55555 begins each frame.
bool is_edr(std::string_view head) {
  return head.starts_with("\xFF\xFF\x26\xFD");
}

/// XDR: the number 171817.
bool is_gromacs_checkpoint(std::string_view head) {
  return head.starts_with("\0\2\x9F\x29"sv);
}

bool is_gsd(std::string_view head) {
  return head.starts_with("\xDF\x65\xDF\x65\xDF\x65\xDF\x65");
}

/// MessagePack with the names of its first entries.
bool is_binary_cif(std::string_view head) {
  const std::string_view start = head.substr(0, 64);
  return !start.empty() && (start[0] & 0xF0) == 0x80 && (has(start, "encoder") || has(start, "mmtfVersion"));
}

bool is_ccp4_map(std::string_view head) {
  return columns(head, 208, 4) == "MAP " && has(head, "\0"sv);
}

bool is_dx_map(std::string_view head) {
  return first_line_of(head).starts_with("object 1 class gridpositions");
}

/// 10F8.3 behind a title.
bool is_mdcrd(std::string_view head) {
  constexpr std::size_t width = 8, point = 4, least_numbers = 3, most_columns = 80;
  LineScanner lines(head);
  std::string_view line;
  if (!lines.next(line) || !lines.next(line)) return false;
  line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
  if (line.size() < least_numbers * width || line.size() > most_columns || line.size() % width != 0)
    return false;
  for (std::size_t at = 0; at < line.size(); at += width)
    if (line[at + point] != '.' || !parse_number(trim(line.substr(at, width)))) return false;
  return true;
}

bool is_element(std::string_view word) {
  return !element_of_symbol(word).empty() || (!word.empty() && parse_integer(word).value_or(0) > 0);
}

/// An element and three numbers.
bool is_xyz_atom(std::string_view line) {
  if (!is_element(take_token(line))) return false;
  for (int axis = 0; axis < 3; ++axis)
    if (!parse_number(take_token(line))) return false;
  return true;
}

bool is_xyz(std::string_view head) {
  const auto lines = first_lines<3>(head);
  return parse_integer<std::int64_t>(lines[0]).value_or(0) > 0 && is_xyz_atom(lines[2]);
}

/// A count and a title, then lines of a number, a name, x, y, z, a type and bonds.
bool is_tinker_xyz(std::string_view head) {
  auto lines = first_lines<2>(head);
  std::string_view rest = lines[1];
  if (parse_integer<std::int64_t>(take_token(lines[0])).value_or(0) < 1 || take_token(rest) != "1")
    return false;
  if (const std::string_view name = take_token(rest); name.empty() || !is_letter(name[0])) return false;
  for (int axis = 0; axis < 3; ++axis)
    if (const std::string_view x = take_token(rest); !has(x, ".") || !parse_number(x)) return false;
  return parse_integer(take_token(rest)).has_value();
}

bool is_sdf(std::string_view head) {
  const auto lines = first_lines<4>(head);
  return lines[3].ends_with("V2000") || lines[3].ends_with("V3000");
}

bool is_maestro(std::string_view head) {
  return has(head, "s_m_m2io_version") || has(head, "f_m_ct {");
}

bool is_lammps_dump(std::string_view head) {
  return head.starts_with("ITEM: TIMESTEP");
}

bool is_lammps_data(std::string_view head) {
  return has(head, " atoms") && has(head, " xlo xhi");
}

/// The receptor has no ROOT, but the charges of AutoDock behind the B-factors, with three decimals.
bool is_pdbqt(std::string_view head) {
  LineScanner lines(head);
  for (std::string_view line; lines.next(line);) {
    if (trim(line) == "ROOT" || line.starts_with("TORSDOF")) return true;
    if (!line.starts_with("ATOM  ") && !line.starts_with("HETATM")) continue;
    constexpr std::size_t charge = 70, type = 77;
    const std::string_view number = trim(columns(line, charge, 6));
    return number.size() > 4 && number[number.size() - 4] == '.' && parse_number(number) &&
           is_letter(columns(line, type, 1).empty() ? ' ' : line[type]);
  }
  return false;
}

bool is_charmm_residues(std::string_view head) {
  LineScanner lines(head);
  bool has_mass = false;
  for (std::string_view line; lines.next(line);) {
    has_mass |= line.starts_with("MASS ") || line.starts_with("DECL ") || line.starts_with("AUTO");
    if (has_mass && (line.starts_with("RESI ") || line.starts_with("PRES "))) return true;
  }
  return false;
}

bool is_charmm_parameters(std::string_view head) {
  return lines_of(head, {"BONDS", "ANGLES", "DIHEDRALS", "IMPROPER", "BOND", "THETAS", "PHI"}) >= 2 &&
         !has(head, "[");
}

bool is_leap_library(std::string_view head) {
  return head.starts_with("!!index array");
}

bool is_frcmod(std::string_view head) {
  return lines_of(head,
                  {"MASS", "BOND", "ANGL", "ANGLE", "DIHE", "DIHEDRAL", "IMPROPER", "NONB", "NONBON"}) >= 3;
}

bool is_xml(std::string_view head) {
  return first_line_of(head).starts_with("<?xml") || first_line_of(head).starts_with("<System ") ||
         first_line_of(head).starts_with("<ForceField");
}

bool is_web_page(std::string_view head) {
  const std::string line = lower_case(first_line_of(head).substr(0, 14));
  return line.starts_with("<!doctype html") || line.starts_with("<html");
}

bool is_json(std::string_view head) {
  const auto lines = first_lines<2>(head);
  return lines[0].starts_with("{\"") || (lines[0] == "{" && lines[1].starts_with('"'));
}

bool is_fasta(std::string_view head) {
  const auto lines = first_lines<2>(head);
  return lines[0].starts_with('>') && !lines[1].empty() &&
         std::all_of(lines[1].begin(), lines[1].end(), [](char c) { return is_letter(c) || c == '*'; });
}

bool is_cif_with(std::string_view head, std::string_view category) {
  return lower_case(first_line_of(head).substr(0, 5)) == "data_" && has(head, category) &&
         !has(head, "_atom_site.");
}
bool is_structure_factors(std::string_view head) {
  return is_cif_with(head, "_refln.");
}
bool is_chemical_component(std::string_view head) {
  return is_cif_with(head, "_chem_comp_atom.") && !has(head, "_entry.id");
}
bool is_small_molecule_cif(std::string_view head) {
  return is_cif_with(head, "_atom_site_fract_x");
}

/// A section of whole numbers.
bool is_gromacs_index(std::string_view head) {
  if (is_gromacs_topology(head)) return false;
  const auto lines = first_lines<2>(head);
  if (!lines[0].starts_with('[') || !lines[0].ends_with(']')) return false;
  std::string_view rest = lines[1];
  int count = 0;
  for (std::string_view word; !(word = take_token(rest)).empty(); ++count)
    if (!parse_integer(word)) return false;
  return count > 0;
}

bool is_mdp(std::string_view head) {
  LineScanner lines(head);
  for (std::string_view line; lines.next(line);) {
    const std::string_view key = take_token(line);
    if ((key == "integrator" || key == "nsteps") && trim(line).starts_with('=')) return true;
  }
  return false;
}

/// By lines of their own: topologies, titles and remarks name the program that wrote them, too.
bool is_log(std::string_view head) {
  LineScanner lines(head);
  for (std::string_view line; lines.next(line);) {
    line = trim(line);
    if (line.starts_with("Info: NAMD ") || line.starts_with(":-) GROMACS") ||
        line.starts_with("Log file opened on "))
      return true;
    if (line.starts_with("Amber ") && (has(line, "SANDER") || has(line, "PMEMD"))) return true;
  }
  return false;
}

struct UnreadFormat {
  std::string_view what, instead;
  bool (*is_format)(std::string_view head);  // by content; nullptr where there is no mark
  std::string_view extensions = {};          // each with a blank behind it
};

constexpr auto as_dcd = "write its frames as DCD, XTC or AMBER NetCDF, for example with MDAnalysis"sv;
constexpr auto as_cif =
    "convert it to PDB or mmCIF, for example with Open Babel (obabel), or to mol2 with charges"sv;
constexpr auto a_topology =
    "give the topology (PSF, prmtop, .top, .tpr) and the coordinates that belong to it"sv;
constexpr auto a_structure = "give the structure"sv;
constexpr auto as_map = "give a map with --map, after the structure"sv;

constexpr UnreadFormat formats[] = {
    {"UTF-16 text", "save it as plain text (UTF-8)", is_utf16},
    {"an HDF5 file (a map, or a trajectory of MDTraj or H5MD)", as_dcd, is_hdf5_file, ".h5 .hdf5 .h5md "},
    {"a NetCDF file without AMBER's conventions", as_dcd, is_netcdf_file},
    {"a GROMACS energy file (.edr)", a_topology, is_edr, ".edr .ene "},
    {"a GROMACS checkpoint (.cpt)", "write its positions as .gro with gmx trjconv or gmx editconf",
     is_gromacs_checkpoint, ".cpt "},
    {"a TNG trajectory", "convert it with gmx trjconv -o md.xtc", nullptr, ".tng "},
    {"a GSD trajectory", as_dcd, is_gsd, ".gsd "},
    {"a Desmond trajectory", as_dcd, nullptr, ".dtr .stk "},
    {"a BinaryCIF or MMTF file", "give the mmCIF file (.cif) of the same entry", is_binary_cif,
     ".bcif .mmtf "},
    {"a CCP4 or MRC map", as_map, is_ccp4_map, ".ccp4 .mrc .map "},
    {"an OpenDX map", as_map, is_dx_map, ".dx .dxbin "},
    {"a map of a potential or a density", as_map, nullptr, ".cube .cub .grd "},
    {"a Maestro file (.mae, .cms)", "export it from Maestro as PDB or mmCIF", is_maestro,
     ".mae .maegz .cms "},
    {"an XML file (PDBML, or of OpenMM)",
     "give the structure as PDB or mmCIF, or the topology and coordinates", is_xml, ".xml "},
    {"a web page", "the download is a web page: download the file itself", is_web_page, ".html .htm "},
    {"a JSON file", a_structure, is_json, ".json "},
    {"a sequence (FASTA, without positions)", a_structure, is_fasta, ".fasta .fa "},
    {"a CIF file of structure factors", "give the entry's coordinates (mmCIF)", is_structure_factors},
    {"a CIF file of a chemical component", "give a structure that has it", is_chemical_component},
    {"a CIF file of a small molecule with fractional coordinates", as_cif, is_small_molecule_cif},
    {"a LEaP library (.lib, .off)", "give the prmtop and the coordinates that LEaP makes (saveAmberParm)",
     is_leap_library, ".lib .off "},
    {"a file of AMBER parameters (.frcmod)",
     "give the prmtop and the coordinates that LEaP makes (saveAmberParm)", is_frcmod,
     ".frcmod .prep .prepi "},
    {"a LAMMPS trajectory", as_dcd, is_lammps_dump, ".lammpstrj "},
    {"a LAMMPS data file", "give PSF, prmtop or PQR, and the coordinates", is_lammps_data, ".lammps .lmp "},
    {"a PDBQT file of AutoDock (without all hydrogens)", "give the PDB file that it was made from", is_pdbqt,
     ".pdbqt "},
    {"an SDF or MOL file", as_cif, is_sdf, ".sdf .mol .sd "},
    {"a Tinker XYZ file", as_cif, is_tinker_xyz, ".arc .txyz "},
    {"an XYZ file (without residues and charges)", as_cif, is_xyz, ".xyz "},
    {"a CHARMM topology of residues (.rtf)",
     "give the PSF that psfgen or CHARMM makes with it, and coordinates", is_charmm_residues,
     ".rtf .str .inp "},
    {"a file of CHARMM parameters (.prm)",
     "give the PSF that psfgen or CHARMM makes with it, and coordinates", is_charmm_parameters},
    {"a file of a force field's parameters", a_topology, nullptr, ".prm .par .key "},
    {"an AMBER ASCII trajectory (mdcrd)", "convert it with cpptraj (trajout md.nc) to NetCDF or DCD",
     is_mdcrd, ".mdcrd .trj .x "},
    {"a GROMACS index file (.ndx)", a_topology, is_gromacs_index, ".ndx "},
    {"a file of GROMACS run parameters (.mdp)", a_topology, is_mdp, ".mdp "},
    {"a log file", a_topology, is_log, ".log .out .mdout "},
    {"a part of a GROMACS topology (.itp)", "give the .top file that includes it, and the coordinates",
     nullptr, ".itp "},
    {"a session of a viewer", "save the molecule as PDB or mmCIF in that program", nullptr,
     ".pse .cxs .vmd .moe "},
};

[[noreturn]] void refuse(const UnreadFormat& format, const std::string& path) {
  fail(path, ": is ", format.what, ", which is not read; ", format.instead);
}

const UnreadFormat* find_by_content(std::string_view head) {
  head = head.substr(0, std::size_t{1} << 16);
  const auto found = std::find_if(std::begin(formats), std::end(formats), [head](const UnreadFormat& format) {
    return format.is_format != nullptr && format.is_format(head);
  });
  return found == std::end(formats) ? nullptr : found;
}

}  // namespace

bool is_unread_format(std::string_view head) {
  return find_by_content(head) != nullptr;
}

void refuse_unread_format(std::string_view head, const std::string& path) {
  if (const UnreadFormat* const format = find_by_content(head)) refuse(*format, path);
}

void refuse_unread_name(const std::string& path) {
  const std::string extension = extension_of(path) + ' ';
  if (extension.size() < 2) return;
  for (const UnreadFormat& format : formats)
    if (has(format.extensions, extension)) refuse(format, path);
}

}  // namespace ionwell
