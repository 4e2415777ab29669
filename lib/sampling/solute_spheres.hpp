// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/cell_grid.hpp"
#include "core/structure.hpp"
#include "sampling/ion_model.hpp"

namespace ionwell {

/// A solute's atoms as spheres that keep ions out, with those of their images that reach into a periodic box.
/// Each cell of a grid has the atoms that may act on an ion in it. Reading it from several threads is safe.
class SoluteSpheres {
 public:
  /// `largest_ion_A` is the radius of the largest ion that will come. O(atoms), some 40 numbers for each.
  SoluteSpheres(std::span<const Atom> atoms, const Box& box, SampleBoundary boundary, Repulsion repulsion,
                double largest_ion_A);

  struct Sphere {
    Vec3<double> centre_A;
    double radius_A;
  };

  const CellGrid& grid() const { return grid_; }

  /// The spheres of each cell of the grid, one after the other: those of cell c are from first()[c] to
  /// first()[c + 1] - 1 of numbers(), by their place in spheres(). Without spheres they are empty.
  std::span<const std::uint32_t> first() const { return first_; }
  std::span<const std::uint32_t> numbers() const { return numbers_; }
  std::span<const Sphere> spheres() const { return spheres_; }

  /// Of an ion of this radius: its repulsion [kT], overlap_kT or more where hard spheres overlap.
  double energy_kT(const Vec3<double>& at_A, double radius_A) const;

  /// The same of soft spheres, and the force on it [kT/A] added to `force`.
  double add_force(const Vec3<double>& at_A, double radius_A, Vec3<double>& force_kT_A) const;

 private:
  std::span<const std::uint32_t> near(const Vec3<double>& at_A) const;

  Repulsion repulsion_;
  std::vector<Sphere> spheres_;
  CellGrid grid_;
  std::vector<std::uint32_t> first_, numbers_;  // by cell
};

}  // namespace ionwell
