#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/periodic_cell.hpp"
#include "run/average/frame_sums.hpp"
#include "run/ranks/rank_orders.hpp"

namespace ionwell {

/// The charges of frames that are summed together.
struct FrameBatch {
  std::vector<PointCharge> charges;
  std::optional<CellVectors> cell;
};

/// The sums of batches of frames over the ranks of a group, which each take a batch on their processors: the
/// sums, and so all that is made of them in the order of the batches, are those of one process, bit for bit.
/// The first rank's side; others than it have nothing to do where `group` is null.
class SharedFrameSums {
 public:
  /// `plan` is for the CPU where there is a group, and outlives this.
  SharedFrameSums(RankGroup* group, const Plan& plan, const FrameSumOptions& options);

  /// Batches that are best summed together.
  std::size_t at_once() const { return orders_ ? std::size_t(orders_->group().count()) : 1; }

  /// take(number, sum) for each of `batches`, of which there are at_once() at most, in their order. Throws
  /// what FrameSums::of throws, here or on another rank, and what `progress` and `take` do.
  void sum(std::span<const FrameBatch> batches, const Progress& progress,
           const std::function<void(std::size_t number, std::span<const float> sum)>& take);

  const DeviceUse& device_use() const { return own_.device_use(); }

 private:
  FrameSums own_;
  std::size_t points_;  // of the lattice
  std::optional<RankOrders> orders_;
  LargeArray<float> received_;
};

/// What is sent of a batch before its charges.
struct FrameBatchHeader {
  std::optional<CellVectors> cell;
  std::int64_t charges = 0;
};

/// What the other ranks make of make_sums, and sum batches with.
class RankSums {
 public:
  explicit RankSums(MessageReader message);
  RankSums(const RankSums&) = delete;
  RankSums& operator=(const RankSums&) = delete;

  /// Until the next call.
  std::span<const float> of(const FrameBatch& batch) { return sums_.of(batch.charges, batch.cell, {}); }

 private:
  Plan plan_;
  FrameSums sums_;
};

}  // namespace ionwell
