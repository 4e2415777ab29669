// SPDX-License-Identifier: BSD-3-Clause
#include "structures/charmm/dcd.hpp"

#include <array>
#include <optional>
#include <vector>

#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/text/lines.hpp"
#include "core/text/note.hpp"
#include "files/binary_values.hpp"
#include "structures/charmm/dcd_cell.hpp"
#include "structures/charmm/possible_values.hpp"

namespace ionwell {
namespace {

constexpr std::size_t word_bytes = 4;     // of an integer or a coordinate
constexpr std::size_t header_bytes = 84;  // CORD and 20 integers
constexpr std::size_t cell_bytes = 6 * sizeof(double);

/// How Fortran's records are marked: their length before and behind.
struct RecordMarks {
  std::size_t bytes;
  bool swapped;

  std::uint64_t load_length(const char* at) const {
    return bytes == sizeof(std::uint32_t) ? load<std::uint32_t>(at, swapped)
                                          : load<std::uint64_t>(at, swapped);
  }
};

/// The marks around the header, which says what it is; nothing where it is none.
std::optional<RecordMarks> find_marks(std::string_view head) {
  for (const RecordMarks marks :
       {RecordMarks{4, false}, RecordMarks{4, true}, RecordMarks{8, false}, {8, true}}) {
    if (head.size() < marks.bytes + word_bytes || marks.load_length(head.data()) != header_bytes) continue;
    const std::string_view what = head.substr(marks.bytes, word_bytes);
    if (what == "CORD" || what == "VELD") return marks;
  }
  return {};
}

/// A DCD whose header and titles have been read.
class DcdFile final : public FrameReader {
 public:
  DcdFile(std::string_view bytes, const std::string& path) : bytes_(bytes), path_(path) {
    const std::optional<RecordMarks> marks = find_marks(bytes);
    if (!marks) fail(path_, ": is not a DCD trajectory (it does not begin with the record CORD); give one");
    marks_ = *marks;
    read_header();
    find_frames();
  }

  std::int64_t frames() const override { return frames_; }

  std::vector<std::string> warnings() const override {
    std::vector<std::string> warnings;
    if (is_cut_)
      warnings.push_back(path_ + ": the file ends in the middle of frame " + std::to_string(frames_ + 1) +
                         ", which is left out");
    if (announced_frames_ > 0 && announced_frames_ != frames_)
      warnings.push_back(note(path_ + ": contains " + count_of(frames_, "frame") +
                              ", but its header states " + grouped(announced_frames_) +
                              "; the frames in the file were used"));
    return warnings;
  }

  Coordinates read(std::int64_t number) const override { return read_into({}, number); }

  Coordinates read_into(Coordinates&& room, std::int64_t number) const override {
    Coordinates coordinates;
    coordinates.positions_A = std::move(room.positions_A);
    coordinates.positions_A.resize(std::size_t(atoms_));
    if (number > 0 && !free_.empty()) read_frame(0, coordinates);
    read_frame(number, coordinates);
    return coordinates;
  }

 private:
  /// The record at `at`, which moves behind it; nothing where the file ends before or the marks differ.
  std::optional<std::string_view> find_record(std::size_t& at) const {
    const std::size_t left = bytes_.size() - at;
    if (left < 2 * marks_.bytes) return {};
    const std::uint64_t length = marks_.load_length(bytes_.data() + at);
    if (length > left - 2 * marks_.bytes) return {};
    const std::size_t begin = at + marks_.bytes, end = begin + std::size_t(length);
    if (marks_.load_length(bytes_.data() + end) != length) return {};
    at = end + marks_.bytes;
    return bytes_.substr(begin, std::size_t(length));
  }

  std::string_view take_header_record(std::size_t& at, std::string_view what) const {
    const std::optional<std::string_view> record = find_record(at);
    if (!record) fail(path_, ": ", what, " is damaged, or the file ends there; copy it again");
    return *record;
  }

  /// Moves behind the title, which says nothing here. Some programs write a wrong length around it, or lines
  /// that are not as many as they say: then the number of atoms behind it shows where it ends.
  void skip_title(std::size_t& at) const {
    const auto is_before_count = [this](std::size_t place) {
      const std::optional<std::string_view> count = find_record(place);
      return count && count->size() == word_bytes;
    };
    std::size_t behind = at;
    if (find_record(behind) && is_before_count(behind)) {
      at = behind;
      return;
    }
    constexpr std::size_t line_bytes = 80, most_lines = 1000;
    for (std::size_t lines = 0; lines <= most_lines; ++lines) {
      behind = at + 2 * marks_.bytes + word_bytes + lines * line_bytes;
      if (behind > bytes_.size()) break;
      if (!is_before_count(behind)) continue;
      at = behind;
      return;
    }
    take_header_record(at, "its title");
  }

  std::string_view take_frame_record(std::size_t& at, std::size_t bytes, std::int64_t frame) const {
    const std::optional<std::string_view> record = find_record(at);
    if (!record || record->size() != bytes)
      fail(path_, ": frame ", frame + 1, " is damaged (it has no record of ", bytes,
           " bytes where its header states one); copy the file again, or choose an earlier frame");
    return *record;
  }

  std::int64_t load_integer(std::string_view record, std::size_t index) const {
    return load<std::int32_t>(record.data() + index * word_bytes, marks_.swapped);
  }

  void read_header() {
    std::size_t at = 0;
    const std::string_view header = take_header_record(at, "its header");
    if (header.starts_with("VELD"))
      fail(path_, ": contains velocities, not coordinates; give the trajectory of coordinates");
    // Counted from 1 behind CORD, as in CHARMM's ICNTRL.
    announced_frames_ = load_integer(header, 1);
    const std::int64_t fixed = load_integer(header, 9);
    const bool is_charmm = load_integer(header, 20) != 0;  // X-PLOR has a time step of 8 bytes and no flags
    has_cell_ = is_charmm && load_integer(header, 11) != 0;
    has_fourth_dimension_ = is_charmm && load_integer(header, 12) == 1;
    has_charges_ = is_charmm && load_integer(header, 13) == 1;
    skip_title(at);
    const std::string_view count = take_header_record(at, "its number of atoms");
    atoms_ = count.size() == word_bytes ? load_integer(count, 0) : 0;
    if (atoms_ <= 0) fail(path_, ": its number of atoms is damaged; copy it again");
    if (fixed < 0 || fixed >= atoms_)
      fail(path_, ": its header states that ", grouped(fixed), " of ", count_of(atoms_, "atom"),
           " are fixed, which cannot be; copy it again");
    if (fixed > 0) read_free_atoms(take_header_record(at, "its list of free atoms"), atoms_ - fixed);
    first_ = at;
  }

  void read_free_atoms(std::string_view list, std::int64_t count) {
    if (std::int64_t(list.size() / word_bytes) != count)
      fail(path_, ": its list of free atoms does not have the ", grouped(count),
           " that its header states; copy it again");
    free_.reserve(std::size_t(count));
    for (std::size_t i = 0; i < std::size_t(count); ++i) {
      const std::int64_t number = load_integer(list, i);
      if (number < 1 || number > atoms_)
        fail(path_, ": its list of free atoms names atom ", number, " of ", grouped(atoms_),
             "; copy it again");
      free_.push_back(std::size_t(number - 1));
    }
  }

  std::size_t coordinate_bytes(bool is_first) const {
    return word_bytes * (is_first || free_.empty() ? std::size_t(atoms_) : free_.size());
  }

  std::size_t frame_bytes(bool is_first) const {
    const std::size_t marks = 2 * marks_.bytes, coordinates = marks + coordinate_bytes(is_first);
    return (has_cell_ ? marks + cell_bytes : 0) + (has_fourth_dimension_ ? 4 : 3) * coordinates +
           (has_charges_ ? marks + word_bytes * std::size_t(atoms_) : 0);
  }

  /// The length of its first record says whether a frame begins with a cell, whatever the header does; where
  /// twelve atoms make that unsure, the header.
  void find_frames() {
    std::size_t at = first_;
    const std::optional<std::string_view> record = find_record(at);
    if (record && record->size() != (has_cell_ ? cell_bytes : coordinate_bytes(true)))
      has_cell_ = record->size() == cell_bytes;
    const std::size_t there = bytes_.size() - first_, later = frame_bytes(false);
    if (!record || there < frame_bytes(true))
      fail(path_, ": has no complete frame of its ", count_of(atoms_, "atom"), "; copy it again");
    frames_ = 1 + std::int64_t((there - frame_bytes(true)) / later);
    is_cut_ = (there - frame_bytes(true)) % later != 0;
  }

  void read_frame(std::int64_t number, Coordinates& coordinates) const {
    const bool is_first = number == 0;
    std::size_t at =
        is_first ? first_ : first_ + frame_bytes(true) + std::size_t(number - 1) * frame_bytes(false);
    if (has_cell_) {
      const std::string_view cell = take_frame_record(at, cell_bytes, number);
      DcdCell numbers{};
      for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = load<double>(cell.data() + i * sizeof(double), marks_.swapped);
      coordinates.cell = cell_of_dcd(numbers);
    }
    std::array<std::string_view, 3> axes;
    for (std::string_view& axis : axes) axis = take_frame_record(at, coordinate_bytes(is_first), number);
    const bool is_whole = is_first || free_.empty();
    if (is_whole && !marks_.swapped && take_possible(axes, coordinates.positions_A)) return;
    for (std::size_t i = 0; i < axes[0].size() / word_bytes; ++i) {
      const auto along = [&](std::size_t axis) {
        return double(load<float>(axes[axis].data() + i * word_bytes, marks_.swapped));
      };
      const std::size_t atom = is_whole ? i : free_[i];
      Vec3<double>& position_A = coordinates.positions_A[atom];
      position_A = {along(0), along(1), along(2)};
      if (!is_possible_position(position_A))
        fail(path_, ": frame ", number + 1, " has atom ", grouped(std::int64_t(atom) + 1), " at (",
             position_A.x, ", ", position_A.y, ", ", position_A.z,
             "), which is not a possible position; choose a frame before the run failed");
    }
  }

  /// The positions of all atoms, where all are possible.
  static bool take_possible(const std::array<std::string_view, 3>& axes,
                            std::vector<Vec3<double>>& positions_A) {
    bool all = true;
    for (std::size_t i = 0; i < positions_A.size(); ++i) {
      const auto along = [&](std::size_t axis) {
        return double(load<float>(axes[axis].data() + i * word_bytes, false));
      };
      positions_A[i] = {along(0), along(1), along(2)};
      all = is_possible_position(positions_A[i]) && all;
    }
    return all;
  }

  std::string_view bytes_;
  const std::string& path_;
  RecordMarks marks_{};
  std::int64_t announced_frames_ = 0, atoms_ = 0, frames_ = 0;
  bool has_cell_ = false, has_fourth_dimension_ = false, has_charges_ = false, is_cut_ = false;
  std::vector<std::size_t> free_;  // numbers of the free atoms, where some are fixed: later frames have these
  std::size_t first_ = 0;          // where the first frame begins
};

}  // namespace

std::unique_ptr<FrameReader> open_dcd(std::string_view bytes, const std::string& path) {
  return std::make_unique<DcdFile>(bytes, path);
}

bool is_dcd(std::string_view head) {
  return find_marks(head).has_value();
}

Coordinates read_dcd(std::string_view bytes, const std::string& path, FrameChoice frame) {
  const DcdFile file(bytes, path);
  const std::int64_t number = frame.number > 0 ? frame.number - 1 : file.frames() + frame.number;
  if (frame.number == 0 || number < 0 || number >= file.frames())
    fail(path, ": frame ", frame.number, " is not among its ", count_of(file.frames(), "frame"),
         "; count frames from 1, or backwards from -1, the last");
  Coordinates coordinates = file.read(number);
  coordinates.frames = file.frames();
  coordinates.warnings = file.warnings();
  return coordinates;
}

}  // namespace ionwell
