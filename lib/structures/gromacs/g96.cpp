// SPDX-License-Identifier: BSD-3-Clause
#include "structures/gromacs/g96.hpp"

#include <algorithm>
#include <optional>

#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"
#include "structures/gromacs/frames.hpp"

namespace ionwell {
namespace {

bool is_comment(std::string_view line) {
  return line.starts_with('#');
}

/// Lines of a file from one of them on.
struct Place {
  std::size_t byte = 0;
  std::int64_t line = 0;  // its number
};

class G96Reader final : public FrameReader {
 public:
  G96Reader(std::string_view text, const std::string& path) : path_(path), text_(text) {
    const std::string problem = find_frames();
    if (frames_.empty())
      fail(path_, ": has no complete block POSITION or POSITIONRED", problem, "; copy it again");
    is_cut_ = !problem.empty();
  }

  std::int64_t frames() const override { return std::ssize(frames_); }

  std::vector<std::string> warnings() const override {
    if (!is_cut_) return {};
    return {cut_warning(path_, frames())};
  }

  Coordinates read(std::int64_t index) const override {
    Coordinates result;
    const Frame& frame = frames_[std::size_t(index)];
    read_positions(frame, result);
    if (result.positions_A.empty())
      fail(path_, ':', frame.positions.line, ": the block has no atoms; choose another frame");
    check_positions(result, index, path_);
    if (frame.box) read_box(*frame.box, result);
    return result;
  }

 private:
  struct Frame {
    Place positions;
    bool has_labels;
    std::optional<Place> box;
  };

  /// What is wrong with the last block, where it has no END.
  std::string find_frames() {
    LineScanner lines(text_);
    for (std::string_view line; lines.next(line);) {
      const std::string_view block = trim(line);
      if (block.empty() || is_comment(block)) continue;
      const std::int64_t begin = lines.number();
      Place first;
      do {
        if (!lines.next(line)) return " (that in line " + std::to_string(begin) + " has no END)";
        if (first.line == 0) first = {std::size_t(line.data() - text_.data()), lines.number()};
      } while (trim(line) != "END");
      if (block == "POSITION" || block == "POSITIONRED") frames_.push_back({first, block == "POSITION", {}});
      if (block == "BOX" && !frames_.empty() && !frames_.back().box) frames_.back().box = first;
    }
    return {};
  }

  /// Calls `read` with each line of a block and its number.
  template <typename Read>
  void read_block(const Place& place, const Read& read) const {
    LineScanner lines(text_.substr(place.byte));
    for (std::string_view line; lines.next(line) && trim(line) != "END";)
      if (!line.empty() && !is_comment(line)) read(line, place.line + lines.number() - 1);
  }

  void read_positions(const Frame& frame, Coordinates& result) const {
    // Residue number (5), residue (6), name (6), serial (7); then three numbers of 15 columns.
    constexpr std::size_t label_columns = 24, width = 15;
    read_block(frame.positions, [&](std::string_view line, std::int64_t number) {
      const std::size_t begin = frame.has_labels ? label_columns : 0;
      std::array<double, 3> x;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::string_view field = columns(line, begin + axis * width, width);
        const std::optional<double> value = parse_number(trim(field));
        if (!value || field.size() < width)
          fail(path_, ':', number, ": ", "xyz"[axis], ' ', quote(field),
               " is not a finite number in columns ", begin + axis * width + 1, " to ",
               begin + (axis + 1) * width, "; correct this line");
        x[axis] = nm_A * *value;
      }
      result.positions_A.push_back({x[0], x[1], x[2]});
      if (!frame.has_labels) return;
      const std::string_view residue_number = trim(columns(line, 0, 5));
      const std::optional<int> parsed = parse_integer(residue_number);
      if (!parsed)
        fail(path_, ':', number, ": residue number ", quote(residue_number),
             " is not a whole number; correct this line");
      result.labels.push_back({trim(columns(line, 12, 5)), trim(columns(line, 6, 5)), *parsed});
    });
  }

  void read_box(const Place& place, Coordinates& result) const {
    std::array<double, 9> numbers{};
    std::size_t count = 0;
    read_block(place, [&](std::string_view line, std::int64_t number) {
      for (std::string_view token; !(token = take_token(line)).empty(); ++count) {
        const std::optional<double> value = count < numbers.size() ? parse_number(token) : std::nullopt;
        if (!value)
          fail(path_, ':', number, ": ", quote(token),
               " in the block BOX is not one of its 3 or 9 finite numbers; "
               "correct this line");
        numbers[count] = *value;
      }
    });
    if (count != 3 && count != 9)
      fail(path_, ':', place.line, ": the block BOX has ", count, " numbers, not 3 or 9; correct it");
    result.cell = cell_of_box(numbers);
  }

  const std::string& path_;
  std::string_view text_;
  std::vector<Frame> frames_;
  bool is_cut_ = false;
};

}  // namespace

Coordinates read_g96(std::string_view text, const std::string& path, FrameChoice frame) {
  const G96Reader file(text, path);
  Coordinates result = file.read(chosen_frame(frame, file.frames(), path));
  result.frames = file.frames();
  result.warnings = file.warnings();
  return result;
}

std::unique_ptr<FrameReader> open_g96(std::string_view text, const std::string& path) {
  return std::make_unique<G96Reader>(text, path);
}

bool is_g96(std::string_view head) {
  LineScanner lines(head);
  for (std::string_view line; lines.next(line);) {
    line = trim(line);
    if (line.empty() || is_comment(line)) continue;
    return line == "TITLE" || line == "TIMESTEP" || line == "POSITION" || line == "POSITIONRED";
  }
  return false;
}

}  // namespace ionwell
