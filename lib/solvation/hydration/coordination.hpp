// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/vec3.hpp"

namespace ionwell {

/// How water stands around an ion.
struct Coordination {
  std::string_view element;  // upper case, as in columns 77-78 of a PDB file
  double charge_e = 0.0;
  int usual = 6;            // waters of the first shell
  double distance_A = 0.0;  // from the ion to their oxygens, whatever their number
};

constexpr int most_coordinated = 9;  // neighbours that a shell can have

/// Of Mg2+, Ca2+, Zn2+, Na+ and K+; nullptr for other elements. The distance is that of the hexahydrate's
/// crystals for Mg2+; for the others the ionic radius with that many neighbours and 1.36 A for the oxygen of
/// water, that of O2- with three neighbours (R. D. Shannon, Acta Cryst. A32:751, 1976, table 1).
const Coordination* coordination_of(std::string_view element);

/// The distance from an ion of this metal to the oxygens of its first shell: as above where it is known
/// there, for others the ionic radius with six neighbours and 1.36 A, at the lower charge of those that are
/// usual. Nothing for elements that are not metals.
std::optional<double> first_shell_A(std::string_view element);

/// Directions of `count` neighbours, 1 to most_coordinated, that repel each other least: unit vectors, points
/// of lowest sum of 1/r on a sphere. 2 to 6: line, triangle, tetrahedron, triangular bipyramid, octahedron;
/// 7: pentagonal bipyramid, 8: square antiprism, 9: tricapped triangular prism. Each is within 1e-9 of a
/// minimum.
std::vector<Vec3<double>> least_repulsion(int count);

/// What --hydrate asks for: NAME or NAME:N.
struct HydrationRequest {
  std::string name;  // as given
  const Coordination* ion = nullptr;
  int neighbours = 0;  // waters, or acceptors of the solute in their places
};

/// Throws UsageError for an ion that no shell is known of, and for a number out of range.
HydrationRequest parse_hydration_request(const std::string& text);

}  // namespace ionwell
