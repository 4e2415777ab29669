// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ionwell::test {

/// A DCD trajectory of these frames [A] as CHARMM writes it; a Point has x, y and z. `cell_A` are the edges
/// of a rectangular cell, of each frame, if there is one. Coordinates are rounded to single precision.
template <typename Point>
std::string dcd_bytes(const std::vector<std::vector<Point>>& frames,
                      const std::optional<Point>& cell_A = {}) {
  std::string bytes;
  const auto raw = [](const auto& value) {
    return std::string(reinterpret_cast<const char*>(&value), sizeof value);
  };
  const auto record = [&](const std::string& content) {
    const std::string mark = raw(std::uint32_t(content.size()));
    bytes += mark + content + mark;
  };
  std::array<std::int32_t, 20> control{};
  control[0] = std::int32_t(frames.size());
  control[10] = cell_A.has_value();
  control[19] = 24;
  record("CORD" + raw(control));
  record(raw(std::int32_t{1}) + std::string(80, '*'));
  record(raw(std::int32_t(frames.front().size())));
  for (const std::vector<Point>& frame : frames) {
    if (cell_A) record(raw(std::array<double, 6>{cell_A->x, 90, cell_A->y, 90, 90, cell_A->z}));
    for (const auto axis : {&Point::x, &Point::y, &Point::z}) {
      std::string column;
      for (const Point& p : frame) column += raw(float(p.*axis));
      record(column);
    }
  }
  return bytes;
}

}  // namespace ionwell::test
