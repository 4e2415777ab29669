// SPDX-License-Identifier: BSD-3-Clause
#include "structures/charmm/namd_binary.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "files/binary_values.hpp"
#include "structures/charmm/possible_values.hpp"

namespace ionwell {
namespace {

constexpr std::size_t count_bytes = sizeof(std::int32_t), atom_bytes = 3 * sizeof(double);

Vec3<double> load_position(const char* at, bool swapped) {
  return {load<double>(at, swapped), load<double>(at + sizeof(double), swapped),
          load<double>(at + 2 * sizeof(double), swapped)};
}

/// Nothing, or as long as something that is there: text and other formats are rarely so as doubles.
bool is_likely(double x_A) {
  constexpr double shortest_A = 1e-30;
  return x_A == 0.0 || (std::abs(x_A) > shortest_A && std::abs(x_A) < largest_coordinate_A);
}

bool can_begin_so(std::string_view head, bool swapped) {
  const std::int64_t count = load<std::int32_t>(head.data(), swapped);
  if (count <= 0 || std::ssize(head) > std::int64_t(count_bytes) + count * std::int64_t(atom_bytes))
    return false;
  bool all_zero = true;
  for (std::size_t at = count_bytes; at + sizeof(double) <= head.size(); at += sizeof(double)) {
    const double x_A = load<double>(head.data() + at, swapped);
    if (!is_likely(x_A)) return false;
    all_zero = all_zero && x_A == 0.0;
  }
  return !all_zero || count == 1;
}

}  // namespace

bool is_namd_binary(std::string_view head) {
  return head.size() >= count_bytes + atom_bytes && (can_begin_so(head, false) || can_begin_so(head, true));
}

Coordinates read_namd_binary(std::string_view bytes, const std::string& path) {
  if (bytes.size() < count_bytes) fail(path, ": ends before its number of atoms; copy it again");
  const std::int64_t there = std::ssize(bytes) - std::int64_t(count_bytes),
                     atoms = there / std::int64_t(atom_bytes);
  const bool swapped = load<std::int32_t>(bytes.data(), false) != atoms;
  const std::int64_t count = load<std::int32_t>(bytes.data(), swapped);
  if (count != atoms || there % std::int64_t(atom_bytes) != 0)
    fail(path, ": is not a complete NAMD binary file (its count is ",
         grouped(load<std::int32_t>(bytes.data(), false)), ", but its length has room for ",
         count_of(atoms, "atom"), "); copy it again");
  if (count == 0) fail(path, ": has no atoms; give a file that has atoms");
  Coordinates coordinates;
  coordinates.positions_A.reserve(std::size_t(count));
  for (std::size_t at = count_bytes; at < bytes.size(); at += atom_bytes) {
    const Vec3<double> position_A = load_position(bytes.data() + at, swapped);
    if (!is_possible_position(position_A))
      fail(path, ": atom ", grouped(std::ssize(coordinates.positions_A) + 1), " is at (", position_A.x, ", ",
           position_A.y, ", ", position_A.z,
           "), which is not a possible position; use coordinates from before the run failed");
    coordinates.positions_A.push_back(position_A);
  }
  return coordinates;
}

}  // namespace ionwell
