// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <span>
#include <vector>

#include "core/cell_grid.hpp"
#include "gpu/electrostatics/device_blocks.hpp"
#include "gpu/runtime/device_buffer.hpp"
#include "placement/crystal_sites/site_model.hpp"
#include "placement/crystal_sites/site_score.hpp"

/// The steps of a site model on a device, for DeviceSiteField. They return before the device is done unless
/// they say otherwise.
namespace ionwell::gpu {

/// Atoms by cells, as kernels see them.
struct SiteCells {
  CellGrid grid;
  const std::uint32_t* start;  // of each cell among the atoms, and the end of the last
  const Vec3<double>* positions_A;
  const float* charges_e;
  const std::uint8_t* kinds;  // SiteAtomClass
};

/// Atoms in device memory, in the order of their numbers within a cell.
class DeviceSiteAtoms {
 public:
  /// At least one.
  DeviceSiteAtoms(std::span<const SiteAtom> atoms, cudaStream_t stream);

  SiteCells cells() const {
    return {grid_, start_.data(), positions_A_.data(), charges_e_.data(), kinds_.data()};
  }

 private:
  CellGrid grid_;
  DeviceBuffer<std::uint32_t> start_;
  DeviceBuffer<Vec3<double>> positions_A_;
  DeviceBuffer<float> charges_e_;
  DeviceBuffer<std::uint8_t> kinds_;
};

/// Takes the points of `beyond` away from `words`: masks of so many words.
void take_away(std::uint64_t* words, const std::uint64_t* beyond, std::int64_t count, cudaStream_t stream);

/// values = charge * values + the model's terms.
void add_site_terms(const DeviceBlocks& blocks, const SiteModel& model, const SiteCells& atoms,
                    cudaStream_t stream);

/// A number for each point of a lattice, x fastest, and room for another.
struct DenseWeights {
  LatticeGeometry lattice;
  DeviceBuffer<float> values, other;

  explicit DenseWeights(const LatticeGeometry& lattice);
};

/// values = exp(-E) where `mask` has a point and E is known, as blocks; otherwise 0. Energies count as -80 to
/// 80.
void set_boltzmann(DenseWeights& weights, const DeviceBlocks& blocks, const std::uint64_t* mask,
                   cudaStream_t stream);

/// values = G * values, G the Gaussian of lowest_basins (placement/crystal_sites/basins).
void smooth(DenseWeights& weights, double width_A, cudaStream_t stream);

/// Chosen points of a lattice in blocks: where each is among the values (its slot times block_points, and its
/// number in the block), in rising order, and what it weighs.
struct ChosenPoints {
  DeviceBuffer<std::int64_t> places;
  DeviceBuffer<float> weights;
  float least = 0.0f;  // all available points of this weight or more are there; 0: all there are

  std::int64_t size() const { return std::int64_t(places.size()); }
};

/// The available points of largest weight, at least `count` of them when so many weigh more than 0. Waits for
/// the device.
ChosenPoints choose_largest(const DenseWeights& weights, const DeviceBlocks& blocks,
                            const std::uint64_t* mask, std::int64_t count, cudaStream_t stream);

/// Weights of all points are 0 but for these, whose score there is.
void set_scores(DenseWeights& weights, const ChosenPoints& points, const DeviceBlocks& blocks,
                const DeviceBuffer<float>& minus_log_odds, cudaStream_t stream);

/// What the chosen points weigh now.
void get_weights(const DenseWeights& weights, ChosenPoints& points, const DeviceBlocks& blocks,
                 cudaStream_t stream);

/// Chosen points by index, for the host. Waits for the device.
BasinPoints to_basins(const ChosenPoints& points, const DeviceBlocks& blocks, cudaStream_t stream);

/// A learned score and what it needs, in device memory.
class DeviceSiteScore {
 public:
  DeviceSiteScore(const SiteScore& score, cudaStream_t stream);

  /// Minus the log-odds of chosen points, whose weights are of the terms.
  DeviceBuffer<float> of(const ChosenPoints& points, const DeviceBlocks& blocks, const SiteCells& atoms,
                         cudaStream_t stream) const;

 private:
  double baseline_;
  int trees_;
  DeviceBuffer<float> by_class_, of_charges_;  // SiteTables
  DeviceBuffer<std::uint32_t> first_branch_, first_leaf_, right_;
  DeviceBuffer<std::int32_t> features_;
  DeviceBuffer<float> thresholds_;
  DeviceBuffer<double> leaves_;
};

}  // namespace ionwell::gpu
