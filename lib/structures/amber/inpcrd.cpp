// SPDX-License-Identifier: BSD-3-Clause
#include "structures/amber/inpcrd.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>

#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"
#include "structures/atom_limits.hpp"

namespace ionwell {
namespace {

constexpr int decimals = 7;  // of 6F12.7

/// Takes numbers off the front of a text, over the ends of lines.
class NumberStream {
 public:
  explicit NumberStream(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  bool at_end() {
    while (at_ != end_ && (is_blank(*at_) || *at_ == '\n')) ++at_;
    return at_ == end_;
  }

  bool at_line_end() const {
    const std::string_view line = rest().substr(0, rest().find('\n'));
    return trim(line).empty();
  }

  /// Nothing where none begins, or it does not end where a number of seven decimals may.
  std::optional<double> next() {
    if (at_end()) return std::nullopt;
    const char* dot = at_;
    while (dot != end_ && *dot != '.' && !is_blank(*dot) && *dot != '\n') ++dot;
    const char* const widest = end_ - dot > decimals ? dot + 1 + decimals : end_;
    double value = 0.0;
    const char* const stop = scan_short_decimal(at_, widest, value);
    if (stop == nullptr) return std::nullopt;
    ended_short_ = stop != dot + 1 + decimals;
    const bool ends_here = !ended_short_ || stop == end_ || is_blank(*stop) || *stop == '\n';
    if (!ends_here) return std::nullopt;
    at_ = stop;
    return value;
  }

  std::string_view rest() const { return {at_, std::size_t(end_ - at_)}; }
  bool ended_short() const { return ended_short_; }  // the last number has fewer than seven decimals

 private:
  const char* at_;
  const char* end_;
  bool ended_short_ = false;
};

/// The number of atoms in the second line, if it is one: behind it there may be a time, and the temperature
/// or the pH of its replica.
std::optional<std::int64_t> atom_count(std::string_view line) {
  const std::optional<std::int64_t> count = parse_integer<std::int64_t>(take_token(line));
  constexpr int most_others = 3;
  for (int others = 0; others < most_others; ++others) {
    const std::string_view token = take_token(line);
    if (!token.empty() && !parse_number(token)) return std::nullopt;
  }
  return trim(line).empty() ? count : std::nullopt;
}

/// Nothing for numbers that make no cell of a simulation; those of one atom's velocities do not.
std::optional<UnitCell> cell_of(std::span<const double> numbers) {
  CellParameters cell{.lengths_A = {numbers[0], numbers[1], numbers[2]}};
  if (numbers.size() == 6) cell.angles_deg = {numbers[3], numbers[4], numbers[5]};
  constexpr double least_angle_deg = 20.0, largest_angle_deg = 160.0;
  const Vec3<double>& angles = cell.angles_deg;
  for (const double angle_deg : {angles.x, angles.y, angles.z})
    if (!(angle_deg > least_angle_deg && angle_deg < largest_angle_deg)) return std::nullopt;
  return possible_cell(cell, CellKind::simulation);
}

class InpcrdReader {
 public:
  InpcrdReader(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  Coordinates read() {
    LineScanner lines(text_);
    std::string_view title, second;
    if (!lines.next(title) || !lines.next(second))
      fail(path_, ":1: the file ends before its second line, which has the number of atoms; copy it again");
    const std::optional<std::int64_t> atoms = atom_count(second);
    if (!atoms || *atoms < 1)
      fail(path_, ":2: the line ", quote(second),
           " does not begin with the number of atoms, which an AMBER coordinate file has here; write it "
           "again");
    NumberStream numbers(text_.substr(std::size_t(second.data() + second.size() - text_.data())));
    Coordinates coordinates;
    constexpr std::size_t least_bytes = 3;  // of an atom
    coordinates.positions_A.reserve(std::min(std::size_t(*atoms), text_.size() / least_bytes));
    for (std::int64_t i = 0; i < *atoms; ++i)
      coordinates.positions_A.push_back(next_position(numbers, i, *atoms));
    coordinates.cell = read_rest(numbers, *atoms);
    return coordinates;
  }

 private:
  double next(NumberStream& numbers) const {
    const std::optional<double> number = numbers.next();
    if (number) return *number;
    std::string_view rest = numbers.rest();
    rest = rest.substr(0, rest.find('\n'));
    fail_at(numbers,
            quote(take_token(rest)) +
                " is not a number in the format 6F12.7 (asterisks: it was too wide); write the file again");
  }

  Vec3<double> next_position(NumberStream& numbers, std::int64_t index, std::int64_t atoms) const {
    std::array<double, 3> p{};
    for (double& x : p) {
      if (numbers.at_end())
        fail_at(numbers, "the file ends after " + std::to_string(index) + " of its " + std::to_string(atoms) +
                             " atoms; copy it again");
      x = next(numbers);
      if (!(std::abs(x) < largest_coordinate_A))
        fail_at(numbers, "a coordinate before this is too large for an atom; check its unit");
    }
    return {p[0], p[1], p[2]};
  }

  /// Velocities, cell, both, or nothing: how many numbers there are tells.
  std::optional<UnitCell> read_rest(NumberStream& numbers, std::int64_t atoms) const {
    std::array<double, 6> last{};  // a ring
    std::int64_t count = 0;
    if (!numbers.at_line_end())
      fail_at(numbers, "the line continues after the last of " + std::to_string(atoms) +
                           " atoms; is their number in line 2 wrong? write the file again");
    while (!numbers.at_end()) last[std::size_t(count++ % 6)] = next(numbers);
    if (numbers.ended_short() && !line_is_ended()) complain_about_cut(numbers);
    std::rotate(last.begin(), last.begin() + count % 6, last.end());
    const std::span<const double> all(last);
    for (const std::int64_t velocities : {std::int64_t{0}, 3 * atoms}) {
      const std::int64_t size = count - velocities;
      if (size != 3 && size != 6) continue;
      const auto box = all.last(std::size_t(size));
      if (size == 3 && !line_is_ended()) complain_about_cut(numbers);  // it may be half of one of six
      if (const auto cell = cell_of(box)) return cell;
      if (box[0] == 0.0 && box[1] == 0.0 && box[2] == 0.0) return std::nullopt;  // what some write for none
    }
    if (count == 0 || count == 3 * atoms) return std::nullopt;
    fail_at(numbers, "after the coordinates of " + std::to_string(atoms) + " atoms there are " +
                         std::to_string(count) +
                         " numbers, which are neither their velocities nor a cell of 3 or 6; is the file "
                         "truncated, or the number of atoms in line 2 wrong? write it again");
  }

  bool line_is_ended() const { return text_.ends_with('\n') || text_.ends_with('\r'); }

  [[noreturn]] void complain_about_cut(const NumberStream& numbers) const {
    fail_at(numbers,
            "the file ends in the middle of this line; copy it again (or end the line, if it is complete)");
  }

  [[noreturn]] void fail_at(const NumberStream& numbers, const std::string& problem) const {
    const std::string_view rest = numbers.rest();
    std::string_view before = text_.substr(0, text_.size() - rest.size());
    if (rest.empty() && before.ends_with('\n')) before.remove_suffix(1);  // the last line, not one behind it
    fail(path_, ':', 1 + std::count(before.begin(), before.end(), '\n'), ": ", problem);
  }

  std::string_view text_;
  const std::string& path_;
};

}  // namespace

Coordinates read_inpcrd(std::string_view text, const std::string& path) {
  return InpcrdReader(text, path).read();
}

bool is_inpcrd(std::string_view head) {
  LineScanner lines(head);
  std::string_view line;
  if (!lines.next(line) || !lines.next(line) || atom_count(line).value_or(0) < 1 || !lines.next(line))
    return false;
  NumberStream numbers(line);
  int count = 0;
  for (; !numbers.at_end(); ++count)
    if (!numbers.next() || numbers.ended_short()) return false;
  return count == 3 || count == 6;
}

}  // namespace ionwell
