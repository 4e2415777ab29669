#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/cell_list.hpp"
#include "core/periodic_cell.hpp"
#include "core/structure.hpp"

namespace ionwell {

/// How near to the solute a water may be, by its oxygen.
struct OverlapRule {
  /// A water overlaps with an atom when its oxygen is nearer than scale * (atom's radius + oxygen_A). Radii
  /// are those of assign_radii: Bondi's by element, ionic ones (Shannon) for ions of one atom.
  // Chosen so that the water that is missing has the solute's partial volume: at 0.60 a capsid and a channel
  // protein take 0.72 and 0.74 cm^3/g (proteins in solution: 0.73), RNA 0.57 (0.55), and less than that of
  // the cell's volume changes at constant pressure.
  double scale = 0.60;
  double oxygen_A = 1.50;
};

/// What lies around a place where a water could be.
enum class Place {
  far,         // no solute atom within some 10 A
  outer,       // none within some 5 A
  near,        // some, but the water has room
  occupied,    // by the solute or by a water of the input
  among_tails  // of lipids
};

/// The solute and its images as a water in the cell sees them. Reading it from several threads is safe.
///
/// A place is among tails when at least 10 carbons of lipid tails are within 6 A of it and no nitrogen,
/// oxygen or phosphorus of the solute is within 3.5 A: the carbons of a flat layer's surface are fewer, its
/// middle has 30, and pores and head groups have polar atoms. Tails are the carbons of lipids that have no
/// such atom as their neighbour; a residue of an unknown name is a lipid when it has 16 carbons or more, and
/// three or more for each polar atom.
class SoluteSurroundings {
 public:
  /// For waters in the cell and up to `beyond_A` outside of its faces. O(atoms).
  SoluteSurroundings(std::span<const Atom> solute, const PeriodicCell& cell, const OverlapRule& rule,
                     double beyond_A);

  Place place_of(const Vec3<double>& oxygen_A) const;

  /// Whether all of the box is far from the solute.
  bool is_far(const Box& box) const;

 private:
  enum class Nearness : std::uint8_t { far, outer, near };

  bool is_among_tails(const Vec3<double>& oxygen_A) const;

  std::vector<Vec3<double>> positions_A_;
  std::vector<float> least_A_;  // of each image: distance to a water's oxygen
  std::vector<std::uint8_t> polar_, tail_;
  bool has_tails_ = false;
  double reach_A_ = 0.0;  // the largest of least_A_
  std::optional<CellList> list_;
  std::vector<Nearness> nearness_;  // of each cell of the list
};

}  // namespace ionwell
