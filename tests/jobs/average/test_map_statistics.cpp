// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "jobs/average/map_statistics.hpp"

using namespace ionwell;

namespace {

constexpr std::size_t few_points = 60;

/// Sums as a device keeps them, by plain loops; the map of some charges is theirs, one for each point.
class PlainFrameMaps final : public FrameMaps {
 public:
  PlainFrameMaps() {
    for (std::vector<double>& sum : sums_) sum.assign(few_points, 0.0);
  }

  void take(std::span<const PointCharge> charges, const Box&) override {
    for (std::size_t p = 0; p < few_points; ++p) map_[p] += float(charges[p].charge_e);
  }
  void add_map() override {
    for (std::size_t p = 0; p < few_points; ++p) {
      of(FrameSum::sum)[p] += double(map_[p]);
      of(FrameSum::squares)[p] += double(map_[p]) * double(map_[p]);
      of(FrameSum::block_sum)[p] += double(map_[p]);
      map_[p] = 0.0f;
    }
  }
  void end_block(std::int64_t frames) override {
    for (std::size_t p = 0; p < few_points; ++p) {
      const double mean = of(FrameSum::block_sum)[p] / double(frames);
      of(FrameSum::block_means)[p] += mean;
      of(FrameSum::block_squares)[p] += mean * mean;
      of(FrameSum::block_sum)[p] = 0.0;
    }
  }
  SquaredDifference note_mean(std::int64_t frames, std::span<const std::uint8_t> points) override {
    SquaredDifference result;
    for (std::size_t p = 0; p < few_points; ++p) {
      const double mean = of(FrameSum::sum)[p] / double(frames),
                   difference = mean - of(FrameSum::mean_before)[p];
      of(FrameSum::mean_before)[p] = mean;
      if (!points.empty() && points[p] == 0) continue;
      result.sum += difference * difference;
      ++result.points;
    }
    return result;
  }
  void copy_to(FrameSum which, std::span<double> values) override {
    std::copy(of(which).begin(), of(which).end(), values.begin());
  }
  void copy_from(FrameSum which, std::span<const double> values) override {
    of(which).assign(values.begin(), values.end());
  }
  DeviceUse use() const override { return {.peak_bytes = 77}; }

 private:
  std::vector<double>& of(FrameSum which) { return sums_[std::size_t(which)]; }

  std::array<std::vector<double>, frame_sums> sums_;
  std::array<float, few_points> map_{};
};

std::vector<PointCharge> random_frame(std::mt19937& random) {
  std::uniform_real_distribution<double> charge_e(-2.0, 5.0);
  std::vector<PointCharge> charges(few_points);
  for (PointCharge& q : charges) q.charge_e = charge_e(random);
  return charges;
}

constexpr StatisticsKinds all_kinds{.deviation = true, .error = true};

/// One frame for both, and what comes after it.
void add_frame(MapStatistics& statistics, const std::vector<PointCharge>& charges,
               const std::vector<std::uint8_t>& watched) {
  if (statistics.is_on_device()) {
    statistics.take(charges, {});
    statistics.add_taken(1);
  } else {
    std::vector<float> map;
    for (const PointCharge& q : charges) map.push_back(float(q.charge_e));
    statistics.add(map, 1);
  }
  const std::int64_t frames = statistics.frames();
  if ((frames & (frames - 1)) == 0) statistics.note_mean(watched);
  if (frames % 3 == 0) statistics.end_block();
}

void check_same(MapStatistics& a, MapStatistics& b) {
  CHECK(a.frames() == b.frames());
  CHECK(a.blocks() == b.blocks());
  REQUIRE(a.changes().size() == b.changes().size());
  for (std::size_t n = 0; n < a.changes().size(); ++n)
    CHECK(a.changes()[n].rms_kT_e == doctest::Approx(b.changes()[n].rms_kT_e).epsilon(1e-12));
  for (std::size_t n = 0; n < a.arrays().size(); ++n) {
    CAPTURE(a.arrays()[n].name);
    const std::span<double> one = a.arrays()[n].values, other = b.arrays()[n].values;
    CHECK(std::equal(one.begin(), one.end(), other.begin()));
  }
}

}  // namespace

TEST_CASE("average: sums that a device keeps come to the host when they are asked for, and may go back") {
  std::mt19937 random(4);
  std::vector<std::uint8_t> watched(few_points);
  for (std::size_t p = 0; p < few_points; ++p) watched[p] = p % 4 != 0;
  MapStatistics host(few_points, all_kinds, 1), device(few_points, all_kinds, 1);
  device.keep_on(std::make_unique<PlainFrameMaps>());
  for (int n = 0; n < 17; ++n) {
    const std::vector<PointCharge> frame = random_frame(random);
    add_frame(host, frame, watched);
    add_frame(device, frame, watched);
    if (n == 9) {  // saved, and taken up by another device
      const std::optional<DeviceUse> use = device.leave(MapStatistics::Purpose::state);
      REQUIRE(use);
      CHECK(use->peak_bytes == 77);
      CHECK_FALSE(device.is_on_device());
      check_same(host, device);
      device.keep_on(std::make_unique<PlainFrameMaps>());
    }
  }
  device.fetch(MapStatistics::Purpose::state);
  CHECK(device.is_on_device());
  check_same(host, device);
  std::vector<float> of_host(few_points), of_device(few_points);
  host.error(of_host, 1.0);
  device.error(of_device, 1.0);
  CHECK(of_host == of_device);
  CHECK_FALSE(host.leave(MapStatistics::Purpose::maps).has_value());
}

TEST_CASE("average: for maps alone the mean of before stays on the device") {
  std::mt19937 random(5);
  MapStatistics device(few_points, all_kinds, 1);
  device.keep_on(std::make_unique<PlainFrameMaps>());
  for (int n = 0; n < 4; ++n) add_frame(device, random_frame(random), {});
  device.fetch(MapStatistics::Purpose::maps);
  CHECK(device.arrays().size() == frame_sums - 1);
  device.fetch(MapStatistics::Purpose::state);
  CHECK(device.arrays().size() == frame_sums);
  MapStatistics maps(few_points, all_kinds, 1);
  maps.keep_on(std::make_unique<PlainFrameMaps>());
  for (int n = 0; n < 4; ++n) add_frame(maps, random_frame(random), {});
  maps.leave(MapStatistics::Purpose::maps);
  CHECK(maps.arrays().size() == frame_sums - 1);
  for (const MapStatistics::Array& array : maps.arrays()) {
    CAPTURE(array.name);
    CHECK(array.which != FrameSum::mean_before);
    double size = 0.0;
    for (const double value : array.values) size += std::abs(value);
    CHECK(size > 0.0);
  }
  MapStatistics mean_alone(few_points, {}, 1);
  mean_alone.keep_on(std::make_unique<PlainFrameMaps>());
  for (int n = 0; n < 4; ++n) add_frame(mean_alone, random_frame(random), {});
  CHECK(mean_alone.blocks() == 1);
  mean_alone.leave(MapStatistics::Purpose::maps);
  CHECK(mean_alone.arrays().size() == 1);
}
