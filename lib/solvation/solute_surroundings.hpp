// SPDX-License-Identifier: BSD-3-Clause
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
  /// A water overlaps with an atom when its oxygen is nearer than scale * (atom's radius + oxygen_A), or
  /// nucleic_acid_scale in its place for N, O and P of nucleic acids. Radii are those of assign_radii:
  /// Bondi's by element, ionic ones (Shannon) for ions of one atom.
  // Chosen so that the water that is missing has the partial volume of the solute. At 0.60 a capsid and a
  // channel protein take 0.72 and 0.74 cm^3/g (proteins in solution: 0.73). The counter-ions of a nucleic
  // acid replace waters of 18 cm^3/mol, but Na+ adds -7 cm^3/mol (Millero, Chem. Rev. 71:147, 1971); water at
  // the nucleic acid makes up for the difference. At 0.40 RNA takes 0.50 cm^3/g, and 0.52 with a water's
  // volume for each Na+ (in solution 0.53 to 0.55). At 0.60 it would take 0.58, and the volume of a
  // riboswitch's box would fall by 1.6 % at constant pressure.
  double scale = 0.60, nucleic_acid_scale = 0.40;
  double oxygen_A = 1.50;
};

/// An atom of the solute, or of one of its images, as a water meets it.
struct SoluteSphere {
  Vec3<double> position_A;
  float radius_A = 0.0f;  // 0: without mass, which is in no water's way
  float shell_A = 0.0f;   // of a metal ion: distance to the oxygens of its first shell; otherwise 0
  float least_A = 0.0f;   // of the rule: distance to a water's oxygen
  bool is_polar = false, is_tail = false;
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

  /// All atoms and images, in no order of theirs.
  std::span<const SoluteSphere> spheres() const { return spheres_; }

  /// Calls visit(sphere) for all of them within `distance_A`, and some others.
  template <typename Visit>
  void near(const Vec3<double>& p, double distance_A, const Visit& visit) const {
    if (!list_) return;
    list_->near_ranges({p, p}, distance_A, [&](std::size_t first, std::size_t last) {
      for (std::size_t n = first; n < last; ++n) visit(spheres_[n]);
    });
  }

  /// Whether all of the box is far from the solute.
  bool is_far(const Box& box) const;

 private:
  enum class Nearness : std::uint8_t { far, outer, near };

  bool is_among_tails(const Vec3<double>& oxygen_A) const;

  std::vector<SoluteSphere> spheres_;  // in the order of the list
  bool has_tails_ = false;
  double reach_A_ = 0.0;  // the largest of least_A
  std::optional<CellList> list_;
  std::vector<Nearness> nearness_;  // of each cell of the list
};

}  // namespace ionwell
