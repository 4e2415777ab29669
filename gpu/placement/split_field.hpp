// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "gpu/placement/field_on_gpu.hpp"

namespace ionwell::gpu {

/// A lattice that several GPUs hold together, each a slab of it across z. Each knows all charges and ions, so
/// that its exact sums are those of one GPU with the whole lattice; the lowest point is the lowest of theirs.
class SplitField final : public PotentialField {
 public:
  struct Slab {
    std::unique_ptr<GpuField> field;
    std::int64_t first_index;  // of its points in the lattice
  };

  /// `slabs` of `lattice`, in its order.
  SplitField(const LatticeGeometry& lattice, bool refine, std::vector<Slab> slabs)
      : lattice_(lattice), refine_(refine), slabs_(std::move(slabs)) {}

  /// Takes the solute's potential in, all slabs at a time; a map's values are those of the whole lattice.
  void fill(const DeviceSolute& solute, const Progress& progress);

  const LatticeGeometry& lattice() const override { return lattice_; }

  std::optional<LowestPoint> lowest_energy_point(double charge_e) override;

  void add_ion(const PointCharge& ion, double distance_A) override;

  void copy_values(std::span<float> values) override;

  FieldStatistics statistics() const override;

  double loosest_tie_kT(double charge_e, const LowestPoint& point) override;
  double exact_tie_kT(double charge_e, std::int64_t index) override;

 private:
  /// The slab's part of values in the order of the lattice.
  template <typename T>
  static std::span<T> part_of(std::span<T> values, const Slab& slab) {
    return values.subspan(std::size_t(slab.first_index), std::size_t(slab.field->lattice().size()));
  }

  const Slab& slab_at(std::int64_t index) const;

  LatticeGeometry lattice_;
  bool refine_;
  std::vector<Slab> slabs_;
};

}  // namespace ionwell::gpu
