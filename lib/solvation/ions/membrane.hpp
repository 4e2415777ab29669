// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/periodic_cell.hpp"
#include "core/structure.hpp"
#include "solvation/ions/salt.hpp"

namespace ionwell {

/// A bilayer across a cell, in the plane of its vectors a and b. Heights are along the normal of that plane,
/// from the middle of the lipids, the nearest image.
class Membrane {
 public:
  /// The height of a position, in [-half, half) of the cell's width along the normal [A].
  double height_A(const Vec3<double>& position_A) const;

  /// Whether it is between the planes through the phosphorus atoms of the two leaflets: among the tails, the
  /// head groups from the phosphorus inwards, or in a pore.
  bool is_inside(const Vec3<double>& position_A) const {
    const double height = height_A(position_A);
    return height > lower_A_ && height < upper_A_;
  }

  /// Which side of the middle a position is on.
  Compartment side(const Vec3<double>& position_A) const {
    return height_A(position_A) < 0.0 ? Compartment::below : Compartment::above;
  }

  double lower_A() const { return lower_A_; }
  double upper_A() const { return upper_A_; }

 private:
  friend std::optional<Membrane> find_membrane(std::span<const Atom>, const PeriodicCell&);

  Vec3<double> normal_;  // reciprocal vector of c
  double width_A_ = 0.0, middle_ = 0.0, lower_A_ = 0.0, upper_A_ = 0.0;
};

/// The bilayer that the lipids of a structure form: none without lipids, and none when they do not lie in a
/// slab with water on both sides (micelles, vesicles, several membranes). Leaflets are found by the
/// phosphorus atoms, of lipids without any by their oxygens. O(atoms).
std::optional<Membrane> find_membrane(std::span<const Atom> atoms, const PeriodicCell& cell);

/// The carbons of lipids, of which every membrane's inside has about 30 within 6 A of each of its points (27
/// to 30 A^3 a methylene group), and its surface half as many.
std::vector<Vec3<double>> lipid_carbons(std::span<const Atom> atoms);

/// A point with so many carbons of lipids within this distance is among their tails, whatever the membrane's
/// shape.
constexpr double tail_distance_A = 6.0;
constexpr int tail_carbons = 20;

}  // namespace ionwell
