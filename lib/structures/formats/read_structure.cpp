// SPDX-License-Identifier: BSD-3-Clause
#include "structures/formats/read_structure.hpp"

#include <new>
#include <optional>

#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "core/text/printable_names.hpp"
#include "files/input_file.hpp"
#include "structures/first_line.hpp"
#include "structures/formats/file_format.hpp"
#include "structures/formats/unread_format.hpp"
#include "structures/input_water.hpp"
#include "structures/pdb/pdb_reader.hpp"
#include "structures/pdb/pqr_reader.hpp"
#include "structures/pdb/pqr_record.hpp"
#include "structures/pdb2pqr_command.hpp"
#include "structures/structure_checks.hpp"

namespace ionwell {
namespace {

constexpr std::size_t longest_preface = std::size_t{1} << 24;  // remarks of the PDB's entries: up to 1 MB

/// Files that say at their start that they are something else.
void refuse_other_formats(std::string_view text, const std::string& path) {
  refuse_other_packing(text, path);
  refuse_unread_format(text, path);
  if (text.find('\0') != text.npos)
    fail(path, ": is binary, not text (it contains a zero byte); ", formats_read());
}

bool is_mmcif(std::string_view text) {
  return first_line_of(text).starts_with("data_") && text.find("_atom_site.") != text.npos;
}

/// The command that makes a PQR of it; a pipe cannot be named a second time.
std::string command_for(const std::string& path) {
  const bool is_pipe = path == standard_input_name || path.starts_with("/dev/") || path.starts_with("/proc/");
  return is_pipe ? pdb2pqr_example() : pdb2pqr_command(path);
}

/// Refuses what is no structure before the rest is read, which may have no end.
void check_head(InputFile& file) {
  refuse_other_formats(file.head(), file.name());
  if (has_atom_record(file.head())) return;
  file.lengthen_head(longest_preface);
  if (file.head().size() >= longest_preface && !has_atom_record(file.head()))
    fail(file.name(), ": has no ATOM or HETATM record in its first ", longest_preface, " bytes; ",
         formats_read());
}

/// Refuses what is no PQR file by its beginning.
void check_pqr(std::string_view text, const std::string& path) {
  refuse_other_formats(text, path);
  if (is_mmcif(text))
    fail(path, ": is an mmCIF file, without charges and radii; make a PQR of it with ", command_for(path));
  const std::optional<FileFormat> format = find_format(text, path);
  if (format == FileFormat::pdb || is_pdb(text))  // whatever its name
    fail(path, ": is a PDB file, without charges and radii; make a PQR of it with ", command_for(path));
  if (format && format != FileFormat::pqr) {
    const FileRole role = role_of(*format);
    fail(path, ": is ", describe(*format), ", but only PQR files are read here; use read_input",
         role == FileRole::structure  ? ""
         : role == FileRole::topology ? " with its coordinates"
                                      : " with its topology");
  }
  if (extension_of(path) != ".pqr" && !has_atom_record(text))
    fail(path, ": has an unknown format (it starts with ", quote(first_line_of(text)), "); ", formats_read());
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
  check_structure(structure, {.decimals = options.decimals});
  return structure;
}

Structure read_pqr_file(InputFile file) {
  const std::string path = file.name();
  try {
    if (!is_gzip(file.head())) check_head(file);
    TextPieces pieces(std::move(file));
    const std::string_view head = pieces.head();
    const bool has_atoms = has_atom_record(head.substr(0, head.size() / 2));  // and many more behind it
    check_pqr(has_atoms ? head : pieces.head(longest_preface), path);
    return read_pqr(pieces);
  } catch (const std::bad_alloc&) {
    fail(path, ": there is not enough memory to read this structure; free some memory");
  }
}

Structure read_structure(InputFile file, const ReadOptions& options) {
  Structure structure = read_pqr_file(std::move(file));
  make_names_printable(structure);
  apply_water_option(structure, options.water);
  check_structure(structure, {.decimals = options.decimals});
  return structure;
}

Structure read_structure(const std::string& path, const ReadOptions& options) {
  return read_structure(InputFile(path), options);
}

}  // namespace ionwell
