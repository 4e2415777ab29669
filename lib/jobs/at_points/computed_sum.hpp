// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <string>

#include "compute/backend.hpp"
#include "core/device_use.hpp"
#include "core/state/work_saving.hpp"
#include "electrostatics/at_points/point_sum.hpp"

namespace ionwell {

/// A sum at scattered points, and where it was computed.
struct ComputedSum {
  PointSum sum;
  Backend backend = Backend::cpu;
  std::string device;            // name of the GPU; empty for the CPU
  std::optional<DeviceUse> use;  // of it
  double start_up_s = 0.0;       // that starting it took
  std::string note;              // why no GPU is used, though one was not ruled out; may be empty
  std::string warning;           // of one that failed; may be empty
};

/// Throws UsageError for a way of summing that is the CPU's alone where a device is requested.
void check_backend(const PointSumOptions& options, Backend backend);

/// sum_at_points on the CPU, where it can be saved, or on the first of the devices that are requested when
/// that is likely to be faster, its start included; what a device fails to do is computed on the CPU, and so
/// is a saved sum. Throws what check_backend, choose_backend and sum_at_points throw.
ComputedSum computed_sum(const SoluteParts& solute, std::span<const Vec3<double>> points_A,
                         const PairPotential& pair, const PointSumOptions& options,
                         const BackendOptions& backend, const Backends& backends, const Progress& progress,
                         const WorkSaving& saving = {});

}  // namespace ionwell
