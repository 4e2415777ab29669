// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/cell_list.hpp"
#include "core/lattice.hpp"
#include "sampling/ion_set.hpp"

/// What is told of the ions of a sample, besides their energy and number.
namespace ionwell {

/// Atoms that radial distributions are taken around.
struct AtomGroup {
  std::string name;
  std::vector<std::uint32_t> atoms;  // numbers
};

struct ObservableOptions {
  std::optional<double> density_spacing_A;  // edge of the cells that ions are counted in; none: no densities
  std::vector<double> within_A;             // distances from the nearest atom of the solute, ascending
  std::vector<AtomGroup> groups;
  double radial_reach_A = 20.0, radial_step_A = 0.25;

  std::int64_t radial_bins() const { return std::int64_t(radial_reach_A / radial_step_A + 0.5); }
};

/// Cells that fill a box: points of the lattice are their middles, their edges at most `spacing_A`. Throws
/// UsageError for a spacing that is not positive or makes more than 2^30 cells.
LatticeGeometry density_cells(const Box& box, double spacing_A);

/// Points and, in a periodic box, their images that an ion in the box may be near to.
class ObservedPoints {
 public:
  ObservedPoints(std::span<const Atom> atoms, std::span<const std::uint32_t> numbers, const IonModel& model,
                 double reach_A);

  /// Calls visit(distance) for each point within the reach.
  template <typename Visit>
  void near(const Vec3<double>& at_A, const Visit& visit) const {
    cells_.near({at_A, at_A}, reach_A_, [&](std::uint32_t n) {
      const double r2_A2 = distance_squared(points_A_[n], at_A);
      if (r2_A2 < reach_A_ * reach_A_) visit(std::sqrt(r2_A2));
    });
  }

 private:
  double reach_A_;
  std::vector<Vec3<double>> points_A_;
  CellList cells_;
};

/// Ions seen in each cell by all replicas: [species][cell]. Several threads may add at a time.
using CellCounts = std::vector<std::vector<std::uint64_t>>;

/// What is measured of every replica alike; read by all of them.
struct Measurements {
  /// The atoms are the solute's; none, where there is no solute.
  Measurements(const IonModel& model, std::span<const Atom> atoms, const ObservableOptions& options);

  const IonModel& model;
  ObservableOptions options;
  std::optional<LatticeGeometry> cells;
  std::optional<ObservedPoints> solute;  // for within_A
  std::vector<ObservedPoints> groups;

  /// None seen; empty where no densities are wanted.
  CellCounts no_counts() const;
};

/// What one replica has seen so far. Sums only grow, so that those of several can be added up.
struct Observed {
  std::int64_t samples = 0;
  std::vector<double> energy_kT;                         // by sample
  std::vector<std::vector<double>> count;                // [species][sample]
  std::vector<std::vector<std::vector<double>>> within;  // [species][distance][sample]
  /// [block][group][species][bin]: pairs of atom and ion seen at bin * step to (bin + 1) * step.
  std::vector<std::vector<std::vector<std::vector<double>>>> radial;
  std::vector<std::int64_t> radial_samples;  // by block

  Observed(const Measurements& measurements, int blocks);

  /// Takes a sample in; `block` is the one that it belongs to.
  void add(const Measurements& measurements, std::span<const MovingIon> ions, double sample_energy_kT,
           int block, CellCounts& cells);

  void save(StateWriter& state) const;
  void restore(StateReader& state);
};

}  // namespace ionwell
