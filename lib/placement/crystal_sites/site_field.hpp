// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "core/device_use.hpp"
#include "placement/crystal_sites/basins.hpp"
#include "placement/crystal_sites/site_energies.hpp"
#include "placement/crystal_sites/site_score.hpp"

namespace ionwell {

/// What a field of a site model is made of. What it refers to must outlive the field.
struct SiteProblem {
  const LatticeGeometry& lattice;
  const SiteModel& model;
  std::span<const SiteAtom> atoms;
  SiteFieldOptions options;
};

/// The points that got a learned score, and F of it.
struct ScoredBasins {
  BasinPoints points;
  bool every_point = false;  // that is available got one
};

/// The energies of a site model around a solute, on the host or on a device. For one thread at a time.
class SiteField {
 public:
  virtual ~SiteField() = default;

  /// The points where F of the terms is lowest, at least `count` of them when so many are available. Throws
  /// what `progress` throws.
  virtual BasinPoints lowest_basins(std::int64_t count, const Progress& progress) = 0;

  /// The same points with F of the learned score in place of -E, other points having no part in it. Throws
  /// what `progress` throws.
  virtual ScoredBasins scored_basins(const SiteScore& score, std::int64_t count,
                                     const Progress& progress) = 0;

  /// Empty on the host.
  virtual std::optional<DeviceUse> device_use() const = 0;
};

/// On the host. Throws what `progress` throws.
std::unique_ptr<SiteField> make_host_site_field(const SiteProblem& problem, const Progress& progress);

}  // namespace ionwell
