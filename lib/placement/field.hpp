// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/geometry/lattice_values.hpp"
#include "core/lattice.hpp"
#include "core/structure.hpp"
#include "electrostatics/solute_potential.hpp"
#include "lattice/map_on_device.hpp"
#include "parallel/progress.hpp"
#include "placement/field_statistics.hpp"

/// A lattice on its way through a run: masked first, then filled with a potential, then ions come. Each step
/// is a type of its own, so that no other order compiles.
namespace ionwell {

/// A lattice point and the potential there.
struct LowestPoint {
  std::int64_t index = 0;
  double potential_kT_e = 0.0;
};

/// The potential [kT/e] on one lattice, kept on the host or on GPUs for the whole run: the solute's, and then
/// that of one ion after the other. Points are numbered as in LatticeGeometry. For one thread at a time.
class PotentialField {
 public:
  virtual ~PotentialField() = default;

  virtual const LatticeGeometry& lattice() const = 0;

  /// The available point where charge_e * V is lowest; of equal values the lowest index. Empty when every
  /// point is excluded. With refinement V is the fp64 sum over all charges and ions, whatever the lattice
  /// rounds. Throws Error for a charge that is 0 or not finite.
  virtual std::optional<LowestPoint> lowest_energy_point(double charge_e) = 0;

  /// Adds the potential of an ion and makes every point unavailable that is nearer to it than `distance_A`
  /// (d^2 < r^2 - 5e-7 A^2). O(1): blocks take the ion in when a search asks for them.
  virtual void add_ion(const PointCharge& ion, double distance_A) = 0;

  /// Writes one value per point to `values`, all ions included; 0 where the field was told not to compute
  /// any. O(points).
  virtual void copy_values(std::span<float> values) = 0;

  std::vector<float> values() {
    std::vector<float> all(static_cast<std::size_t>(lattice().size()));
    copy_values(all);
    return all;
  }

  /// What copy_values gives, of now, to be had part by part where other processes have most of it; null where
  /// this one has all. One at a time; this field must not change while it is used.
  virtual std::unique_ptr<LatticeValues> values_in_parts();

  /// What copy_values gives, times `factor` in double precision, in memory of the device that has the
  /// lattice; null when no single one has it. O(points), and as much memory as a value per point takes.
  /// Throws Error when the device has not that much.
  virtual std::unique_ptr<MapOnDevice> map_on_device(double factor);

  virtual FieldStatistics statistics() const = 0;

  // For a lattice in several fields, of which each found its lowest point.

  /// Energies of an ion of this charge that are nearer than this to that at its lowest point may count as
  /// equal to it: no less than exact_tie_kT. 0 without refinement.
  virtual double loosest_tie_kT(double charge_e, const LowestPoint& lowest);

  /// How near to the energy at a point others count as equal (placement_rules). O(charges).
  virtual double exact_tie_kT(double charge_e, std::int64_t index);
};

/// A lattice without a potential, of which parts can be taken away: where no ion can go none need be
/// computed.
class MaskedLattice {
 public:
  virtual ~MaskedLattice() = default;

  virtual const LatticeGeometry& lattice() const = 0;

  /// Makes every point unavailable whose distance to one of `centres` is at most `distance_A`
  /// (d^2 <= r^2 + 5e-7 A^2 in fp64: coordinates have three decimals, so no rounding decides).
  virtual void exclude(std::span<const Vec3<double>> centres, double distance_A) = 0;

 protected:
  friend std::unique_ptr<PotentialField> fill(std::unique_ptr<MaskedLattice> masked,
                                              const SolutePotential& potential, const Progress& progress);

  /// The field that this lattice becomes, with its memory; nothing is called of this one afterwards.
  virtual std::unique_ptr<PotentialField> fill_with(const SolutePotential& potential,
                                                    const Progress& progress) = 0;
};

/// Computes the solute's potential on `masked`, which is used up. Throws Error for a lattice that was used up
/// before and for a map of another size; UsageError for a multilevel sum that the lattice or the potential
/// does not allow; what `progress` throws.
std::unique_ptr<PotentialField> fill(std::unique_ptr<MaskedLattice> masked, const SolutePotential& potential,
                                     const Progress& progress);

}  // namespace ionwell
