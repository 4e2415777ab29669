// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/host_device.hpp"

namespace ionwell {

/// How the points of one axis become those of the next coarser lattice: every second one stays, and the last
/// one always, so that boundaries coincide for any number of points; or all stay, where the spacing is
/// already larger than along other axes. The last interval of a coarse lattice may be shorter than the rest.
struct AxisCoarsening {
  int fine = 0;
  int coarse = 0;
  bool halved = false;
  float last_weight = 0.0f;  // of the last inner coarse point, for the fine point behind it

  /// The fine point that coarse point `i` is.
  IONWELL_HD int fine_of(int i) const { return !halved ? i : i == coarse - 1 ? fine - 1 : 2 * i; }

  /// Weight with which the fine point after (that of one index more than) coarse point `i` belongs to it;
  /// the one before has `low_weight`.
  IONWELL_HD float high_weight(int i) const { return !halved ? 0.0f : i == coarse - 2 ? last_weight : 0.5f; }
  IONWELL_HD float low_weight() const { return halved ? 0.5f : 0.0f; }

  /// The coarse point at or before fine point `i`, which is not the last.
  IONWELL_HD int coarse_below(int i) const { return halved ? i / 2 : i; }

  /// Whether fine point `i`, which is not the last, lies between coarse points.
  IONWELL_HD bool between(int i) const { return halved && i % 2 == 1; }
};

/// The fine points of an axis that a coarse one collects: their weights, one index before `middle`, there and
/// one after. Zero where a point does not belong to it.
struct CollectedPoints {
  int middle = 0;
  float weight[3] = {};
};

IONWELL_HD inline CollectedPoints collected_by(const AxisCoarsening& axis, int i) {
  return {axis.fine_of(i), {axis.low_weight(), 1.0f, axis.high_weight(i)}};
}

/// One point, by itself.
IONWELL_HD inline CollectedPoints only_point(int at) {
  return {at, {0.0f, 1.0f, 0.0f}};
}

/// Whether the coarse interval after coarse point `i` is made of two fine ones.
IONWELL_HD inline bool is_double_interval(const AxisCoarsening& axis, int i) {
  return axis.fine_of(i + 1) - axis.fine_of(i) == 2;
}

}  // namespace ionwell
