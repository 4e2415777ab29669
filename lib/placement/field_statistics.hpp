// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/device_use.hpp"

namespace ionwell {

/// What one of several processes had of a lattice.
struct RankShare {
  int rank = 0;
  std::string host, computed_on;
  std::int64_t planes = 0;  // of points
};

/// What the lazy placement did, for the report and the benchmark.
struct FieldStatistics {
  std::int64_t available_points = 0;  // not excluded by the solute
  std::int64_t blocks = 0;            // blocks with at least one such point
  std::int64_t blocks_updated = 0;    // times a block was brought up to date while looking for a lowest point
  std::int64_t candidates = 0;        // points whose exact potential was asked for
  std::int64_t exact_sums = 0;        // of those, sums over all solute charges that had to be done
  double refinement_s = 0.0;          // time in those sums
  double measured_error_kT_e = 0.0;   // largest |lattice - fp64| at the sample points; multilevel sums only
  DeviceUse device;
  std::vector<RankShare> ranks;  // where several processes shared the lattice

  /// Of another part of the same lattice, at the same time.
  void add_part(const FieldStatistics& other) {
    available_points += other.available_points;
    blocks += other.blocks;
    measured_error_kT_e = std::max(measured_error_kT_e, other.measured_error_kT_e);
    const std::int64_t peak_bytes = device.peak_bytes + other.device.peak_bytes;
    add(other);
    device.peak_bytes = peak_bytes;
  }

  /// Of another field of the same lattice, after this one.
  void add(const FieldStatistics& other) {
    blocks_updated += other.blocks_updated;
    candidates += other.candidates;
    exact_sums += other.exact_sums;
    refinement_s += other.refinement_s;
    device.add(other.device);
  }
};

}  // namespace ionwell
