#pragma once

#include <memory>
#include <vector>

#include "gpu/placement/field_on_gpu.hpp"

namespace ionwell::gpu {

/// A lattice that several GPUs hold together, each a slab of it across z. Each knows all charges and ions, so
/// that its exact sums are those of one GPU with the whole lattice; the lowest point is the lowest of theirs.
class SplitField final : public PotentialField {
 public:
  /// `planes`: of blocks along z that each of `devices` gets; they add up to the lattice's.
  SplitField(const LatticeGeometry& lattice, const PairPotential& pair, const FieldOptions& options,
             std::span<const int> devices, std::span<const std::int64_t> planes);

  const LatticeGeometry& lattice() const override { return lattice_; }

  void exclude(std::span<const Vec3<double>> centres, double distance_A) override;

  void add_direct(std::span<const PointCharge> charges, const Progress& progress) override;

  void add_multilevel(std::span<const PointCharge> charges, const MultilevelOptions& options,
                      const Progress& progress) override;

  void assign(std::span<const double> values) override;

  std::optional<LowestPoint> lowest_energy_point(double charge_e) override;

  void add_ion(const PointCharge& ion, double distance_A) override;

  void copy_values(std::span<float> values) override;

  FieldStatistics statistics() const override;

 private:
  struct Slab {
    std::unique_ptr<GpuField> field;
    std::int64_t first_index;  // of its points in the lattice
  };

  /// The slab's part of values in the order of the lattice.
  template <typename T>
  static std::span<T> part_of(std::span<T> values, const Slab& slab) {
    return values.subspan(std::size_t(slab.first_index), std::size_t(slab.field->lattice().size()));
  }

  /// Calls add(field, progress) for all slabs at a time.
  template <typename Add>
  void add(const Progress& progress, const Add& add);

  LatticeGeometry lattice_;
  PairPotential pair_;
  bool refine_;
  std::vector<Slab> slabs_;
};

}  // namespace ionwell::gpu
