// SPDX-License-Identifier: BSD-3-Clause
#include "structures/gromacs/xtc.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/error.hpp"
#include "structures/gromacs/frames.hpp"
#include "structures/gromacs/packed_coordinates.hpp"
#include "structures/gromacs/xdr.hpp"

namespace ionwell {
namespace {

constexpr std::int32_t magic = 1995, long_magic = 2023;  // the latter has 64 bits for the length of the bits
constexpr std::int64_t most_unpacked_atoms = 9;          // frames of so few hold plain numbers

struct Frame {
  std::int64_t atoms = 0;
  std::array<Vec3<double>, 3> box_nm;
  double precision = 0.0;  // steps in a nm; where the coordinates are packed
  PackedCoordinates packed;
  std::string_view numbers;  // where they are not
};

Vec3<double> take_vector(XdrScanner& scanner) {
  Vec3<double> v;
  for (double* x : {&v.x, &v.y, &v.z}) *x = scanner.take<float>();
  return v;
}

/// Moves behind a frame; nothing where there is no complete one.
std::optional<Frame> take_frame(XdrScanner& scanner) {
  // Magic number, atoms, step, time, nine numbers of the box, atoms once more.
  constexpr std::uint64_t header_bytes = 4 * 14, packed_header_bytes = 4 * 8;
  if (!scanner.has(header_bytes)) return {};
  Frame frame;
  const auto kind = scanner.take<std::int32_t>();
  frame.atoms = scanner.take<std::int32_t>();
  scanner.take_bytes(8);
  for (Vec3<double>& vector : frame.box_nm) vector = take_vector(scanner);
  if ((kind != magic && kind != long_magic) || frame.atoms < 0 || scanner.take<std::int32_t>() != frame.atoms)
    return {};
  if (frame.atoms <= most_unpacked_atoms) {
    const std::uint64_t bytes = std::uint64_t(frame.atoms) * 3 * sizeof(float);
    if (!scanner.has(bytes)) return {};
    frame.numbers = scanner.take_bytes(bytes);
    return frame;
  }
  const std::uint64_t length_bytes = kind == long_magic ? 8 : 4;
  if (!scanner.has(packed_header_bytes + length_bytes)) return {};
  frame.precision = scanner.take<float>();
  frame.packed.atoms = frame.atoms;
  for (std::int64_t& lowest : frame.packed.lowest) lowest = scanner.take<std::int32_t>();
  for (std::int64_t& highest : frame.packed.highest) highest = scanner.take<std::int32_t>();
  frame.packed.small_index = scanner.take<std::int32_t>();
  const std::int64_t length =
      kind == long_magic ? scanner.take<std::int64_t>() : std::int64_t(scanner.take<std::int32_t>());
  if (length < 0 || !scanner.has(std::uint64_t(length))) return {};
  frame.packed.bits = scanner.take_bytes(std::uint64_t(length));
  const std::uint64_t padding = (4 - std::uint64_t(length) % 4) % 4;
  if (!scanner.has(padding)) return {};
  scanner.take_bytes(padding);
  return frame;
}

std::vector<Vec3<double>> positions_A(const Frame& frame) {
  std::vector<Vec3<double>> positions;
  positions.reserve(std::size_t(frame.numbers.size() / (3 * sizeof(float))));
  XdrScanner numbers(frame.numbers);
  while (numbers.rest() > 0) positions.push_back(nm_A * take_vector(numbers));
  if (frame.atoms <= most_unpacked_atoms || !(frame.precision > 0.0) || !std::isfinite(frame.precision))
    return positions;
  const auto scaled = [&](std::int64_t steps) { return double(steps) * nm_A / frame.precision; };
  const std::vector<Vec3<std::int64_t>> steps = unpack_coordinates(frame.packed);
  positions.reserve(steps.size());
  for (const Vec3<std::int64_t>& p : steps) positions.push_back({scaled(p.x), scaled(p.y), scaled(p.z)});
  return positions;
}

class XtcFile final : public FrameReader {
 public:
  XtcFile(std::string_view bytes, const std::string& path) : bytes_(bytes), path_(path) {
    XdrScanner scanner(bytes);
    for (std::size_t at = 0; scanner.rest() > 0 && take_frame(scanner); at = scanner.position())
      starts_.push_back(at);
    if (starts_.empty())
      fail(path, ": has no complete XTC frame at its beginning; copy it again, or run again");
    XdrScanner last(bytes, starts_.back());
    take_frame(last);
    is_cut_ = last.rest() > 0;
  }

  std::int64_t frames() const override { return std::ssize(starts_); }

  std::vector<std::string> warnings() const override {
    if (!is_cut_) return {};
    return {cut_warning(path_, frames())};
  }

  Coordinates read(std::int64_t index) const override {
    XdrScanner chosen(bytes_, starts_[std::size_t(index)]);
    const std::optional<Frame> frame = take_frame(chosen);
    Coordinates result;
    result.positions_A = positions_A(*frame);
    if (std::ssize(result.positions_A) != frame->atoms || frame->atoms == 0)
      fail(path_, ": frame ", index + 1,
           frame->atoms == 0 ? " has no atoms" : " is damaged (its compressed coordinates are invalid)",
           "; choose another, or copy the file again");
    check_positions(result, index, path_);
    result.cell = cell_of_box(frame->box_nm);
    return result;
  }

 private:
  std::string_view bytes_;
  const std::string& path_;
  std::vector<std::size_t> starts_;  // of the frames
  bool is_cut_ = false;
};

}  // namespace

std::unique_ptr<FrameReader> open_xtc(std::string_view bytes, const std::string& path) {
  return std::make_unique<XtcFile>(bytes, path);
}

Coordinates read_xtc(std::string_view bytes, const std::string& path, FrameChoice choice) {
  const XtcFile file(bytes, path);
  Coordinates result = file.read(chosen_frame(choice, file.frames(), path));
  result.frames = file.frames();
  result.warnings = file.warnings();
  return result;
}

bool is_xtc(std::string_view head) {
  constexpr std::uint64_t header_bytes = 4 * 14, count_at = 4 * 13;
  XdrScanner scanner(head);
  if (!scanner.has(header_bytes)) return false;
  const auto kind = scanner.take<std::int32_t>(), atoms = scanner.take<std::int32_t>();
  return (kind == magic || kind == long_magic) && XdrScanner(head, count_at).take<std::int32_t>() == atoms;
}

}  // namespace ionwell
