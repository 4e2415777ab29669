// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "electrostatics/at_points/device_points.hpp"
#include "gpu/electrostatics/at_points/point_kernels.hpp"
#include "gpu/runtime/device_scope.hpp"
#include "gpu/runtime/stream.hpp"

namespace ionwell::gpu {

/// Charges on one device, and the memory for as many points as go through it together.
class PointsOnDevice final : public DevicePoints {
 public:
  /// `device` as CUDA counts, of whose memory so much may be used. Throws Error when it has not that for the
  /// charges.
  PointsOnDevice(int device, std::int64_t memory_bytes, std::span<const PointCharge> charges,
                 const PairPotential& pair);
  ~PointsOnDevice() override;
  PointsOnDevice(const PointsOnDevice&) = delete;
  PointsOnDevice& operator=(const PointsOnDevice&) = delete;

  Exact exact(std::span<const Vec3<double>> points_A) override;
  void direct(std::span<const Vec3<double>> points_A, std::span<double> values_kT_e,
              const Progress& progress) override;
  void multilevel(const MultilevelOptions& options, std::span<const Vec3<double>> points_A,
                  std::span<double> values_kT_e, const Progress& progress) override;
  DeviceUse use() const override { return scope_.meter()->use(); }

 private:
  /// Points that go through the device together.
  struct Room {
    SortedPoints points;
    DeviceBuffer<double> values, work;  // `work`: of the sum

    Room(std::int64_t most_points, std::int64_t work_size)
        : points(most_points),
          values(std::size_t(most_points), "the points"),
          work(std::size_t(work_size), "the points") {}
  };

  /// A multilevel sum, and what it was made for.
  struct Levels {
    LatticeGeometry lattice;
    MultilevelOptions options;
    DeviceMultilevel sum;

    Levels(const LatticeGeometry& over, const MultilevelOptions& set, const PairPotential& pair,
           std::int64_t charges, cudaStream_t stream);
    bool is_for(const LatticeGeometry& other, const MultilevelOptions& set) const;
  };

  /// Makes room for some of `points` in what `other_bytes` leave, at most `most` of them; returns for how
  /// many.
  std::int64_t make_room(std::int64_t points, std::int64_t most, std::int64_t other_bytes);

  /// Lets `points_A` go through the device, at_once of them at a time, and calls sum() for each part.
  template <typename Sum>
  void pass(std::span<const Vec3<double>> points_A, std::int64_t at_once, const Box& box,
            std::span<double> values_kT_e, const Progress& progress, const Sum& sum);

  FieldScope scope_;
  std::int64_t memory_bytes_;
  PairPotential pair_;
  Stream stream_;
  DeviceBuffer<PointCharge> charges_;
  std::optional<Box> charges_box_;  // none without charges
  std::optional<Levels> levels_;
  std::optional<Room> room_;
  std::int64_t room_points_ = 0;
};

}  // namespace ionwell::gpu
