// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <variant>

#include "core/structure.hpp"
#include "electrostatics/multilevel/multilevel_plan.hpp"

/// What the potential of a solute is made of. What is spanned is not copied: it must outlive the field that
/// is filled with it.
namespace ionwell {

/// The sum over charges, pair by pair; O(points * charges).
struct DirectSum {
  std::span<const PointCharge> charges;
};

/// The sum over charges by multilevel summation; O(points + charges). Where an ion can go its error is
/// measured against fp64 sums at sample points, and the search allows for it.
struct MultilevelSum {
  std::span<const PointCharge> charges;
  MultilevelOptions options;
};

/// Where in its own memory a device has one fp64 value for each lattice point, in LatticeGeometry's order.
struct DeviceValues {
  int ordinal;  // of the device, as its backend counts
  const double* values;
};

/// A potential of which several processes have parts: a lattice that they share takes it.
class MapInParts {
 public:
  virtual ~MapInParts() = default;

  /// The values of this process's slab of the lattice, until the next call; each of the others has those of
  /// its own slab then.
  virtual std::span<const double> values_of(const LatticeGeometry& slab) = 0;
};

/// A potential [kT/e] that was computed elsewhere: one fp64 value for each lattice point, in
/// LatticeGeometry's order. NaN, which is where a map does not reach, makes a point unavailable. When an
/// ion's place is decided the values stand for the fp64 sum over charges.
struct ImportedMap {
  std::span<const double> values_kT_e;
  /// A field on that device alone reads these; `values_kT_e` may then be empty.
  std::optional<DeviceValues> on_device = {};
  /// Where it is not null, the values are there alone; it must outlive what is filled with it.
  MapInParts* in_parts = nullptr;
};

using SolutePotential = std::variant<DirectSum, MultilevelSum, ImportedMap>;

/// The charges that the fp64 potential is summed over; none for a map.
std::span<const PointCharge> charges_of(const SolutePotential& potential);

/// The fp64 values that stand for it; none for charges.
std::span<const double> values_of(const SolutePotential& potential);

/// Throws Error for a map of another size than the lattice's, and what multilevel_plan throws for a sum that
/// cannot be done there.
void validate(const SolutePotential& potential, const LatticeGeometry& lattice, const PairPotential& pair);

}  // namespace ionwell
