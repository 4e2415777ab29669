// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/lattice/frame_maps_on_device.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "core/error.hpp"
#include "gpu/electrostatics/direct.hpp"
#include "gpu/lattice/linear.hpp"
#include "gpu/runtime/stage_timer.hpp"
#include "parallel/parallel_for.hpp"

namespace ionwell::gpu {
namespace {

/// Of a charge: twice itself, and what sorting takes; of a point of the finest grid, with all coarser ones
/// and what a sum works in; and of what does not depend on either.
constexpr std::int64_t charge_bytes = 2 * sizeof(PointCharge) + 64, grid_point_bytes = 24,
                       fixed_bytes = 200'000'000;

/// Charges that lie at two corners of a box: where a plan's grids are depends on nothing else of them.
std::array<PointCharge, 2> corners(const Box& box) {
  return {PointCharge{box.lowest_A, 0.0}, PointCharge{box.highest_A, 0.0}};
}

bool counts(const PairPotential& pair, const PointCharge& charge) {
  return pair.prefactor * std::abs(charge.charge_e) >= smallest_potential_kT_e;
}

}  // namespace

FrameMapsOnDevice::FrameMapsOnDevice(int device, const FrameMapsOptions& options)
    : scope_(device, device), options_(options), grid_(options.lattice), count_(block_points * grid_.size()) {
  const LatticeGeometry& lattice = options.lattice;
  std::vector<std::int32_t> numbers(std::size_t(grid_.size()));
  std::iota(numbers.begin(), numbers.end(), 0);
  numbers_ = DeviceBuffer<std::int32_t>(numbers, stream_, "the lattice");
  values_ = DeviceBuffer<float>(std::size_t(count_), "the lattice");
  const auto keep = [&](FrameSum which) {
    DeviceBuffer<double>& sum = sums_[std::size_t(which)];
    sum = DeviceBuffer<double>(std::size_t(count_), "sums over frames");
    sum.zero(stream_);
  };
  keep(FrameSum::sum);
  keep(FrameSum::mean_before);
  if (options.has_squares) keep(FrameSum::squares);
  if (options.has_blocks)
    for (const FrameSum which : {FrameSum::block_sum, FrameSum::block_means, FrameSum::block_squares})
      keep(which);
  for (std::optional<Lane>& lane : lanes_) lane.emplace(options.most_charges);
  if (options.multilevel) plan_for({lattice.origin_A, lattice.position_A(lattice.size() - 1)});
  check(cudaStreamSynchronize(stream_), "making room for sums over frames");
  scope_.close();
}

FrameMapsOnDevice::~FrameMapsOnDevice() {
  scope_.open_if_possible();
  cudaStreamSynchronize(copies_);  // an exception may leave copies and sums on their way
  cudaStreamSynchronize(stream_);
}

std::int64_t FrameMapsOnDevice::bytes(const FrameMapsOptions& options) {
  const std::int64_t sums = 2 + options.has_squares + 3 * options.has_blocks,
                     of_point = std::int64_t{sizeof(float)} + sums * std::int64_t{sizeof(double)};
  const std::int64_t grid =
      options.multilevel ? grid_point_bytes * finest_grid(options.lattice, {}, *options.multilevel).size()
                         : 0;
  return block_points * BlockGrid(options.lattice).size() * of_point + options.lattice.size() +
         charge_bytes * options.most_charges + grid + fixed_bytes;
}

FrameSumArrays FrameMapsOnDevice::arrays() {
  FrameSumArrays all{};
  for (std::size_t n = 0; n < all.size(); ++n) all[n] = sums_[n].data();
  return all;
}

void FrameMapsOnDevice::finish(Lane& lane) {
  if (!lane.is_under_way) return;
  lane.end.wait("the potential of a frame");
  lane.is_under_way = false;
  note_stage_time("potential", seconds_between(lane.begin, lane.end));
}

void FrameMapsOnDevice::take(std::span<const PointCharge> charges, const Box& box) {
  if (charges.empty()) return;
  const DeviceScope scope = scope_.enter();
  Lane& lane = *lanes_[current_];
  if (lane.count == 0) {
    finish(lane);
    lane.box = box;
  }
  if (lane.count + std::ssize(charges) > options_.most_charges)
    fail("a frame has more charges than announced: ", charges.size());
  lane.box = extended(extended(lane.box, box.lowest_A), box.highest_A);
  PointCharge* const to = lane.pinned.data() + lane.count;
  std::atomic<bool> all_count{true};
  constexpr std::int64_t chunk = 1 << 15;
  parallel_ranges({options_.threads, chunk}, std::ssize(charges), [&](std::int64_t first, std::int64_t last) {
    bool these = true;
    for (std::int64_t n = first; n < last; ++n) {
      to[n] = charges[std::size_t(n)];
      these = these && counts(options_.pair, to[n]);
    }
    if (!these) all_count = false;
  });
  if (all_count) {
    lane.count += std::ssize(charges);
    return;
  }
  for (const PointCharge& charge : charges)
    if (counts(options_.pair, charge)) lane.pinned.data()[lane.count++] = charge;
}

void FrameMapsOnDevice::plan_for(const Box& box) {
  const LatticeGeometry& lattice = grid_.lattice;
  const LatticeGeometry finest = finest_grid(lattice, corners(box), *options_.multilevel);
  if (multilevel_ && finest == multilevel_grid_) return;
  check(cudaStreamSynchronize(stream_), "the potential of a frame");  // its grids are freed now
  multilevel_.reset();
  multilevel_.emplace(lattice, multilevel_plan(lattice, corners(box), options_.pair, *options_.multilevel),
                      options_.most_charges, true, stream_);
  multilevel_grid_ = finest;
}

void FrameMapsOnDevice::add_map() {
  Lane& lane = *lanes_[current_];
  if (lane.count == 0) return;  // a map of zeros
  const DeviceScope scope = scope_.enter();
  if (options_.multilevel) plan_for(lane.box);
  const std::size_t charges = std::size_t(lane.count);
  lane.charges.copy_from({lane.pinned.data(), charges}, copies_);
  lane.arrived.record(copies_);
  lane.arrived.hold(stream_);
  lane.begin.record(stream_);
  values_.zero(stream_);
  const DeviceBlocks blocks{grid_.lattice, numbers_.data(), grid_.size(), values_.data()};
  if (multilevel_) {
    multilevel_->set_charges({lane.charges.data(), charges}, nullptr);
    multilevel_->add_to(blocks, stream_, nullptr);
  } else {
    add_direct(blocks, nullptr, blocks.count, lane.charges.data(), lane.count, options_.pair,
               direct_parts(blocks.count, lane.count), stream_);
  }
  add_map_to_sums(values_.data(), count_, arrays(), stream_);
  lane.end.record(stream_);
  lane.is_under_way = true;
  lane.count = 0;
  current_ = 1 - current_;
}

void FrameMapsOnDevice::end_block(std::int64_t frames) {
  const DeviceScope scope = scope_.enter();
  end_block_of_sums(count_, frames, arrays(), stream_);
}

FrameMaps::SquaredDifference FrameMapsOnDevice::note_mean(std::int64_t frames,
                                                          std::span<const std::uint8_t> points) {
  const DeviceScope scope = scope_.enter();
  if (watched_.size() != points.size())
    watched_ = DeviceBuffer<std::uint8_t>(points, stream_, "the points to compare means at");
  return difference_of_means(grid_.lattice, frames, watched_.data(), arrays(), stream_);
}

void FrameMapsOnDevice::copy_to(FrameSum which, std::span<double> values) {
  const DeviceScope scope = scope_.enter();
  for (std::optional<Lane>& lane : lanes_) finish(*lane);
  const double* const sum = sums_[std::size_t(which)].data();
  if (sum == nullptr) fail("a sum over frames that was not kept cannot be copied");
  copy_linear(grid_.lattice, sum, nullptr, values, stream_);
}

void FrameMapsOnDevice::copy_from(FrameSum which, std::span<const double> values) {
  const DeviceScope scope = scope_.enter();
  double* const sum = sums_[std::size_t(which)].data();
  if (sum == nullptr) fail("a sum over frames that was not kept cannot be copied");
  copy_from_linear(grid_.lattice, values, sum, stream_);
}

}  // namespace ionwell::gpu
