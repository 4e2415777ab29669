// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/electrostatics/at_points/points_on_device.hpp"

#include <algorithm>
#include <array>

#include "core/available_memory.hpp"
#include "core/error.hpp"
#include "electrostatics/at_points/multilevel_at_points.hpp"
#include "gpu/electrostatics/device_sum.hpp"
#include "gpu/runtime/gpu_numbers.hpp"
#include "gpu/runtime/stage_timer.hpp"

namespace ionwell::gpu {
namespace {

constexpr std::int64_t fewest_points = 1 << 12;  // that are worth going through a device
/// Of a point: where it is and its place, its value and what a sum works with.
constexpr std::int64_t point_bytes = SortedPoints::bytes_per_point + 2 * std::int64_t{sizeof(double)};
/// Partial sums of few points, and the cells of all.
constexpr std::int64_t fixed_point_bytes = 64'000'000;
/// Of a charge while it is sorted, and of a point of the finest grid with all coarser ones and what a sum
/// works in.
constexpr std::int64_t sorted_charge_bytes = 64, grid_point_bytes = 24, small_grids_bytes = 8'000'000;

Box box_of_points(std::span<const Vec3<double>> points_A, const std::optional<Box>& more) {
  Box box = more.value_or(Box{points_A.front(), points_A.front()});
  for (const Vec3<double>& p : points_A) box = extended(box, p);
  return box;
}

LatticeGeometry lattice_over(const Box& box, double spacing_A) {
  return lattice_around(std::array{box.lowest_A, box.highest_A}, spacing_A);
}

}  // namespace

PointsOnDevice::PointsOnDevice(int device, std::int64_t memory_bytes, std::span<const PointCharge> charges,
                               const PairPotential& pair)
    : scope_(device, device), memory_bytes_(memory_bytes), pair_(pair) {
  const std::vector<PointCharge> kept = counted(pair, charges);
  charges_ = DeviceBuffer<PointCharge>(kept, stream_, "the charges");
  for (const PointCharge& q : kept)
    charges_box_ = charges_box_ ? extended(*charges_box_, q.position_A) : Box{q.position_A, q.position_A};
  check(cudaStreamSynchronize(stream_), "copying the charges");
  scope_.close();
}

PointsOnDevice::~PointsOnDevice() {
  scope_.open_if_possible();
}

DevicePoints::Exact PointsOnDevice::exact(std::span<const Vec3<double>> points_A) {
  const DeviceScope scope = scope_.enter();
  ExactSums sums = exact_at_points(points_A, charges_.data(), std::int64_t(charges_.size()), pair_, stream_);
  return {std::move(sums.potential_kT_e), std::move(sums.nearest_A)};
}

std::int64_t PointsOnDevice::make_room(std::int64_t points, std::int64_t most, std::int64_t other_bytes) {
  const std::int64_t charges = std::int64_t(charges_.size());
  const std::int64_t used = charges * std::int64_t{sizeof(PointCharge)} + fixed_point_bytes + other_bytes;
  const std::int64_t fitting = (memory_bytes_ - used) / point_bytes;
  const std::int64_t wanted = std::min(points, most);
  if (fitting < std::min(wanted, fewest_points))
    fail("the sum of ", charges, " charges at points needs ",
         describe_bytes(used + point_bytes * std::min(wanted, fewest_points)), " of GPU memory, and GPU ",
         number_of(scope_.device()), " has ", describe_bytes(memory_bytes_),
         " free or allowed; use --method direct, another device (--devices) or --backend cpu");
  const std::int64_t at_once = std::min(wanted, fitting);
  if (room_ && room_points_ == at_once) return at_once;
  room_.reset();
  room_.emplace(at_once, most_partial_sums(at_once, charges));  // no fewer than points
  room_points_ = at_once;
  return at_once;
}

template <typename Sum>
void PointsOnDevice::pass(std::span<const Vec3<double>> points_A, std::int64_t at_once, const Box& box,
                          std::span<double> values_kT_e, const Progress& progress, const Sum& sum) {
  for (std::size_t first = 0; first < points_A.size(); first += std::size_t(at_once)) {
    if (progress) progress(double(first) / double(points_A.size()));
    const std::size_t count = std::min(std::size_t(at_once), points_A.size() - first);
    StageTimer arriving("copies", stream_);
    room_->points.upload(points_A.subspan(first, count), stream_);
    arriving.stop();
    StageTimer summing("potential", stream_);
    room_->points.sort(box, stream_);
    sum();
    summing.stop();
    StageTimer leaving("copies", stream_);
    room_->values.copy_to(values_kT_e.subspan(first, count), stream_);
    leaving.stop();
  }
  if (progress) progress(1.0);
}

void PointsOnDevice::direct(std::span<const Vec3<double>> points_A, std::span<double> values_kT_e,
                            const Progress& progress) {
  if (points_A.empty()) return;
  const DeviceScope scope = scope_.enter();
  levels_.reset();
  const std::int64_t charges = std::int64_t(charges_.size());
  constexpr std::int64_t pairs_at_once = 1'000'000'000'000;  // about half a second (H200)
  const std::int64_t most = std::max(pairs_at_once / std::max<std::int64_t>(charges, 1), fewest_points);
  const std::int64_t at_once = make_room(std::ssize(points_A), most, 0);
  pass(points_A, at_once, box_of_points(points_A, {}), values_kT_e, progress, [&] {
    direct_at_points(room_->points, charges_.data(), charges, pair_, room_->work.data(), room_->values.data(),
                     stream_);
  });
}

PointsOnDevice::Levels::Levels(const LatticeGeometry& over, const MultilevelOptions& set,
                               const PairPotential& pair, std::int64_t charges, cudaStream_t stream)
    : lattice(over),
      options(set),
      sum(lattice, multilevel_plan(lattice, {}, pair, set), charges, true, stream) {}

bool PointsOnDevice::Levels::is_for(const LatticeGeometry& other, const MultilevelOptions& set) const {
  return lattice == other && options.basis == set.basis && options.cutoff_A == set.cutoff_A &&
         options.spacing_A == set.spacing_A;
}

void PointsOnDevice::multilevel(const MultilevelOptions& options, std::span<const Vec3<double>> points_A,
                                std::span<double> values_kT_e, const Progress& progress) {
  if (points_A.empty()) return;
  const DeviceScope scope = scope_.enter();
  const Box box = box_of_points(points_A, charges_box_);
  // With charges and points in its box the lattice alone says where the grid is.
  const LatticeGeometry lattice = lattice_over(box, options.spacing_A);
  check_multilevel(lattice, pair_, options);
  const Vec3<std::int64_t> n = finest_grid(lattice, {}, options).counts;
  const double grid_points = double(n.x) * double(n.y) * double(n.z);
  const double grid_bytes = double(grid_point_bytes) * grid_points + double(small_grids_bytes) +
                            double(sorted_charge_bytes) * double(charges_.size());
  if (grid_bytes > double(memory_bytes_))
    fail("multilevel summation needs a grid of ", grid_points,
         " points over all points and charges, for which GPU ", number_of(scope_.device()),
         " does not have enough memory (", describe_bytes(memory_bytes_),
         " are free or allowed); use --method direct, or --backend cpu");
  // Sums of far more points than these take long enough to be told of.
  constexpr std::int64_t most = 1 << 26;
  if (levels_ && !levels_->is_for(lattice, options)) levels_.reset();
  const std::int64_t at_once = make_room(std::ssize(points_A), most, std::int64_t(grid_bytes));
  if (!levels_) levels_.emplace(lattice, options, pair_, std::int64_t(charges_.size()), stream_);
  DeviceMultilevel& sum = levels_->sum;
  StageTimer timer("potential", stream_);
  sum.set_charges({charges_.data(), charges_.size()}, nullptr);
  timer.stop();
  pass(points_A, at_once, box, values_kT_e, progress,
       [&] { multilevel_at_points(room_->points, sum, room_->work.data(), room_->values.data(), stream_); });
}

}  // namespace ionwell::gpu
