// SPDX-License-Identifier: BSD-3-Clause
#include "structures/pdb/pdb_reader.hpp"

#include <optional>
#include <unordered_map>
#include <utility>

#include "chemistry/pdb_records.hpp"
#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/text/lines.hpp"
#include "core/text/note.hpp"
#include "core/text/numbers.hpp"
#include "files/text_pieces.hpp"
#include "structures/pdb/cryst1.hpp"
#include "structures/pdb/crystal_records.hpp"
#include "structures/pdb/pdb_header.hpp"
#include "structures/pdb/pdb_record.hpp"
#include "structures/pdb/pqr_record.hpp"

namespace ionwell {
namespace {

/// A PDB file from its first line to its last.
class PdbReader {
 public:
  /// `bytes`: how many there will be.
  PdbReader(const std::string& path, std::size_t bytes) : path_(path), bytes_(bytes) {
    sites_.structure.path = path_;
  }

  /// Takes the lines of text that follow those before.
  void add(std::string_view text) {
    if (lines_)
      lines_->go_on(text);
    else
      lines_.emplace(text);
    for (std::string_view line; lines_->next(line);) {
      if (is_atom_record(line)) {
        is_behind_header_ = true;
        add_atom(line, *lines_);
      } else {
        if (!is_behind_header_ && is_pdb_header_record(line)) header_records_.emplace_back(line);
        note_other(line, lines_->number());
      }
    }
  }

  /// CONECT records, by the serial numbers of their atoms.
  const std::vector<std::pair<Label, Label>>& bonds() const { return bonds_; }

  /// pdb_header_records of all of it.
  std::vector<std::string> take_header_records() { return std::move(header_records_); }

  AtomSites take() {
    if (sites_.structure.atoms.empty())
      fail(path_, ": has no atoms (no line starts with ATOM or HETATM); is it the right file?");
    if (sites_.structure.cell && is_crystal_) sites_.structure.cell->kind = CellKind::crystal;
    add_warnings();
    return std::move(sites_);
  }

 private:
  void add_atom(std::string_view line, const LineScanner& lines) {
    auto& atoms = sites_.structure.atoms;
    if (model_is_over_) {
      if (!in_other_model_) ++other_models_;
      in_other_model_ = true;
      return;
    }
    if (!lines.line_is_ended() && line.size() < length_before_)
      fail(path_, ':', lines.number(),
           ": the file ends in the middle of this line; copy it again (or end the line, if it is complete)");
    length_before_ = line.size();
    if (atoms.empty()) {
      const std::size_t expected = bytes_ / (line.size() + 1) + 1;
      atoms.reserve(expected);
      sites_.details.reserve(expected);
      sites_.serials.reserve(expected);
    }
    const PdbRecord record = read_pdb_record(line, path_, lines.number());
    atoms.push_back(record.atom);
    sites_.serials.emplace_back(serial(line, 6));
    sites_.details.push_back(record.details);
    if (!record.is_numbered) unnumbered_.note(lines.number());
  }

  void note_other(std::string_view line, std::int64_t number) {
    auto& structure = sites_.structure;
    if (line.starts_with("CRYST1") && !structure.cell)
      structure.cell = read_cryst1(line, path_ + ':' + std::to_string(number));
    is_crystal_ = is_crystal_ || is_crystal_record(line);
    if (line.starts_with("CONECT")) note_bonds(line);
    const std::string_view record = take_token(line);
    if (record == "TER" && !structure.atoms.empty() && !model_is_over_)
      structure.atoms.back().ends_chain = true;
    if (record == "END" || record == "ENDMDL" || record == "MODEL") {
      model_is_over_ = !structure.atoms.empty();
      in_other_model_ = false;
    }
  }

  static std::string_view serial(std::string_view line, std::size_t column) {
    return trim(columns(line, column, 5));
  }

  /// The first atom's serial number, and those of up to four that are bound to it.
  void note_bonds(std::string_view line) {
    for (std::size_t column = 11; column < 31; column += 5)
      if (const std::string_view other = serial(line, column); !other.empty())
        bonds_.emplace_back(serial(line, 6), other);
  }

  void add_warnings() {
    std::vector<std::string>& warnings = sites_.structure.warnings;
    if (other_models_ > 0)
      warnings.push_back(note(path_ + ": contains " + grouped(other_models_ + 1) +
                              " models (parts that end with ENDMDL or END); the first was used"));
    if (unnumbered_.count > 0)
      warnings.push_back(note(path_ + ':' + std::to_string(unnumbered_.first_line) +
                              ": the residue number is not a number; 0 was used (" +
                              count_of(unnumbered_.count, "line") +
                              (unnumbered_.count == 1 ? ")" : ", this is the first)")));
  }

  const std::string& path_;
  std::size_t bytes_;
  std::optional<LineScanner> lines_;
  bool is_behind_header_ = false, is_crystal_ = false;
  std::vector<std::string> header_records_;
  std::vector<std::pair<Label, Label>> bonds_;
  AtomSites sites_;
  std::size_t length_before_ = 0;
  bool model_is_over_ = false, in_other_model_ = false;
  std::int64_t other_models_ = 0;
  LineTally unnumbered_;
};

AtomSites read_sites(PdbReader& reader) {
  AtomSites sites = reader.take();
  resolve_alternate_locations(sites);
  take_charges_from_columns(sites);
  return sites;
}

/// By the numbers of atoms, where both are there; a serial number that comes twice says nothing.
std::vector<std::pair<std::uint32_t, std::uint32_t>> connected_atoms(
    std::span<const std::pair<Label, Label>> bonds, std::span<const Label> serials) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> connected;
  if (bonds.empty()) return connected;
  constexpr auto ambiguous = std::uint32_t(-1);
  std::unordered_map<std::string_view, std::uint32_t> numbers;
  for (std::uint32_t n = 0; n < serials.size(); ++n)
    if (const auto [at, is_new] = numbers.try_emplace(serials[n].view(), n); !is_new) at->second = ambiguous;
  for (const auto& [first, second] : bonds) {
    const auto a = numbers.find(first.view()), b = numbers.find(second.view());
    if (a != numbers.end() && b != numbers.end() && a->second != ambiguous && b->second != ambiguous)
      connected.emplace_back(a->second, b->second);
  }
  return connected;
}

bool has_point(std::string_view line, std::size_t column) {
  return column + 2 < line.size() && line[column] == '.' && is_digit(line[column + 1]) &&
         is_digit(line[column + 2]);
}

/// A coordinate of two or four decimals that ends with its eight columns.
bool has_other_decimals(std::string_view line, std::size_t column) {
  const std::string_view field = columns(line, column, 8);
  const std::size_t point = field.find('.');
  return field.size() == 8 && (point == 5 || point == 3) && is_digit(field[point - 1]) &&
         std::all_of(field.begin() + std::ptrdiff_t(point) + 1, field.end(), is_digit);
}

}  // namespace

bool is_pdb(std::string_view head, NameEnding ending) {
  constexpr int enough = 1000;
  constexpr double larger_than_any_atom_A = 5.0;
  int atoms = 0;
  bool has_element = false, has_large_b_factor = false, b_factors_are_zero = true, are_equal = true;
  bool has_three_decimals = true, has_no_numbers = true, any_negative = false, has_residue = false;
  std::string_view first_occupancy, residue_before;
  LineScanner lines(head);
  for (std::string_view line; atoms < enough && lines.next(line);) {
    if (!is_atom_record(line) || !lines.line_is_ended()) continue;
    ++atoms;
    for (const std::size_t point : {34, 42, 50}) {
      if (has_point(line, point)) continue;
      if (!has_other_decimals(line, point - 4)) return false;
      has_three_decimals = false;
    }
    has_element |= !element_symbol(trim(columns(line, 76, 2))).empty();
    const std::string_view residue = columns(line, 17, 10);  // with chain, number and insertion code
    has_residue |= std::exchange(residue_before, residue) == residue;
    if (trim(columns(line, 54, 12)).empty()) continue;
    if (!has_point(line, 57) || !has_point(line, 63) || (line.size() > 66 && !is_blank(line[66])))
      return false;
    has_no_numbers = false;
    const std::string_view occupancy = trim(columns(line, 54, 6)), b_factor = trim(columns(line, 60, 6));
    if (first_occupancy.empty()) first_occupancy = occupancy;
    any_negative |= occupancy.starts_with('-');
    are_equal &= occupancy == first_occupancy;
    b_factors_are_zero &= b_factor == "0.00";
    has_large_b_factor |= parse_number(b_factor).value_or(0.0) > larger_than_any_atom_A;
  }
  if (atoms == 0) return head.starts_with("HEADER    ");  // an entry of the PDB: remarks of up to 1 MB
  if (!has_three_decimals) return has_element || (ending == NameEnding::pdb && !any_negative);
  // Atoms of a molecule never have one charge, and no radius is 0.
  return has_element || has_large_b_factor || has_no_numbers ||
         (ending == NameEnding::pdb && !any_negative) ||
         (are_equal && (has_residue || (atoms > 1 && b_factors_are_zero)));
}

Structure read_pdb(std::string_view text, const std::string& path, const PdbReadOptions& options) {
  PdbReader reader(path, text.size());
  reader.add(text);
  AtomSites sites = read_sites(reader);
  if (!options.assembly.empty())
    expand_assembly(sites.structure, sites.asym,
                    find_assembly(pdb_assemblies(text, path), options.assembly, path));
  return std::move(sites.structure);
}

PdbFile read_pdb(InputFile file) {
  const std::string path = file.name();
  TextPieces pieces(std::move(file));
  PdbReader reader(path, pieces.likely_size());
  for (std::string_view piece = pieces.next(); !piece.empty(); piece = pieces.next()) try {
      reader.add(piece);
    } catch (const Error&) {
      pieces.check_rest();
      throw;
    }
  AtomSites sites = read_sites(reader);
  std::vector<std::string> header = reader.take_header_records();
  EntryRecords records = pdb_entry_records(header);
  records.connected_atoms = connected_atoms(reader.bonds(), sites.serials);
  return {std::move(sites.structure), std::move(header), std::move(records)};
}

}  // namespace ionwell
