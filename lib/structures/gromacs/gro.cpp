// SPDX-License-Identifier: BSD-3-Clause
#include "structures/gromacs/gro.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"
#include "structures/gromacs/frames.hpp"

namespace ionwell {
namespace {

constexpr std::size_t label_width = 5, first_coordinate = 20;
constexpr std::string_view atom_line =
    "an atom's line has residue number, residue, name and serial in 5 columns each, then x, y and z in "
    "columns of "
    "one width";

/// The columns of a coordinate, by the first two decimal points; nothing where there are none.
std::optional<std::size_t> coordinate_width(std::string_view line) {
  constexpr std::size_t widest = 40;
  const std::size_t first = line.find('.', std::min(first_coordinate, line.size()));
  const std::size_t second = first == line.npos ? line.npos : line.find('.', first + 1);
  if (second == line.npos || second - first > widest || second - first < 2) return {};
  return second - first;
}

/// A number that may have blanks around it in its columns.
std::optional<double> number_in(std::string_view field) {
  const char *at = field.data(), *const end = at + field.size();
  while (at != end && *at == ' ') ++at;
  double value = 0.0;
  if (scan_short_decimal(at, end, value) == end && at != end) return value;
  return parse_number(trim(field));
}

std::optional<int> residue_number_in(std::string_view field) {
  int number = 0;
  std::size_t at = field.find_first_not_of(' ');
  if (at == field.npos) return {};
  for (; at < field.size() && is_digit(field[at]); ++at) number = 10 * number + (field[at] - '0');
  return at == field.size() ? number : parse_integer(trim(field));
}

class GroReader final : public FrameReader {
 public:
  GroReader(std::string_view text, const std::string& path) : path_(path), text_(text) { find_frames(); }

  std::int64_t frames() const override { return std::ssize(frames_); }

  std::vector<std::string> warnings() const override {
    if (!is_cut_) return {};
    return {cut_warning(path_, frames())};
  }

  Coordinates read(std::int64_t index) const override {
    Coordinates result;
    read_atoms(frames_[std::size_t(index)], result);
    check_positions(result, index, path_);
    return result;
  }

 private:
  struct Frame {
    std::size_t first_byte;   // of the first atom's line
    std::int64_t first_line;  // the number of the line before it
    std::int64_t atoms;
  };

  [[noreturn]] void complain(std::int64_t line, const std::string& problem) const {
    fail(path_, ':', line, ": ", problem);
  }

  /// The first frame must be complete; what follows may not be, when a run was stopped.
  void find_frames() {
    LineScanner lines(text_);
    std::string_view line;
    while (lines.next(line)) {
      if (!frames_.empty() && trim(line).empty()) continue;
      const std::optional<std::string> problem = find_frame(lines);
      if (!problem) continue;
      if (frames_.empty()) complain(lines.number(), *problem);
      is_cut_ = true;
      return;
    }
    if (frames_.empty()) fail(path_, ": is empty; give a .gro file");
  }

  /// Behind the title, up to the box; what is wrong, where it is not complete.
  std::optional<std::string> find_frame(LineScanner& lines) {
    std::string_view line;
    if (!lines.next(line)) return "the file ends after the title; copy it again";
    std::string_view rest = line;
    const std::optional<std::int64_t> atoms = parse_integer<std::int64_t>(take_token(rest));
    if (!atoms || *atoms < 1)
      return "the number of atoms is " + quote(trim(line)) +
             ", but it must be a whole number greater than 0; correct it";
    Frame frame{0, lines.number(), *atoms};
    for (std::int64_t i = 0; i < *atoms; ++i) {
      if (!lines.next(line))
        return "the file ends here, and line " + std::to_string(frame.first_line) + " states that it has " +
               count_of(*atoms, "atom") + "; copy it again";
      if (i == 0) frame.first_byte = std::size_t(line.data() - text_.data());
    }
    if (!lines.next(line)) return "the file ends before the line of the box; copy it again";
    if (const bool is_atom = line.size() > first_coordinate && coordinate_width(line) &&
                             residue_number_in(line.substr(0, label_width));
        is_atom || !is_box(line))
      return quote(line) + " should be the box, after the " + count_of(*atoms, "atom") + " that line " +
             std::to_string(frame.first_line) +
             " announces; correct that number, or the box (3 or 9 numbers)";
    if (!lines.line_is_ended() && frames_.empty() && is_shortened(line))
      return "the file ends in the middle of this line; copy it again (or end the line, if it is complete)";
    frames_.push_back(frame);
    return {};
  }

  static std::optional<std::array<double, 9>> box_numbers(std::string_view line) {
    std::array<double, 9> numbers{};
    std::size_t count = 0;
    for (std::string_view token; !(token = take_token(line)).empty(); ++count) {
      const std::optional<double> number = count < numbers.size() ? parse_number(token) : std::nullopt;
      if (!number) return {};
      numbers[count] = *number;
    }
    return count == 3 || count == 9 ? std::optional(numbers) : std::nullopt;
  }
  static bool is_box(std::string_view line) { return box_numbers(line).has_value(); }

  /// Whether the last number has fewer decimals than the first.
  static bool is_shortened(std::string_view line) {
    const auto decimals = [](std::string_view token) {
      return token.size() - std::min(token.find('.'), token.size());
    };
    line = trim(line);
    return decimals(line.substr(line.find_last_of(" \t") + 1)) < decimals(take_token(line));
  }

  void read_atoms(const Frame& frame, Coordinates& result) const {
    LineScanner lines(text_.substr(frame.first_byte));
    std::string_view line;
    lines.next(line);
    const std::optional<std::size_t> width = coordinate_width(line);
    if (!width)
      complain(frame.first_line + 1,
               quote(line) + " does not have two coordinates; " + std::string(atom_line));
    result.positions_A.reserve(std::size_t(frame.atoms));
    result.labels.reserve(std::size_t(frame.atoms));
    int before = 0, wrapped = 0;
    for (std::int64_t i = 0; i < frame.atoms; ++i, lines.next(line)) {
      const auto complain_here = [&](const char* what, std::string_view field) {
        complain(frame.first_line + i + 1, std::string(what) + ' ' + quote(field) +
                                               " is not a finite number (" + std::string(atom_line) +
                                               "); correct this line");
      };
      const auto coordinate = [&](std::size_t axis) {
        const std::string_view field = columns(line, first_coordinate + axis * *width, *width);
        const std::optional<double> value = number_in(field);
        if (!value || field.size() < *width) complain_here(axis == 0 ? "x" : axis == 1 ? "y" : "z", field);
        return nm_A * *value;
      };
      const std::string_view number_field = columns(line, 0, label_width);
      const std::optional<int> number = residue_number_in(number_field);
      if (!number) complain_here("residue number", number_field);
      constexpr int wraps_at = 100000;
      if (*number < before && before >= wraps_at - 1) ++wrapped;  // behind 99,999 comes 0
      before = *number;
      result.labels.push_back({trim(columns(line, 2 * label_width, label_width)),
                               trim(columns(line, label_width, label_width)), *number + wrapped * wraps_at});
      const double x = coordinate(0), y = coordinate(1), z = coordinate(2);
      result.positions_A.push_back({x, y, z});
    }
    result.cell = cell_of_box(*box_numbers(line));
  }

  const std::string& path_;
  std::string_view text_;
  std::vector<Frame> frames_;
  bool is_cut_ = false;
};

}  // namespace

Coordinates read_gro(std::string_view text, const std::string& path, FrameChoice frame) {
  const GroReader file(text, path);
  Coordinates result = file.read(chosen_frame(frame, file.frames(), path));
  result.frames = file.frames();
  result.warnings = file.warnings();
  return result;
}

std::unique_ptr<FrameReader> open_gro(std::string_view text, const std::string& path) {
  return std::make_unique<GroReader>(text, path);
}

bool is_gro(std::string_view head) {
  LineScanner lines(head);
  std::string_view title, count, atom;
  if (!lines.next(title) || !lines.next(count) || !lines.next(atom)) return false;
  const std::optional<std::int64_t> atoms = parse_integer<std::int64_t>(trim(count));
  const std::optional<std::size_t> width = coordinate_width(atom);
  if (!atoms || *atoms < 1 || !width || !residue_number_in(columns(atom, 0, label_width))) return false;
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (!number_in(columns(atom, first_coordinate + axis * *width, *width))) return false;
  return true;
}

}  // namespace ionwell
