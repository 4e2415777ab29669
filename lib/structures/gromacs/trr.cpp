// SPDX-License-Identifier: BSD-3-Clause
#include "structures/gromacs/trr.hpp"

#include <algorithm>
#include <optional>

#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/text/note.hpp"
#include "structures/gromacs/frames.hpp"
#include "structures/gromacs/xdr.hpp"

namespace ionwell {
namespace {

constexpr std::string_view mark{"\0\0\7\xC9\0\0\0\xD\0\0\0\xCGMX_trn_file",
                                24};  // 1993, and the name of the format

struct Frame {
  std::int64_t atoms = 0;
  bool is_double = false;
  std::string_view box, positions;  // empty where the frame has none
};

/// Moves behind a frame; nothing where there is no complete one.
std::optional<Frame> take_frame(XdrScanner& scanner) {
  constexpr std::uint64_t numbers_bytes = 4 * 13;
  if (!scanner.has(mark.size() + numbers_bytes) || scanner.take_bytes(mark.size()) != mark) return {};
  std::array<std::int64_t, 10> sizes{};  // of the parts, in their order
  for (std::int64_t& size : sizes) size = scanner.take<std::int32_t>();
  const auto& [input, energies, box, virial, pressure, topology, symbols, positions, velocities, forces] =
      sizes;
  Frame frame{.atoms = scanner.take<std::int32_t>()};
  scanner.take_bytes(8);  // step, number of energies
  if (frame.atoms < 0 || std::any_of(sizes.begin(), sizes.end(), [](std::int64_t size) { return size < 0; }))
    return {};
  // The size of a number shows in each part.
  const std::int64_t part = box != 0 ? box : std::max({positions, velocities, forces});
  const std::int64_t numbers = box != 0 ? 9 : 3 * frame.atoms;
  frame.is_double = part == numbers * std::int64_t(sizeof(double));
  const std::int64_t number_bytes = frame.is_double ? sizeof(double) : sizeof(float);
  const auto is_whole = [&](std::int64_t size) {
    return size == 0 || size == 3 * frame.atoms * number_bytes;
  };
  if (part != numbers * number_bytes || !is_whole(positions) || !is_whole(velocities) || !is_whole(forces))
    return {};
  std::uint64_t bytes = 2 * std::uint64_t(number_bytes);  // time, lambda
  for (const std::int64_t size : sizes) bytes += std::uint64_t(size);
  if (!scanner.has(bytes)) return {};
  scanner.take_bytes(std::uint64_t(2 * number_bytes + input + energies));
  frame.box = scanner.take_bytes(std::uint64_t(box));
  scanner.take_bytes(std::uint64_t(virial + pressure + topology + symbols));
  frame.positions = scanner.take_bytes(std::uint64_t(positions));
  scanner.take_bytes(std::uint64_t(velocities + forces));
  return frame;
}

Vec3<double> take_vector(XdrScanner& scanner, bool is_double) {
  Vec3<double> v;
  for (double* x : {&v.x, &v.y, &v.z})
    *x = is_double ? scanner.take<double>() : double(scanner.take<float>());
  return v;
}

class TrrFile final : public FrameReader {
 public:
  TrrFile(std::string_view bytes, const std::string& path) : path_(path) {
    XdrScanner scanner(bytes);
    while (scanner.rest() > 0 && !is_cut_) {
      const std::optional<Frame> frame = take_frame(scanner);
      is_cut_ = !frame;
      if (frame && !frame->positions.empty()) frames_.push_back(*frame);
      if (frame && frame->positions.empty()) ++without_positions_;
    }
    if (frames_.empty())
      fail(path,
           ": has no complete TRR frame with positions; copy it again, or run again with nstxout greater "
           "than 0");
  }

  std::int64_t frames() const override { return std::ssize(frames_); }

  std::vector<std::string> warnings() const override {
    std::vector<std::string> warnings;
    if (is_cut_) warnings.push_back(cut_warning(path_, frames()));
    if (without_positions_ > 0)
      warnings.push_back(note(path_ + ": " + count_of(without_positions_, "frame") +
                              " without positions skipped; the others are counted without them"));
    return warnings;
  }

  Coordinates read(std::int64_t index) const override {
    const Frame& frame = frames_[std::size_t(index)];
    Coordinates result;
    result.positions_A.reserve(std::size_t(frame.atoms));
    XdrScanner positions(frame.positions);
    while (positions.rest() > 0) result.positions_A.push_back(nm_A * take_vector(positions, frame.is_double));
    check_positions(result, index, path_);
    if (!frame.box.empty()) {
      XdrScanner box(frame.box);
      std::array<Vec3<double>, 3> vectors_nm;
      for (Vec3<double>& vector : vectors_nm) vector = take_vector(box, frame.is_double);
      result.cell = cell_of_box(vectors_nm);
    }
    return result;
  }

 private:
  const std::string& path_;
  std::vector<Frame> frames_;  // that have positions
  std::int64_t without_positions_ = 0;
  bool is_cut_ = false;
};

}  // namespace

std::unique_ptr<FrameReader> open_trr(std::string_view bytes, const std::string& path) {
  return std::make_unique<TrrFile>(bytes, path);
}

Coordinates read_trr(std::string_view bytes, const std::string& path, FrameChoice choice) {
  const TrrFile file(bytes, path);
  Coordinates result = file.read(chosen_frame(choice, file.frames(), path));
  result.frames = file.frames();
  result.warnings = file.warnings();
  return result;
}

bool is_trr(std::string_view head) {
  return head.starts_with(mark);
}

}  // namespace ionwell
