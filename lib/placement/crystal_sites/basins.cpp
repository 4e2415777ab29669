// SPDX-License-Identifier: BSD-3-Clause
#include "placement/crystal_sites/basins.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <mutex>
#include <thread>

#include "parallel/parallel_for.hpp"
#include "placement/crystal_sites/simd/site_kernels.hpp"

namespace ionwell {
namespace {

constexpr std::int64_t brick_blocks = 8;  // to a side
constexpr std::int64_t brick_edge = brick_blocks * block_edge;

/// Positive floats as integers, in the same order.
std::uint32_t bits_of(float x) {
  return std::bit_cast<std::uint32_t>(x);
}

struct Found {
  std::int64_t index;
  float weight;
};

/// The points of largest weight so far. What falls below the `count` largest is not kept, so that memory does
/// not grow with the lattice.
class Largest {
 public:
  explicit Largest(std::int64_t count) : count_(count), bins_(basin_bin(bits_of(infinite_)) + 1) {}

  /// Points of lower weight are not wanted any more. Only rises.
  float least() const { return least_.load(std::memory_order_relaxed); }

  void add(const std::vector<Found>& found) {
    const std::scoped_lock lock(mutex_);
    for (const Found& point : found) ++bins_[basin_bin(bits_of(point.weight))];
    found_.insert(found_.end(), found.begin(), found.end());
    std::int64_t above = 0;
    std::uint32_t bin = std::uint32_t(bins_.size());
    while (bin > 0 && above < count_) above += bins_[--bin];
    if (above < count_) return;
    least_ = std::bit_cast<float>(basin_bin_start(bin));
    if (std::ssize(found_) > 2 * above + 4096) drop_below(least_);
  }

  /// In the order of their indices, and whether any was dropped.
  std::pair<std::vector<Found>, bool> take() {
    drop_below(least_);
    std::sort(found_.begin(), found_.end(), [](const Found& a, const Found& b) { return a.index < b.index; });
    return {std::move(found_), least_ > 0.0f};
  }

 private:
  static constexpr float infinite_ = std::numeric_limits<float>::infinity();

  void drop_below(float weight) {
    std::erase_if(found_, [&](const Found& point) { return point.weight < weight; });
  }

  std::int64_t count_;
  std::mutex mutex_;
  std::atomic<float> least_{0.0f};
  std::vector<std::int64_t> bins_;
  std::vector<Found> found_;
};

/// exp(-E) around a brick of blocks, and the sums over it axis by axis.
class Brick {
 public:
  Brick(const HostStore& energies, const std::vector<std::int32_t>& slots, const SiteKernels& kernels,
        const Vec3<std::vector<float>>& taps)
      : energies_(energies), slots_(slots), kernels_(kernels), taps_(taps) {}

  void find(const Vec3<std::int64_t>& first_block, const Largest& largest, std::vector<Found>* found) {
    const BlockGrid& grid = energies_.grid();
    const Vec3<std::int64_t> last = last_of(first_block, grid.counts);
    if (!any_available(first_block, last)) return;
    const Vec3<std::int64_t> reach{reach_of(taps_.x), reach_of(taps_.y), reach_of(taps_.z)};
    first_ = block_edge * first_block;
    core_ = block_edge * (last - first_block);
    whole_ = core_ + 2 * reach;
    fill(reach);
    sum();
    choose(first_block, last, largest, found);
  }

 private:
  static std::int64_t reach_of(const std::vector<float>& taps) { return (std::ssize(taps) - 1) / 2; }
  static Vec3<std::int64_t> last_of(const Vec3<std::int64_t>& first, const Vec3<std::int64_t>& counts) {
    return {std::min(first.x + brick_blocks, counts.x), std::min(first.y + brick_blocks, counts.y),
            std::min(first.z + brick_blocks, counts.z)};
  }

  std::int32_t slot_of(std::int64_t i, std::int64_t j, std::int64_t k) const {
    const Vec3<std::int64_t>& n = energies_.grid().counts;
    return slots_[std::size_t(i + n.x * (j + n.y * k))];
  }

  bool any_available(const Vec3<std::int64_t>& first, const Vec3<std::int64_t>& last) const {
    for (std::int64_t k = first.z; k < last.z; ++k)
      for (std::int64_t j = first.y; j < last.y; ++j)
        for (std::int64_t i = first.x; i < last.x; ++i)
          if (slot_of(i, j, k) >= 0) return true;
    return false;
  }

  /// weights_[x, y, z] = exp(-E), x fastest, of the brick with what is around it.
  void fill(const Vec3<std::int64_t>& reach) {
    weights_.assign(std::size_t(whole_.x * whole_.y * whole_.z), 0.0f);
    const Vec3<std::int64_t> begin = first_ - reach, end = begin + whole_;
    const Vec3<std::int64_t>& counts = energies_.grid().counts;
    const auto from = [](std::int64_t p) { return std::max<std::int64_t>(p, 0) / block_edge; };
    const auto to = [](std::int64_t p, std::int64_t n) {
      return std::min((p + block_edge - 1) / block_edge, n);
    };
    alignas(64) float weights[block_points];
    for (std::int64_t k = from(begin.z); k < to(end.z, counts.z); ++k)
      for (std::int64_t j = from(begin.y); j < to(end.y, counts.y); ++j)
        for (std::int64_t i = from(begin.x); i < to(end.x, counts.x); ++i) {
          const std::int32_t slot = slot_of(i, j, k);
          if (slot < 0) continue;
          const float* const values = energies_.values(std::size_t(slot));
          const std::uint64_t* const available = energies_.available(std::size_t(slot));
          for (int w = 0; w < mask_words; ++w)
            kernels_.boltzmann(values + 64 * w, available[w], weights + 64 * w);
          const Vec3<std::int64_t> at = std::int64_t{block_edge} * Vec3<std::int64_t>{i, j, k} - begin;
          const std::int64_t x0 = std::max<std::int64_t>(0, -at.x),
                             x1 = std::min<std::int64_t>(block_edge, whole_.x - at.x);
          for (std::int64_t c = std::max<std::int64_t>(0, -at.z); c < block_edge && at.z + c < whole_.z; ++c)
            for (std::int64_t b = std::max<std::int64_t>(0, -at.y); b < block_edge && at.y + b < whole_.y;
                 ++b)
              std::copy(weights + block_edge * (b + block_edge * c) + x0,
                        weights + block_edge * (b + block_edge * c) + x1,
                        &weights_[std::size_t(at.x + x0 + whole_.x * (at.y + b + whole_.y * (at.z + c)))]);
        }
  }

  /// weights_ = G * weights_, at the brick's own points only; x fastest, without what was around it.
  void sum() {
    along_x_.resize(std::size_t(core_.x * whole_.y * whole_.z));
    for (std::int64_t row = 0; row < whole_.y * whole_.z; ++row)
      kernels_.weighted_sum(&weights_[std::size_t(whole_.x * row)], 1, taps_.x.data(), int(taps_.x.size()),
                            int(core_.x), &along_x_[std::size_t(core_.x * row)]);
    along_y_.resize(std::size_t(core_.x * core_.y * whole_.z));
    for (std::int64_t k = 0; k < whole_.z; ++k)  // rows that follow each other are summed as one
      kernels_.weighted_sum(&along_x_[std::size_t(core_.x * whole_.y * k)], core_.x, taps_.y.data(),
                            int(taps_.y.size()), int(core_.x * core_.y),
                            &along_y_[std::size_t(core_.x * core_.y * k)]);
    kernels_.weighted_sum(along_y_.data(), core_.x * core_.y, taps_.z.data(), int(taps_.z.size()),
                          int(core_.x * core_.y * core_.z), weights_.data());
  }

  void choose(const Vec3<std::int64_t>& first, const Vec3<std::int64_t>& last, const Largest& largest,
              std::vector<Found>* found) const {
    const BlockGrid& grid = energies_.grid();
    const float least = largest.least();
    for (std::int64_t k = first.z; k < last.z; ++k)
      for (std::int64_t j = first.y; j < last.y; ++j)
        for (std::int64_t i = first.x; i < last.x; ++i) {
          const std::int32_t slot = slot_of(i, j, k);
          if (slot < 0) continue;
          const std::uint64_t* const available = energies_.available(std::size_t(slot));
          const Vec3<std::int64_t> at = std::int64_t{block_edge} * (Vec3<std::int64_t>{i, j, k} - first);
          for (int p = 0; p < block_points; ++p) {
            if (!is_set(available, p)) continue;
            const std::int64_t a = at.x + p % block_edge, b = at.y + p / block_edge % block_edge,
                               c = at.z + p / (block_edge * block_edge);
            const float weight = weights_[std::size_t(a + core_.x * (b + core_.y * c))];
            if (weight >= least && weight > 0.0f)
              found->push_back({grid.lattice_index(energies_.number(std::size_t(slot)), p), weight});
          }
        }
  }

  const HostStore& energies_;
  const std::vector<std::int32_t>& slots_;
  const SiteKernels& kernels_;
  const Vec3<std::vector<float>>& taps_;
  Vec3<std::int64_t> first_{}, core_{}, whole_{};  // points: where it begins, its own, with what is around it
  std::vector<float> weights_, along_x_, along_y_;
};

}  // namespace

std::vector<float> basin_taps(double width_A, double spacing_A) {
  constexpr double cut = 4.0;  // standard deviations
  const auto reach = int(std::ceil(cut * width_A / spacing_A));
  std::vector<double> weights;
  double sum = 0.0;
  for (int l = -reach; l <= reach; ++l) {
    const double u = width_A > 0.0 ? l * spacing_A / width_A : 0.0;
    weights.push_back(std::exp(-0.5 * u * u));
    sum += weights.back();
  }
  std::vector<float> taps;
  taps.reserve(weights.size());
  for (const double weight : weights) taps.push_back(float(weight / sum));
  return taps;
}

BasinPoints lowest_basins(const HostStore& energies, double width_A, std::int64_t count, SimdLevel simd,
                          int threads, const Progress& progress) {
  const BlockGrid& grid = energies.grid();
  const Vec3<double>& spacing_A = grid.lattice.spacing_A;
  std::vector<std::int32_t> slots(std::size_t(grid.size()), -1);
  for (std::size_t slot = 0; slot < energies.size(); ++slot)
    slots[std::size_t(energies.number(slot))] = std::int32_t(slot);
  const Vec3<std::vector<float>> taps{basin_taps(width_A, spacing_A.x), basin_taps(width_A, spacing_A.y),
                                      basin_taps(width_A, spacing_A.z)};
  const auto along = [](std::int64_t blocks) { return (blocks + brick_blocks - 1) / brick_blocks; };
  const Vec3<std::int64_t> bricks{along(grid.counts.x), along(grid.counts.y), along(grid.counts.z)};
  const std::int64_t brick_count = bricks.x * bricks.y * bricks.z;
  const SiteKernels& kernels = site_kernels(simd);
  Largest largest(count);
  std::atomic<std::int64_t> done{0};
  const auto caller = std::this_thread::get_id();
  parallel_ranges({threads, 1}, brick_count, [&](std::int64_t from, std::int64_t to) {
    Brick brick(energies, slots, kernels, taps);
    for (std::int64_t b = from; b < to; ++b) {
      std::vector<Found> found;
      brick.find(brick_blocks * block_at(b, bricks.x, bricks.y), largest, &found);
      if (!found.empty()) largest.add(found);
      ++done;
      if (progress && std::this_thread::get_id() == caller) progress(double(done) / double(brick_count));
    }
  });
  const auto [found, dropped] = largest.take();
  BasinPoints points;
  points.index.reserve(found.size());
  points.basin_kT.reserve(found.size());
  for (const Found& point : found) {
    points.index.push_back(point.index);
    points.basin_kT.push_back(-std::log(double(point.weight)));
  }
  if (dropped) points.complete_below_kT = -std::log(double(largest.least()));
  return points;
}

}  // namespace ionwell
