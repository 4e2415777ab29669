// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/vec3.hpp"
#include "structures/atom_limits.hpp"

/// Numbers of CHARMM's and NAMD's files that an atom can have, or an Error that says which one cannot be.
namespace ionwell {

inline bool is_possible_position(const Vec3<double>& p) {
  return std::abs(p.x) < largest_coordinate_A && std::abs(p.y) < largest_coordinate_A &&
         std::abs(p.z) < largest_coordinate_A;
}

/// A number of a line of text.
struct NumberInLine {
  const std::string& path;  // for messages
  std::int64_t line;
  std::string_view what;             // "charge"
  std::string_view record, way_out;  // what such a line has to be, and what to do when it is not
  double largest;                    // in magnitude
  std::string_view unit = "";

  /// Throws Error for what is no finite number, or a larger one.
  double read(std::string_view token) const;
};

}  // namespace ionwell
