// SPDX-License-Identifier: BSD-3-Clause
#include <charconv>
#include <cmath>
#include <cstdio>

#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"
#include "meshes/point_rows.hpp"

namespace ionwell {
namespace {

constexpr std::size_t buffered_bytes = 1 << 20;

/// -12.34, -1234.5 or -12345: as many of two decimals as fit the six columns of a B-factor.
std::string b_factor_text(double value, const std::string& path) {
  constexpr std::size_t width = 6;
  for (int decimals = 2; decimals >= 0; --decimals) {
    char text[64];
    const int length = std::isnan(value) ? std::snprintf(text, sizeof text, "%6s", "nan")
                                         : std::snprintf(text, sizeof text, "%6.*f", decimals, value);
    if (std::size_t(length) <= width) return text;
  }
  fail(path, ": the potential ", value,
       " kT/e does not fit the six columns of a B-factor; write CSV (-o FILE.csv), or use a --dielectric");
}

std::string pdb_row(std::string_view row, double value, const std::string& path) {
  constexpr std::size_t b_factor_column = 60, width = 6;
  std::string text(row);
  if (text.size() < b_factor_column + width) text.resize(b_factor_column + width, ' ');
  return text.replace(b_factor_column, width, b_factor_text(value, path));
}

/// Charge and radius are the last two numbers that follow each other.
std::string pqr_row(std::string_view row, double value, const std::string& path) {
  std::string_view rest = row, before_last, last, charge;
  for (std::string_view token = take_token(rest); !token.empty(); token = take_token(rest)) {
    before_last = last;
    last = token;
    if (parse_number(before_last) && parse_number(last)) charge = before_last;
  }
  if (charge.empty())
    fail(path, ": the charge in ", quote(row),
         " is not between blanks, so the potential cannot replace it; write CSV (-o FILE.csv)");
  std::string text(row.substr(0, std::size_t(charge.data() - row.data())));
  append_value(text, value);
  return text.append(row.substr(std::size_t(charge.data() + charge.size() - row.data())));
}

/// The text again, with changed rows.
void write_same_rows(OutputFile& file, const PointSet& points, std::span<const double> values_kT_e) {
  const PointText& text = *points.text;
  const std::string_view all = text.bytes.text();
  std::string out;
  std::size_t done = 0;
  const auto copy_to = [&](std::size_t end) {
    out.append(all.substr(done, end - done));
    done = end;
  };
  if (text.headline) {
    copy_to(text.headline->begin + text.headline->length);
    out.append(1, text.separator).append("potential_kT_e");
  }
  for (std::size_t p = 0; p < text.rows.size(); ++p) {
    const TextPart& row = text.rows[p];
    copy_to(row.begin);
    if (points.format == PointFormat::pdb) {
      out += pdb_row(text[row], values_kT_e[p], points.path);
    } else if (points.format == PointFormat::pqr) {
      out += pqr_row(text[row], values_kT_e[p], points.path);
    } else {
      append_value(out.append(text[row]).append(1, text.separator), values_kT_e[p]);
    }
    done = row.begin + row.length;
    if (out.size() < buffered_bytes) continue;
    file.write(out);
    out.clear();
  }
  copy_to(all.size());
  file.write(out);
}

void write_new_rows(OutputFile& file, const PointSet& points, std::span<const double> values_kT_e,
                    PointFormat format) {
  const bool is_table = format == PointFormat::csv;
  const char separator = is_table ? ',' : ' ';
  std::string out =
      is_table ? std::string("x,y,z,potential_kT_e\n")
               : std::to_string(points.positions_A.size()) + "\nname, x, y, z [A], potential [kT/e]\n";
  for (std::size_t p = 0; p < points.positions_A.size(); ++p) {
    if (!is_table) out += "X ";
    for (const double x_A : {points.positions_A[p].x, points.positions_A[p].y, points.positions_A[p].z}) {
      append_coordinate(out, x_A);
      out += separator;
    }
    append_value(out, values_kT_e[p]);
    out += '\n';
    if (out.size() < buffered_bytes) continue;
    file.write(out);
    out.clear();
  }
  file.write(out);
}

}  // namespace

void append_value(std::string& text, double value) {
  constexpr int digits = 8;
  char number[64];
  if (std::isnan(value)) {
    text += "nan";
    return;
  }
  text.append(number,
              std::to_chars(number, number + sizeof number, value, std::chars_format::general, digits).ptr);
}

void append_coordinate(std::string& text, double x_A) {
  char number[64];
  text.append(number, std::to_chars(number, number + sizeof number, x_A).ptr);
}

void write_point_rows(OutputFile& file, const PointSet& points, std::span<const double> values_kT_e,
                      PointFormat format) {
  if (points.text != nullptr && points.format == format) return write_same_rows(file, points, values_kT_e);
  if (format == PointFormat::pdb || format == PointFormat::pqr)
    fail<UsageError>(file.path(), ": ", to_string(format),
                     " records are written for points that were read from such a file, but these are of ",
                     to_string(points.format), "; write CSV, XYZ, PLY, OBJ, VTK or HDF5");
  write_new_rows(file, points, values_kT_e, format);
}

}  // namespace ionwell
