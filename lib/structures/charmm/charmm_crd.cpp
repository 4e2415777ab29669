// SPDX-License-Identifier: BSD-3-Clause
#include "structures/charmm/charmm_crd.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/text/lines.hpp"
#include "core/text/note.hpp"
#include "core/text/numbers.hpp"
#include "core/text/residue_id.hpp"
#include "structures/charmm/label_columns.hpp"
#include "structures/charmm/possible_values.hpp"

namespace ionwell {
namespace {

constexpr std::string_view record =
    "an atom of a CHARMM CRD has atom number, residue index, residue name, atom name, x, y, z, segment and "
    "residue number";
constexpr std::string_view way_out = "write the coordinates again";

/// An atom's line: the fields that count.
struct Fields {
  std::string_view number, residue, name;
  std::array<std::string_view, 3> position;
  std::string_view residue_id;
};

struct Layout {
  Columns number, second_number, residue, name, x, segment, residue_id;  // y and z follow x, as wide
};

// (I5,I5,1X,A4,1X,A4,3F10.5,1X,A4,1X,A4,F10.5)
constexpr Layout standard_layout{{0, 5}, {5, 5}, {10, 5}, {15, 5}, {20, 10}, {50, 5}, {55, 5}};
// (I10,I10,2X,A8,2X,A8,3F20.10,2X,A8,2X,A8,F20.10); read_label wants one blank before a name
constexpr Layout ext_layout{{0, 10}, {10, 10}, {21, 9}, {31, 9}, {40, 20}, {101, 9}, {111, 9}};

std::optional<Fields> fields_in_columns(std::string_view line, const Layout& layout) {
  const auto field = [line](Columns at) { return trim(columns(line, at.first, at.count)); };
  Fields fields{.number = field(layout.number)};
  std::string_view segment;
  if (!is_atom_number(fields.number) || !is_atom_number(field(layout.second_number)) ||
      !read_label(line, layout.residue, fields.residue) || !read_label(line, layout.name, fields.name) ||
      !read_label(line, layout.segment, segment) || !read_label(line, layout.residue_id, fields.residue_id))
    return {};
  for (std::size_t axis = 0; axis < 3; ++axis)
    fields.position[axis] = field({layout.x.first + axis * layout.x.count, layout.x.count});
  return fields;
}

std::optional<Fields> fields_between_blanks(std::string_view line) {
  Fields fields;
  std::string_view second_number, segment;
  for (std::string_view* part :
       {&fields.number, &second_number, &fields.residue, &fields.name, &fields.position[0],
        &fields.position[1], &fields.position[2], &segment, &fields.residue_id})
    *part = take_token(line);
  if (!is_atom_number(fields.number) || !is_atom_number(second_number) || fields.residue_id.empty())
    return {};
  return fields;
}

std::optional<Fields> read_fields(std::string_view line) {
  if (auto fields = fields_in_columns(line, ext_layout)) return fields;
  if (auto fields = fields_in_columns(line, standard_layout)) return fields;
  return fields_between_blanks(line);
}

/// The first line behind the title; false when there is none.
bool skip_title(LineScanner& lines, std::string_view& line) {
  while (lines.next(line))
    if (!line.starts_with('*')) return true;
  return false;
}

/// A CRD from its first line to its last atom.
class CrdReader {
 public:
  CrdReader(std::string_view text, const std::string& path) : text_(text), path_(path), lines_(text) {}

  Coordinates read() {
    std::string_view line;
    if (!skip_title(lines_, line)) fail(path_, ": has a title but no atoms; copy it again");
    const std::string_view word = take_token(line);
    const std::optional<std::int64_t> count = parse_integer<std::int64_t>(word);
    if (!count || *count <= 0)
      fail(path_, ':', lines_.number(), ": ", quote(word),
           " is not a number of atoms (it follows the title); ", way_out);
    const std::int64_t announced_in = lines_.number();
    constexpr std::int64_t shortest_line = 18;  // nine fields of one character
    const auto capacity = std::size_t(std::min(*count, std::ssize(text_) / shortest_line + 1));
    coordinates_.positions_A.reserve(capacity);
    coordinates_.labels.reserve(capacity);
    for (std::int64_t i = 0; i < *count; ++i) {
      if (!lines_.next(line))
        fail(path_, ": ends after ", grouped(i), " of the ", count_of(*count, "atom"), " that line ",
             announced_in, " announces; copy it again");
      add_atom(line);
    }
    while (lines_.next(line))
      if (!trim(line).empty())
        fail(path_, ':', lines_.number(), ": there is more than the ", count_of(*count, "atom"),
             " that line ", announced_in, " announces; ", way_out);
    if (unnumbered_ > 0)
      coordinates_.warnings.push_back(note(path_ + ':' + std::to_string(first_unnumbered_) +
                                           ": the residue number is not a number; 0 was used (" +
                                           count_of(unnumbered_, "atom") + ')'));
    return std::move(coordinates_);
  }

 private:
  void add_atom(std::string_view line) {
    const std::optional<Fields> fields = read_fields(line);
    if (!lines_.line_is_ended())
      fail(path_, ':', lines_.number(),
           ": the file ends in the middle of this line; copy it again (or end the line, if it is complete)");
    if (!fields)
      fail(path_, ':', lines_.number(), ": the line ", quote(line), " is not an atom (", record, "); ",
           way_out);
    const auto coordinate = [&](std::size_t axis) {
      constexpr std::string_view names[] = {"x", "y", "z"};
      return NumberInLine{path_, lines_.number(), names[axis], record, way_out, largest_coordinate_A, " A"}
          .read(fields->position[axis]);
    };
    const Vec3<double> position_A{coordinate(0), coordinate(1), coordinate(2)};
    constexpr double unplaced = 9999.0;  // CHARMM's ANUM
    if (position_A == Vec3<double>{unplaced, unplaced, unplaced})
      fail(path_, ':', lines_.number(), ": ", fields->residue, ' ', fields->residue_id, ' ', fields->name,
           " has no position (9999 means none); place all atoms in CHARMM, with IC BUILD and HBUILD, and "
           "write the coordinates again");
    coordinates_.positions_A.push_back(position_A);
    const std::optional<ResidueId> id = parse_residue_id(fields->residue_id);
    if (!id && unnumbered_++ == 0) first_unnumbered_ = lines_.number();
    coordinates_.labels.push_back({fields->name, fields->residue, id.value_or(ResidueId{}).number});
  }

  std::string_view text_;
  const std::string& path_;
  LineScanner lines_;
  Coordinates coordinates_;
  std::int64_t unnumbered_ = 0, first_unnumbered_ = 0;
};

}  // namespace

bool is_charmm_crd(std::string_view head) {
  LineScanner lines(head);
  std::string_view line;
  if (!head.starts_with('*') || !skip_title(lines, line)) return false;
  const std::optional<std::int64_t> count = parse_integer<std::int64_t>(take_token(line));
  const std::string_view flag = take_token(line);
  return count && *count > 0 && (flag.empty() || flag == "EXT") && lines.next(line) && read_fields(line);
}

Coordinates read_charmm_crd(std::string_view text, const std::string& path) {
  return CrdReader(text, path).read();
}

}  // namespace ionwell
