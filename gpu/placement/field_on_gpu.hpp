// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "gpu/electrostatics/device_sum.hpp"
#include "gpu/lattice/device_store.hpp"
#include "gpu/placement/layout.hpp"
#include "gpu/placement/search.hpp"
#include "gpu/runtime/device_buffer.hpp"
#include "placement/host_field.hpp"
#include "placement/placement_rules.hpp"

/// A field on a GPU. Its parts: field_on_gpu.cu takes the solute's potential and ions in, field_search.cu
/// finds the lowest point. Values and mask are the DeviceStore's.
namespace ionwell::gpu {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Host memory that the device writes to.
class PinnedResult {
 public:
  PinnedResult() {
    check(cudaHostAlloc(reinterpret_cast<void**>(&result_), sizeof(SearchResult), cudaHostAllocMapped),
          "allocating pinned memory");
    std::memset(static_cast<void*>(result_), 0, sizeof(SearchResult));
    check(cudaHostGetDevicePointer(reinterpret_cast<void**>(&device_), result_, 0), "mapping pinned memory");
  }
  ~PinnedResult() { cudaFreeHost(result_); }
  PinnedResult(const PinnedResult&) = delete;
  PinnedResult& operator=(const PinnedResult&) = delete;

  SearchResult* on_device() { return device_; }
  const SearchResult& operator*() const { return *result_; }

 private:
  SearchResult* result_ = nullptr;
  SearchResult* device_ = nullptr;
};

/// What a field on a GPU is filled with, as its lattice sees it.
struct DeviceSolute {
  const SolutePotential& potential;
  const MultilevelPlan* plan;  // of a multilevel sum; may be for a larger lattice
  double clearance_A;          // from any solute charge to any available point
};

/// The potential on a lattice in the memory of the first of `devices`, from the solute's to the last ion's;
/// the others help with the solute's.
class GpuField final : public PotentialField {
 public:
  /// `devices` as CUDA counts. Nothing is computed before `fill`.
  GpuField(std::unique_ptr<DeviceStore> store, const PairPotential& pair, const FieldOptions& options,
           std::vector<int> devices)
      : store_(with_open_scope(std::move(store))),
        stream_(store_->stream()),
        pair_(pair),
        options_(options),
        devices_(std::move(devices)) {
    store_->scope().close();
  }

  ~GpuField() override { store_->scope().open_if_possible(); }

  /// Takes the solute's potential in; once, before anything else.
  void fill(const DeviceSolute& solute, const Progress& progress);

  const LatticeGeometry& lattice() const override { return store_->grid().lattice; }

  std::optional<LowestPoint> lowest_energy_point(double charge_e) override;

  /// The two halves of lowest_energy_point, so that several devices search at a time.
  void start_search(double charge_e);
  std::optional<LowestPoint> finish_search(double charge_e);

  void add_ion(const PointCharge& ion, double distance_A) override;

  void copy_values(std::span<float> values) override;

  std::unique_ptr<MapOnDevice> map_on_device(double factor) override;

  FieldStatistics statistics() const override {
    FieldStatistics result = statistics_;
    result.device = store_->meter()->use();
    return result;
  }

  /// Energies E of an ion that are nearer than this, and 1e-14 |E|, to the lowest may be ties: no smaller
  /// than tie_band_kT.
  double loosest_tie_kT(double charge_e) const;

  double loosest_tie_kT(double charge_e, const LowestPoint& lowest) override {
    if (!options_.refine) return 0.0;
    return loosest_tie_kT(charge_e) + tie_band_kT(1.0, charge_e * lowest.potential_kT_e);
  }
  double exact_tie_kT(double charge_e, std::int64_t index) override {
    return options_.refine ? tie_band_kT(charge_e, magnitude_at(index)) : 0.0;
  }

  /// Sum of the sizes of what the exact potential at a point is made of.
  double magnitude_at(std::int64_t index);

 private:
  static std::unique_ptr<DeviceStore> with_open_scope(std::unique_ptr<DeviceStore> store) {
    store->scope().open_if_possible();
    return store;
  }

  /// What a search needs beside the values.
  void make_search_arrays();

  /// Lists the blocks, and tells the search of them.
  void make_blocks();

  void add_charges(std::span<const PointCharge> charges, const MultilevelPlan* plan,
                   const Progress& progress);
  void add_map(const ImportedMap& map);

  /// Room for one more ion in the device's list, which gets the one that waits outside.
  void make_ion_room();

  /// The newest ion waits for the next search to take it along.
  void upload_ion();

  /// The values have all ions.
  void bring_values_up_to_date();

  /// Everything about ions that other kernels than the search expect to find done.
  void catch_up();

  void prepare_search();

  std::vector<std::uint16_t> available_counts();

  /// For a multilevel sum: the largest |value - exact| at sample points, with room for those not looked at.
  void measure_error_of_solute();

  void launch(double charge_e);
  const SearchResult& await_result();

  /// Replaces near_degenerate blocks' multilevel values by direct sums, whose error is far smaller.
  void sum_directly(std::uint32_t count);

  /// The candidate of lowest exact energy, when there are too many for the search kernel.
  LowestPoint choose(double charge_e, std::uint32_t count);

  static constexpr auto first_member = std::size_t(CubeMember::range_lowest);  // centres are not kept
  static constexpr std::size_t kept_members = std::size_t(kept_bound_members);

  std::unique_ptr<DeviceStore> store_;
  cudaStream_t stream_;  // the store's
  PairPotential pair_;
  FieldOptions options_;
  std::vector<int> devices_;  // as CUDA counts; the field is on the first
  DeviceBuffer<double> imported_;
  DeviceBuffer<PointCharge> charges_;
  std::size_t charge_count_ = 0;
  double solute_size_e_ = 0.0, ions_size_e_ = 0.0;  // sums of the charges' sizes
  DeviceBuffer<PointCharge> ion_charges_;
  DeviceBuffer<double> ion_limits_;
  DeviceBuffer<float> ion_clearances_;
  DeviceBuffer<float> cubes_, bound_, error_;
  DeviceBuffer<std::uint32_t> expanded_, ions_in_, block_of_cube_, bounds_contain_;
  DeviceBuffer<std::uint8_t> direct_;
  DeviceBuffer<std::int32_t> near_degenerate_;
  DeviceBuffer<Candidate> candidates_;
  DeviceBuffer<PartBounds> part_bounds_;
  DeviceBuffer<double> partial_;
  DeviceBuffer<SearchControl> control_;
  PinnedResult result_;
  SearchArrays arrays_{};
  double clearance_A_ = infinity;                          // from any solute charge to any available point
  double ion_clearance_A_ = infinity;                      // from any ion
  std::optional<IonOnDevice> new_ion_;                     // the last of ions_, not in device memory yet
  std::uint32_t ions_ = 0, masked_ = 0;                    // all; those in the mask
  std::array<std::uint32_t, inflation_phases> bounded_{};  // by phase: ions that its bounds contain
  bool is_prepared_ = false;                               // bounds hold, and the search may begin
  std::uint32_t sequence_ = 0;
  FieldStatistics statistics_;
};

}  // namespace ionwell::gpu
