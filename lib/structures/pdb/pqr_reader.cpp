// SPDX-License-Identifier: BSD-3-Clause
#include "structures/pdb/pqr_reader.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "core/available_memory.hpp"
#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/text/lines.hpp"
#include "core/text/note.hpp"
#include "core/text/text_stream.hpp"
#include "structures/pdb/cryst1.hpp"
#include "structures/pdb/crystal_records.hpp"
#include "structures/pdb/pqr_record.hpp"
#include "structures/pdb2pqr_command.hpp"

namespace ionwell {
namespace {

/// Records that say nothing about charges; REMARK 1, DBREF1 and ORIGX1 count by their letters.
bool is_known_record(std::string_view record) {
  constexpr std::array<std::string_view, 57> known{
      "ANISOU",  "AUTHOR", "CAVEAT", "CISPEP", "COMPND", "CONECT", "CRYST",  "DBREF",  "END",    "ENDMDL",
      "EXPDTA",  "FORMUL", "FTNOTE", "HEADER", "HELIX",  "HET",    "HETNAM", "HETSYN", "HYDBND", "JRNL",
      "KEYWDS",  "LINK",   "LINKR",  "MASTER", "MDLTYP", "MODEL",  "MODRES", "MTRIX",  "NUMMDL", "OBSLTE",
      "ORIGX",   "REMARK", "REVDAT", "SCALE",  "SEQADV", "SEQRES", "SHEET",  "SIGATM", "SIGUIJ", "SITE",
      "SLTBRG",  "SOURCE", "SPLIT",  "SPRSDE", "SSBOND", "TER",    "TITLE",  "TURN",   "TVECT",  "USER",
      "COMMENT", "AUTH",   "CMPND",  "SPDBV",  "BOND",   "CHARGE", "RADIUS"};
  while (!record.empty() && is_digit(record.back())) record.remove_suffix(1);
  return record.empty() || record.starts_with('#') || record.starts_with(';') ||
         std::find(known.begin(), known.end(), record) != known.end();
}

/// Notices a file that stops in the middle of its last line: every line before has the same, larger length.
class LengthCheck {
 public:
  void add(std::size_t length) {
    if (lines_++ > 0 && length != length_) all_equal_ = false;
    length_ = length;
  }
  bool is_cut(std::size_t last_length) const { return lines_ > 1 && all_equal_ && last_length < length_; }

 private:
  std::int64_t lines_ = 0;
  std::size_t length_ = 0;
  bool all_equal_ = true;
};

std::string warning(const LineTally& tally, const std::string& path, std::string_view what) {
  TextStream text;
  text << path << ':' << tally.first_line << ": " << what << " (" << count_of(tally.count, "line")
       << (tally.count == 1 ? ")" : ", this is the first)");
  return text.str();
}

/// A PQR file from its first line to its last.
class PqrReader {
 public:
  /// `bytes`: how many there will be.
  PqrReader(const std::string& path, std::size_t bytes) : path_(path), records_(path), bytes_(bytes) {
    structure_.path = path;
  }

  /// Takes the lines of text that follow those before.
  void add(std::string_view text) {
    if (lines_)
      lines_->go_on(text);
    else
      lines_.emplace(text);
    for (std::string_view line; lines_->next(line);) {
      if (!line.empty() && is_blank(line.front())) line = trim(line);
      if (is_atom_record(line)) {
        add_atom(line, *lines_);
      } else {
        note_other(line, *lines_);
      }
    }
  }

  Structure take() {
    if (structure_.atoms.empty())
      fail(path_, ": has no atoms (no line starts with ATOM or HETATM); make a PQR file, for example with ",
           pdb2pqr_example());
    if (structure_.cell && is_crystal_) structure_.cell->kind = CellKind::crystal;
    add_warnings();
    return std::move(structure_);
  }

 private:
  /// For as many atoms as there can be lines of so many bytes.
  void make_room(std::size_t line_bytes) {
    const std::size_t atoms = bytes_ / line_bytes + 1, needed = atoms * sizeof(Atom);
    constexpr std::size_t always_there = std::size_t{1} << 26;
    if (needed > always_there)
      if (const std::int64_t available = available_memory_bytes(); needed > std::size_t(available))
        fail(path_, ": has some ", grouped(std::int64_t(atoms)), " atoms, which need ",
             describe_bytes(std::int64_t(needed)), " of memory, but only ", describe_bytes(available),
             " are free; free some memory, or give a smaller file");
    structure_.atoms.reserve(atoms);
  }

  void add_atom(std::string_view line, const LineScanner& lines) {
    if (!end_record_.empty()) return behind_end_.note(lines.number());
    if (!lines.line_is_ended() && lengths_.is_cut(line.size())) complain_about_cut(lines.number());
    lengths_.add(line.size());
    if (structure_.atoms.empty()) make_room(line.size() + 1);
    structure_.atoms.push_back(records_.read(chain_touches_residue_ ? parted(line) : line, lines.number()));
  }

  /// `gmx editconf -mead` writes the chain one column early, where it touches the residue: ALAA   1.
  std::string_view parted(std::string_view line) {
    constexpr std::size_t chain_column = 20;  // from 0
    parted_.assign(line.substr(0, chain_column))
        .append(" ")
        .append(line.substr(std::min(chain_column, line.size())));
    return parted_;
  }

  void note_other(std::string_view line, const LineScanner& lines) {
    if (line.starts_with("CRYST1") && !structure_.cell)
      structure_.cell = read_cryst1(line, path_ + ':' + std::to_string(lines.number()));
    is_crystal_ = is_crystal_ || is_crystal_record(line);
    const std::string_view record = take_token(line);
    if (record == "REMARK" && trim(line) == "The occupancy in this file hold atomic charges")
      chain_touches_residue_ = true;
    if (record == "TER" && !structure_.atoms.empty() && end_record_.empty())
      structure_.atoms.back().ends_chain = true;
    const bool ends_model = record == "END" || record == "ENDMDL" || record == "MODEL";
    if (ends_model && !structure_.atoms.empty() && end_record_.empty()) end_record_ = record;
    if (is_known_record(record)) return;
    if (!lines.line_is_ended() &&
        (std::string_view("ATOM").starts_with(record) || std::string_view("HETATM").starts_with(record)))
      complain_about_cut(lines.number());
    if (unknown_.count == 0) unknown_record_ = record;
    unknown_.note(lines.number());
  }

  [[noreturn]] void complain_about_cut(std::int64_t number) const {
    fail(path_, ':', number,
         ": the file ends in the middle of this line; copy it again (or end the line, if it is complete)");
  }

  void add_warnings() {
    auto& warnings = structure_.warnings;
    if (records_.disputed().count > 0)
      warnings.push_back(warning(records_.disputed(), path_,
                                 "columns and blanks give different numbers; the more plausible ones were "
                                 "used; pdb2pqr --whitespace writes unambiguous lines"));
    if (records_.unnumbered().count > 0)
      warnings.push_back(
          note(warning(records_.unnumbered(), path_, "the residue number is not a number; 0 was used")));
    if (behind_end_.count > 0)
      warnings.push_back(warning(behind_end_, path_,
                                 "atoms after the first " + end_record_ +
                                     " were left out; remove that line if they belong to the solute"));
    if (unknown_.count > 0)
      warnings.push_back(warning(
          unknown_, path_, "left out, because " + quote(unknown_record_) + " is not a PDB or PQR record"));
  }

  const std::string& path_;
  PqrRecordReader records_;
  std::size_t bytes_;
  std::optional<LineScanner> lines_;
  Structure structure_;
  LengthCheck lengths_;
  bool chain_touches_residue_ = false, is_crystal_ = false;
  std::string parted_;
  std::string end_record_;  // what ended the first model, once something has
  std::string unknown_record_;
  LineTally behind_end_, unknown_;
};

}  // namespace

Structure read_pqr(std::string_view text, const std::string& path) {
  PqrReader reader(path, text.size());
  reader.add(text);
  return reader.take();
}

Structure read_pqr(TextPieces& file) {
  const std::string path = file.name();
  PqrReader reader(path, file.likely_size());
  for (std::string_view piece = file.next(); !piece.empty(); piece = file.next()) try {
      if (piece.find('\0') != piece.npos)
        fail(path, ": is binary, not text (it contains a zero byte); make a PQR file, for example with ",
             pdb2pqr_example());
      reader.add(piece);
    } catch (const Error&) {
      file.check_rest();
      throw;
    }
  return reader.take();
}

}  // namespace ionwell
