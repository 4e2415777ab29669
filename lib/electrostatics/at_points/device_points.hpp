// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "core/device_use.hpp"
#include "electrostatics/at_points/point_sum.hpp"

namespace ionwell {

/// Charges that a device keeps, and sums at scattered points. For one thread at a time.
class DevicePoints {
 public:
  virtual ~DevicePoints() = default;

  /// The potential [kT/e] in fp64 at some points, and how far the nearest charge is from each.
  struct Exact {
    std::vector<double> potential_kT_e, nearest_A;
  };
  virtual Exact exact(std::span<const Vec3<double>> points_A) = 0;

  /// values[n] = direct sum [kT/e] at point n: terms in fp32, summed as BatchKernels do. Throws Error when
  /// the device fails or has not the memory, and what `progress` throws; so does `multilevel`.
  virtual void direct(std::span<const Vec3<double>> points_A, std::span<double> values_kT_e,
                      const Progress& progress) = 0;

  /// values[n] = multilevel sum [kT/e] at point n.
  virtual void multilevel(const MultilevelOptions& options, std::span<const Vec3<double>> points_A,
                          std::span<double> values_kT_e, const Progress& progress) = 0;

  /// So far. Stages: "potential", and "copies" of points and values.
  virtual DeviceUse use() const = 0;
};

/// How fast a device sums at scattered points.
struct DevicePointRates {
  double direct_pairs_per_s;
  double multilevel_start_s;       // plan and coarse grids
  double multilevel_charge_s;      // for each charge
  double multilevel_point_s;       // for each point
  double multilevel_grid_point_s;  // for each point of the finest grid
};

/// sum_at_points by a device that has the charges, `charge_count` of them: directly or by multilevel
/// summation, whichever is the faster at these rates; the error is measured in the same way. Throws
/// UsageError for charge partitioning, and what sum_at_points throws.
PointSum sum_at_points(DevicePoints& device, std::span<const PointCharge> charges,
                       std::span<const Vec3<double>> points_A, const PointSumOptions& options,
                       const DevicePointRates& rates, const Progress& progress);

}  // namespace ionwell
