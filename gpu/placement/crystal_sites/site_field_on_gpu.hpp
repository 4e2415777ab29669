// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "gpu/lattice/device_store.hpp"
#include "gpu/placement/crystal_sites/site_work.hpp"
#include "placement/crystal_sites/site_field.hpp"

namespace ionwell::gpu {

/// A site model's energies on one device.
class DeviceSiteField final : public SiteField {
 public:
  /// `device` as CUDA counts. Nothing is computed before `fill`.
  DeviceSiteField(int device, const SiteProblem& problem)
      : model_(problem.model), store_(problem.lattice, false, device, device) {}
  ~DeviceSiteField() override { store_.scope().open_if_possible(); }

  /// Computes the energies; once, before anything else.
  void fill(const SiteProblem& problem, const Progress& progress);

  BasinPoints lowest_basins(std::int64_t count, const Progress& progress) override;
  ScoredBasins scored_basins(const SiteScore& score, std::int64_t count, const Progress& progress) override;
  std::optional<DeviceUse> device_use() const override { return store_.meter()->use(); }

 private:
  /// Leaves the points that are neither too near to a heavy atom nor too far from all.
  void choose_points(std::span<const SiteAtom> atoms);

  void add_potential(const SiteProblem& problem);

  /// Of the terms.
  ChosenPoints choose(std::int64_t count);

  SiteModel model_;
  DeviceStore store_;
  std::optional<DeviceSiteAtoms> atoms_;  // none when there is no atom
  std::optional<DenseWeights> weights_;   // none when there is no point
};

}  // namespace ionwell::gpu
