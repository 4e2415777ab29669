#include "spread.hpp"

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "device_buffer.hpp"
#include "direct.hpp"
#include "stream.hpp"

namespace ionwell::gpu {
namespace {

struct Range {
  std::int64_t first, count;
};

/// Hands out ranges, large ones first, so that all devices end at about the same time.
class Ranges {
 public:
  /// `most`: blocks in a range.
  Ranges(std::int64_t blocks, std::int64_t workers, std::int64_t most)
      : blocks_(blocks), workers_(workers), most_(most) {}

  Range next() {
    const std::lock_guard lock(mutex_);
    const std::int64_t left = blocks_ - done_;
    constexpr std::int64_t least = 4096;  // fewer do not fill a device
    const std::int64_t share = workers_ > 1 ? left / (2 * workers_) : left;
    const std::int64_t count = std::min({left, std::max(share, least), std::max<std::int64_t>(most_, 1)});
    done_ += count;
    return {done_ - count, count};
  }

  /// Nobody gets any more: one of the devices failed.
  void stop() {
    const std::lock_guard lock(mutex_);
    done_ = blocks_;
  }

 private:
  std::mutex mutex_;
  std::int64_t blocks_, workers_, most_, done_ = 0;
};

DeviceBlocks part_of(const DeviceBlocks& blocks, const Range& range) {
  return {blocks.lattice, blocks.numbers + range.first, range.count,
          blocks.values + block_points * range.first};
}

void copy_between(void* to, int to_device, const void* from, int from_device, std::size_t bytes,
                  cudaStream_t stream) {
  check(cudaMemcpyPeerAsync(to, to_device, from, from_device, bytes, stream), "a copy between devices");
}

/// What a device does that has not got the field.
void help(const DeviceBlocks& blocks, int home, int device, const PointCharge* charges, std::int64_t count,
          const PairPotential& pair, Ranges& ranges) {
  check(cudaSetDevice(device), "taking a helping device");
  const Stream stream;
  DeviceBuffer<PointCharge> charges_d(std::size_t(count), "the charges");
  copy_between(charges_d.data(), device, charges, home, std::size_t(count) * sizeof(PointCharge), stream);
  DeviceBuffer<std::int32_t> numbers;
  DeviceBuffer<float> values;
  for (Range range = ranges.next(); range.count > 0; range = ranges.next()) {
    const std::size_t size = std::size_t(range.count * block_points);
    if (values.size() < size) {  // ranges only get smaller: once
      values = {};
      values = DeviceBuffer<float>(size, "a part of the lattice");
      numbers = DeviceBuffer<std::int32_t>(std::size_t(range.count), "a part of the lattice");
    }
    const DeviceBlocks part = part_of(blocks, range);
    copy_between(numbers.data(), device, part.numbers, home, std::size_t(range.count) * sizeof(std::int32_t),
                 stream);
    copy_between(values.data(), device, part.values, home, size * sizeof(float), stream);
    add_direct({blocks.lattice, numbers.data(), range.count, values.data()}, nullptr, range.count,
               charges_d.data(), count, pair, stream);
    copy_between(part.values, home, values.data(), device, size * sizeof(float), stream);
    check(cudaStreamSynchronize(stream), "the direct sum on a helping device");
  }
}

}  // namespace

void spread_direct(const DeviceBlocks& blocks, std::span<const int> devices, const PointCharge* charges,
                   std::int64_t count, const PairPotential& pair, cudaStream_t stream,
                   const Progress& progress) {
  // Ranges of most of a second each, so that the progress shows; but every one of them ends with idle
  // processors.
  constexpr double pairs_at_once = 3e12;
  const std::int64_t most =
      progress
          ? std::max<std::int64_t>(8192, std::int64_t(pairs_at_once / (block_points * double(count + 1))))
          : blocks.count;
  Ranges ranges(blocks.count, std::ssize(devices), most);
  std::vector<std::exception_ptr> failures(devices.size());
  const auto guarded = [&](std::size_t n, const auto& work) {
    try {
      work();
    } catch (...) {
      failures[n] = std::current_exception();
      ranges.stop();
    }
  };
  std::vector<std::thread> helpers;
  for (std::size_t n = 1; n < devices.size(); ++n)
    helpers.emplace_back(
        [&, n] { guarded(n, [&] { help(blocks, devices[0], devices[n], charges, count, pair, ranges); }); });
  guarded(0, [&] {
    const bool alone = devices.size() == 1;
    for (Range range = ranges.next(); range.count > 0; range = ranges.next()) {
      add_direct(part_of(blocks, range), nullptr, range.count, charges, count, pair, stream);
      if (alone && !progress) continue;
      check(cudaStreamSynchronize(stream), "the direct sum");
      if (progress) progress(double(range.first + range.count) / double(blocks.count));
    }
  });
  for (std::thread& helper : helpers) helper.join();
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
  if (progress) progress(1.0);
}

}  // namespace ionwell::gpu
