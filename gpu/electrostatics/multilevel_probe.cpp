// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/electrostatics/multilevel_probe.hpp"

#include "gpu/electrostatics/multilevel.hpp"
#include "gpu/runtime/device_buffer.hpp"

namespace ionwell {

using gpu::check;

struct MultilevelProbe::State {
  gpu::DeviceBuffer<PointCharge> charges;
  gpu::DeviceBuffer<std::int32_t> numbers;
  gpu::DeviceBuffer<float> values;
  gpu::DeviceBlocks blocks;
  gpu::DeviceMultilevel sum;
  cudaEvent_t start = nullptr, end = nullptr;

  State(const LatticeGeometry& lattice, const MultilevelPlan& plan, std::span<const PointCharge> host_charges,
        const std::vector<std::int32_t>& host_blocks, bool short_range)
      : charges(host_charges, nullptr, "charges"),
        numbers(host_blocks, nullptr, "blocks"),
        values(host_blocks.size() * block_points, "the lattice"),
        blocks{lattice, numbers.data(), std::int64_t(host_blocks.size()), values.data()},
        sum(lattice, plan, std::int64_t(host_charges.size()), short_range, nullptr) {
    check(cudaEventCreate(&start), "making an event");
    check(cudaEventCreate(&end), "making an event");
  }
  ~State() {
    for (cudaEvent_t event : {start, end})
      if (event != nullptr) cudaEventDestroy(event);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void sum_up(gpu::MultilevelTimes* times) {
    sum.set_charges({charges.data(), charges.size()}, times);
    sum.add_to(blocks, nullptr, times);
  }
};

MultilevelProbe::MultilevelProbe(const LatticeGeometry& lattice, const MultilevelPlan& plan,
                                 std::span<const PointCharge> charges, std::vector<std::int32_t> blocks,
                                 bool short_range)
    : state_(std::make_unique<State>(lattice, plan, charges, blocks, short_range)) {}

MultilevelProbe::~MultilevelProbe() = default;

double MultilevelProbe::run() {
  state_->values.zero(nullptr);
  check(cudaEventRecord(state_->start, nullptr), "recording an event");
  state_->sum_up(nullptr);
  check(cudaEventRecord(state_->end, nullptr), "recording an event");
  check(cudaEventSynchronize(state_->end), "waiting for the device");
  float ms = 0.0f;
  check(cudaEventElapsedTime(&ms, state_->start, state_->end), "reading a time");
  return ms;
}

std::vector<std::pair<std::string, double>> MultilevelProbe::run_by_stages() {
  state_->values.zero(nullptr);
  gpu::MultilevelTimes times{};
  state_->sum_up(&times);
  check(cudaStreamSynchronize(nullptr), "multilevel summation");
  std::vector<std::pair<std::string, double>> result;
  for (std::size_t s = 0; s < times.size(); ++s)
    result.emplace_back(gpu::to_string(gpu::MultilevelStage(s)), times[s]);
  return result;
}

std::vector<float> MultilevelProbe::values() const {
  return state_->values.to_host(nullptr);
}

std::vector<std::int32_t> all_blocks(const LatticeGeometry& lattice) {
  std::vector<std::int32_t> numbers;
  for (std::int64_t b = 0; b < BlockGrid(lattice).size(); ++b) numbers.push_back(std::int32_t(b));
  return numbers;
}

}  // namespace ionwell
