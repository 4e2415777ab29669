#include "structures/read_structure.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <new>

#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"
#include "core/text/printable_names.hpp"
#include "files/input_file.hpp"
#include "structures/file_format.hpp"
#include "structures/input_water.hpp"
#include "structures/pdb2pqr_command.hpp"
#include "structures/pqr_reader.hpp"
#include "structures/pqr_record.hpp"
#include "structures/structure_checks.hpp"

namespace ionwell {
namespace {

constexpr std::string_view known_formats = "structures are read from PQR files (.pqr, .pqr.gz)";

/// The first line that is not blank and no comment.
std::string_view first_line_of(std::string_view text) {
  LineScanner lines(text);
  for (std::string_view line; lines.next(line);) {
    line = trim(line);
    if (!line.empty() && !line.starts_with('#')) return line;
  }
  return {};
}

/// Files that say at their start that they are something else.
void refuse_other_formats(std::string_view text, const std::string& path) {
  struct Format {
    std::string_view start, problem;
  };
  constexpr std::string_view utf16 = "is UTF-16 text; save it as plain text (UTF-8)";
  constexpr Format binary[] = {
      {"\xFF\xFE", utf16},
      {"\xFE\xFF", utf16},
      {"\x89HDF", "is an HDF5 file, not a structure"},
  };
  constexpr Format texts[] = {
      {"object 1 class gridpositions", "is an OpenDX map, not a structure"},
  };
  refuse_other_packing(text, path);
  for (const Format& format : binary)
    if (text.starts_with(format.start)) fail(path, ": ", format.problem, " (", known_formats, ')');
  const std::string_view first_line = first_line_of(text);
  for (const Format& format : texts)
    if (first_line.starts_with(format.start)) fail(path, ": ", format.problem, " (", known_formats, ')');
  if (text.find('\0') != text.npos)
    fail(path, ": is binary, not text (it holds a zero byte); ", known_formats);
}

bool is_mmcif(std::string_view text) {
  return first_line_of(text).starts_with("data_") && text.find("_atom_site.") != text.npos;
}

/// Occupancy and B-factor in their columns (%6.2f each) where a PQR has charge and radius.
bool has_occupancy_and_b_factor(std::string_view line) {
  const auto two_decimals = [line](std::size_t point) {
    return line[point] == '.' && is_digit(line[point + 1]) && is_digit(line[point + 2]);
  };
  return line.size() >= 66 && two_decimals(57) && two_decimals(63) &&
         (line.size() == 66 || is_blank(line[66]));
}

/// A PDB file: its first atoms all have occupancy and B-factor, or nothing, where charge and radius belong,
/// and either the name or something that no PQR has says so.
bool is_pdb_without_charges(std::string_view text, const std::string& extension) {
  constexpr int enough = 1000;
  const bool named_pdb = extension == ".pdb" || extension == ".ent";
  int atoms = 0;
  bool has_element = false, has_large_radius = false, radii_are_zero = true, charges_are_equal = true;
  std::string_view first_charge;
  LineScanner lines(text);
  for (std::string_view line; atoms < enough && lines.next(line);) {
    if (!is_atom_record(line)) continue;
    ++atoms;
    if (named_pdb && trim(columns(line, 54, 12)).empty()) continue;
    if (!has_occupancy_and_b_factor(line)) return false;
    const std::string_view charge = trim(line.substr(54, 6)), radius = trim(line.substr(60, 6));
    if (charge.starts_with('-')) return false;  // an occupancy is never negative
    if (first_charge.empty()) first_charge = charge;
    constexpr double larger_than_any_atom_A = 5.0;
    has_element |= !trim(columns(line, 76, 2)).empty();
    has_large_radius |= parse_number(radius).value_or(0.0) > larger_than_any_atom_A;
    radii_are_zero &= radius == "0.00";
    charges_are_equal &= charge == first_charge;
  }
  return atoms > 0 &&
         (named_pdb || has_element || has_large_radius || (atoms > 1 && radii_are_zero && charges_are_equal));
}

/// The command that makes a PQR of it; a pipe cannot be named a second time.
std::string command_for(const std::string& path) {
  const bool is_pipe = path == standard_input_name || path.starts_with("/dev/") || path.starts_with("/proc/");
  return is_pipe ? pdb2pqr_example() : pdb2pqr_command(path);
}

/// Refuses what is no structure before the rest is read, which may have no end.
void check_head(InputFile& file) {
  refuse_other_formats(file.head(), file.name());
  constexpr std::size_t longest_preface = std::size_t{1} << 24;  // remarks of the PDB's entries: up to 1 MB
  file.lengthen_head(longest_preface);
  if (file.head().size() >= longest_preface && !has_atom_record(file.head()))
    fail(file.name(), ": has no ATOM or HETATM record in its first ", longest_preface, " bytes; ",
         known_formats);
}

/// Refuses what is no PQR file by its beginning.
void check_pqr(std::string_view text, const std::string& path) {
  refuse_other_formats(text, path);
  if (is_mmcif(text))
    fail(path, ": is an mmCIF file, without charges and radii; make a PQR of it with ", command_for(path));
  const std::optional<FileFormat> format = find_format(text, path);
  if (format && role_of(*format) != FileRole::structure)
    fail(path, ": is ", describe(*format),
         ", and only PQR files are read here; read_input takes it with its ",
         role_of(*format) == FileRole::topology ? "coordinates" : "topology");
  const std::string extension = extension_of(path);
  if (is_pdb_without_charges(text, extension))
    fail(path, ": is a PDB file, without charges and radii; make a PQR of it with ", command_for(path));
  if (extension != ".pqr" && !has_atom_record(text))
    fail(path, ": is of no known format (it starts with ", quote(first_line_of(text)), "); ", known_formats);
}

Structure read_pqr_text(std::string_view text, const std::string& path) {
  check_pqr(text, path);
  return read_pqr(text, path);
}

}  // namespace

Structure read_structure_text(std::string_view text, const std::string& path, const ReadOptions& options) {
  Structure structure = read_pqr_text(text, path);
  make_names_printable(structure);
  apply_water_option(structure, options.water);
  check_structure(structure);
  return structure;
}

Structure read_pqr_file(InputFile file) {
  const std::string path = file.name();
  try {
    if (!is_gzip(file.head())) check_head(file);
    TextPieces pieces(std::move(file));
    check_pqr(pieces.head(), path);
    return read_pqr(pieces);
  } catch (const std::bad_alloc&) {
    fail(path, ": there is not enough memory to read this structure; free some");
  }
}

Structure read_structure(InputFile file, const ReadOptions& options) {
  Structure structure = read_pqr_file(std::move(file));
  make_names_printable(structure);
  apply_water_option(structure, options.water);
  check_structure(structure);
  return structure;
}

Structure read_structure(const std::string& path, const ReadOptions& options) {
  return read_structure(InputFile(path), options);
}

}  // namespace ionwell
