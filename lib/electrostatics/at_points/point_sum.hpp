// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/state/work_saving.hpp"
#include "core/structure.hpp"
#include "electrostatics/at_points/charge_partition.hpp"
#include "electrostatics/at_points/point_method.hpp"
#include "electrostatics/multilevel/multilevel_plan.hpp"
#include "electrostatics/simd/simd_level.hpp"
#include "parallel/progress.hpp"

namespace ionwell {

struct PointSumOptions {
  PointMethod method = PointMethod::automatic;
  /// Of an approximation at the samples: root mean square of the differences from exact sums, over that of
  /// the potential (no unit). Settings that miss it are replaced by finer ones.
  double error = 1e-3;
  std::optional<PartitionOptions> partition;    // given: these thresholds, whatever the error
  std::optional<MultilevelOptions> multilevel;  // given: this set, whatever the error
  SimdLevel simd = SimdLevel::automatic;
  int threads = 1;
};

/// An approximation against fp64 sums at sample points. Points within 1 A of a charge are no samples: what is
/// so near is summed pair by pair by every method.
struct SampledError {
  int samples = 0;
  double rms = 0.0, largest = 0.0;  // of the differences, in units of potential_rms_kT_e: no unit
  double potential_rms_kT_e = 0.0;  // root mean square of the potential at the samples
};

struct PointSum {
  std::vector<double> potential_kT_e;
  PointMethod method = PointMethod::direct;     // that was used
  std::optional<PartitionOptions> partition;    // of hcp
  std::optional<MultilevelOptions> multilevel;  // of multilevel
  std::optional<SampledError> error;            // of an approximation; none when no point is a sample
  bool is_exact = false;                        // every pair in fp64
};

/// Throws UsageError for an error that is none, or smaller than fp32 sums can be (1e-6); and for thresholds
/// that are none.
void validate(const PointSumOptions& options);

/// The potential [kT/e] at scattered points of charges that stand alone. A point on top of a charge gets the
/// potential 1e-3 A from it. Throws UsageError when a method that is requested cannot have the error, and
/// Error when it has not the memory; `automatic` takes another one then. Throws what `progress` throws, and
/// DamagedState for an invalid saved sum.
PointSum sum_at_points(const SoluteParts& solute, std::span<const Vec3<double>> points_A,
                       const PairPotential& pair, const PointSumOptions& options, const Progress& progress,
                       const WorkSaving& saving = {});

/// Whether a state has a sum of sum_at_points in it.
bool has_point_sum(const SavedState& state);

}  // namespace ionwell
