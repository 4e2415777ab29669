// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cmath>

#include "core/available_memory.hpp"
#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"
#include "meshes/point_rows.hpp"
#include "structures/atom_limits.hpp"
#include "structures/pdb/pdb_record.hpp"
#include "structures/pdb/pqr_record.hpp"

namespace ionwell {
namespace {

using Columns = std::array<std::size_t, 3>;

/// The points of one text, row by row.
class PointRowReader {
 public:
  PointRowReader(FileBytes bytes, const std::string& path, PointFormat format)
      : text_(PointText{std::move(bytes), {}, {}, ' '}), lines_(text_.bytes.text()) {
    points_.path = path;
    points_.format = format;
  }

  bool next(std::string_view& line) { return lines_.next(line); }
  std::int64_t line_number() const { return lines_.number(); }
  std::string place() const { return points_.path + ':' + std::to_string(lines_.number()); }
  const std::string& path() const { return points_.path; }
  std::size_t size() const { return points_.positions_A.size(); }

  TextPart part_of(std::string_view line) const {
    return {std::size_t(line.data() - text_.bytes.text().data()), std::uint32_t(line.size())};
  }
  void set_headline(std::string_view line) { text_.headline = part_of(line); }
  void set_separator(char separator) { text_.separator = separator; }
  char separator() const { return text_.separator; }

  void add(std::string_view line, const Vec3<double>& position_A) {
    if (points_.positions_A.size() == points_.positions_A.capacity()) require_room();
    points_.positions_A.push_back(position_A);
    text_.rows.push_back(part_of(line));
  }

  /// A coordinate from its text. Throws Error.
  double coordinate(std::string_view text, std::size_t axis) const {
    const std::optional<double> value = parse_number(text);
    if (!value)
      fail(place(), ": ", "xyz"[axis], " is ", quote(text),
           ", which is not a finite number; a point is x, y and z in A: correct the line, or leave it out");
    if (!(std::abs(*value) <= largest_coordinate_A))
      fail(place(), ": ", "xyz"[axis], " is ", *value, " A, but a point has at most ", largest_coordinate_A,
           " A; correct the line");
    return *value;
  }

  PointSet take() {
    if (points_.positions_A.empty())
      fail(points_.path, ": has no points; give x, y and z of a point on each line");
    points_.text = std::make_shared<const PointText>(std::move(text_));
    return std::move(points_);
  }

 private:
  /// Before the vectors double.
  void require_room() const {
    const std::size_t next = std::max<std::size_t>(1024, 2 * points_.positions_A.capacity());
    const auto bytes = std::int64_t(next * (sizeof(Vec3<double>) + sizeof(TextPart)));
    if (bytes > available_memory_bytes())
      fail(points_.path, ": ", grouped(std::int64_t(size())), " points or more need ", describe_bytes(bytes),
           " of memory, but only ", describe_bytes(available_memory_bytes()),
           " is free; give the points in parts");
  }

  PointSet points_;
  PointText text_;
  LineScanner lines_;
};

/// Fields between separators; blanks separate as runs, all others each, and "quotes" keep what is in them
/// together.
std::vector<std::string_view> fields_of(std::string_view line, char separator) {
  std::vector<std::string_view> fields;
  if (separator == ' ') {
    for (std::string_view field = take_token(line); !field.empty(); field = take_token(line))
      fields.push_back(field);
    return fields;
  }
  bool quoted = false;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= line.size(); ++at) {
    if (at < line.size() && line[at] == '"') quoted = !quoted;
    if (at < line.size() && (quoted || line[at] != separator)) continue;
    std::string_view field = trim(line.substr(begin, at - begin));
    if (field.size() >= 2 && field.front() == '"' && field.back() == '"')
      field = field.substr(1, field.size() - 2);
    fields.push_back(field);
    begin = at + 1;
  }
  return fields;
}

char separator_of(std::string_view line) {
  for (const char separator : {',', ';', '\t'})
    if (line.find(separator) != std::string_view::npos) return separator;
  return ' ';
}

/// Where x, y and z are: by their names, "x", "x_A", "X [A]" ..., or else in front.
std::optional<Columns> named_columns(const std::vector<std::string_view>& names) {
  Columns columns{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto found = std::find_if(names.begin(), names.end(), [axis](std::string_view name) {
      const std::string lower = lower_case(name);
      return !lower.empty() && lower[0] == "xyz"[axis] && (lower.size() == 1 || !is_letter(lower[1]));
    });
    if (found == names.end()) return {};
    columns[axis] = std::size_t(found - names.begin());
  }
  return columns;
}

bool begins_with_numbers(const std::vector<std::string_view>& fields) {
  return fields.size() >= 3 && std::any_of(fields.begin(), fields.begin() + 3, [](std::string_view field) {
           return parse_any_number(field).has_value();
         });
}

void add_table_row(PointRowReader& rows, std::string_view line, const Columns& columns) {
  const std::vector<std::string_view> fields = fields_of(line, rows.separator());
  const std::size_t last = *std::max_element(columns.begin(), columns.end());
  if (fields.size() <= last)
    fail(rows.place(), ": the line has ", count_of(std::int64_t(fields.size()), "column"),
         ", but x, y and z need ", last + 1, "; correct the line, or begin it with # if it is a comment");
  rows.add(line, {rows.coordinate(fields[columns[0]], 0), rows.coordinate(fields[columns[1]], 1),
                  rows.coordinate(fields[columns[2]], 2)});
}

PointSet read_table_as(FileBytes bytes, const std::string& path, PointFormat format) {
  PointRowReader rows(std::move(bytes), path, format);
  Columns columns{0, 1, 2};
  bool begun = false;
  for (std::string_view line; rows.next(line);) {
    const std::string_view content = trim(line);
    if (content.empty() || content.front() == '#') continue;
    if (!begun) {
      rows.set_separator(separator_of(content));
      const std::vector<std::string_view> names = fields_of(line, rows.separator());
      begun = true;
      if (!begins_with_numbers(names)) {
        const std::optional<Columns> named = named_columns(names);
        if (!named)
          fail(rows.place(), ": ", quote(content),
               " is neither x, y and z of a point nor the names of columns, x, y and z among them; correct "
               "the line");
        columns = *named;
        rows.set_headline(line);
        continue;
      }
    }
    add_table_row(rows, line, columns);
  }
  return rows.take();
}

/// Of a PDB or PQR file: calls use(line) for the atoms of the first model.
template <typename Use>
void for_each_atom_line(PointRowReader& rows, const Use& use) {
  for (std::string_view line; rows.next(line);) {
    if (line.starts_with("ENDMDL") && rows.size() > 0) return;
    if (is_atom_record(line)) use(line);
  }
}

}  // namespace

PointSet read_table(FileBytes bytes, const std::string& path) {
  return read_table_as(std::move(bytes), path, PointFormat::csv);
}

PointSet read_xyz(FileBytes bytes, const std::string& path) {
  std::string_view first;
  LineScanner head(bytes.text());
  head.next(first);
  const std::optional<std::int64_t> count = parse_integer<std::int64_t>(trim(first));
  if (!count) return read_table_as(std::move(bytes), path, PointFormat::xyz);
  PointRowReader rows(std::move(bytes), path, PointFormat::xyz);
  std::string_view line;
  rows.next(line);
  rows.next(line);
  while (rows.next(line)) {
    const std::string_view content = trim(line);
    if (content.empty() && std::int64_t(rows.size()) == *count) continue;
    if (std::int64_t(rows.size()) == *count)
      fail(rows.place(), ": the first line announces ", count_of(*count, "atom"), ", but here is ",
           quote(content), " after them; give one frame");
    const std::vector<std::string_view> fields = fields_of(line, ' ');
    if (fields.size() < 4)
      fail(rows.place(), ": ", quote(content), " is not a name and x, y and z; correct the line");
    rows.add(line,
             {rows.coordinate(fields[1], 0), rows.coordinate(fields[2], 1), rows.coordinate(fields[3], 2)});
  }
  if (std::int64_t(rows.size()) != *count)
    fail(path, ": the first line announces ", count_of(*count, "atom"), ", and there are ",
         grouped(std::int64_t(rows.size())), "; copy the file again, or correct the first line");
  return rows.take();
}

PointSet read_pdb_points(FileBytes bytes, const std::string& path) {
  PointRowReader rows(std::move(bytes), path, PointFormat::pdb);
  for_each_atom_line(rows, [&](std::string_view line) {
    rows.add(line, read_pdb_record(line, path, rows.line_number()).atom.position_A);
  });
  return rows.take();
}

PointSet read_pqr_points(FileBytes bytes, const std::string& path) {
  PointRowReader rows(std::move(bytes), path, PointFormat::pqr);
  PqrRecordReader records(path);
  for_each_atom_line(rows, [&](std::string_view line) {
    rows.add(line, records.read(line, rows.line_number()).position_A);
  });
  return rows.take();
}

}  // namespace ionwell
