// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <numeric>

#include "gpu/electrostatics/multilevel.hpp"
#include "gpu/electrostatics/multilevel_kernels.hpp"

namespace ionwell::gpu {
namespace {

/// Adds up the device time of stages, when somebody wants to know.
class StageClock {
 public:
  StageClock(MultilevelTimes* times, cudaStream_t stream) : times_(times), stream_(stream) {
    if (times_ == nullptr) return;
    for (cudaEvent_t* event : {&start_, &end_}) check(cudaEventCreate(event), "making an event");
  }
  ~StageClock() {
    for (cudaEvent_t event : {start_, end_})
      if (event != nullptr) cudaEventDestroy(event);
  }
  StageClock(const StageClock&) = delete;
  StageClock& operator=(const StageClock&) = delete;

  template <typename Action>
  void time(MultilevelStage stage, const Action& action) {
    if (times_ != nullptr) check(cudaEventRecord(start_, stream_), "recording an event");
    action();
    if (times_ == nullptr) return;
    check(cudaEventRecord(end_, stream_), "recording an event");
    check(cudaEventSynchronize(end_), "waiting for the device");
    float ms = 0.0f;
    check(cudaEventElapsedTime(&ms, start_, end_), "reading a time");
    (*times_)[std::size_t(stage)] += ms;
  }

 private:
  MultilevelTimes* times_;
  cudaStream_t stream_;
  cudaEvent_t start_ = nullptr, end_ = nullptr;
};

struct Level {
  std::vector<DeviceGaussian> gaussians;
  DeviceStencil stencil{};
  DeviceBuffer<float> charge, potential;
};

double reach_outside_A(const LatticeGeometry& lattice, const MultilevelPlan& plan) {
  return block_edge * lattice.spacing_A.x + plan.options.cutoff_A + plan.levels.front().grid.spacing_A.x;
}

}  // namespace

const char* to_string(MultilevelStage stage) {
  switch (stage) {
    case MultilevelStage::sort:
      return "sort";
    case MultilevelStage::assign:
      return "assign";
    case MultilevelStage::restrict:
      return "restrict";
    case MultilevelStage::convolve:
      return "convolve";
    case MultilevelStage::prolong:
      return "prolong";
    case MultilevelStage::interpolate:
      return "interpolate";
    case MultilevelStage::short_range:
      return "short range";
    case MultilevelStage::count:
      break;
  }
  return "unknown";
}

struct DeviceMultilevel::Work {
  MultilevelPlan plan;
  bool short_range;
  cudaStream_t stream;
  std::vector<float> transfer;
  CellSorter sorter;
  std::vector<Level> levels;
  DeviceBuffer<float> first, second;  // working space
  DeviceAxisWeights axes[3];

  Work(const LatticeGeometry& lattice, const MultilevelPlan& the_plan, std::int64_t most_charges,
       bool with_short_range, cudaStream_t the_stream)
      : plan(the_plan),
        short_range(with_short_range),
        stream(the_stream),
        transfer(transfer_weights(plan.options.basis)),
        sorter(plan.levels.front().grid, plan.options.cutoff_A, reach_outside_A(lattice, plan), most_charges),
        first(std::size_t(grid_work_size(plan)), "the grids of multilevel summation"),
        second(first.size(), "the grids of multilevel summation"),
        axes{axis_weights_to_device(plan, lattice, 0, stream),
             axis_weights_to_device(plan, lattice, 1, stream),
             axis_weights_to_device(plan, lattice, 2, stream)} {
    for (const MultilevelLevel& from : plan.levels) {
      Level level;
      for (const GaussianTerm& term : from.gaussians) level.gaussians.push_back(to_device(term, stream));
      if (from.gaussians.empty()) level.stencil = to_device(from.stencil, stream);
      level.charge = DeviceBuffer<float>(std::size_t(from.grid.size()), "the grids of multilevel summation");
      level.potential =
          DeviceBuffer<float>(std::size_t(from.grid.size()), "the grids of multilevel summation");
      levels.push_back(std::move(level));
    }
  }
};

DeviceMultilevel::DeviceMultilevel(const LatticeGeometry& lattice, const MultilevelPlan& plan,
                                   std::int64_t most_charges, bool short_range, cudaStream_t stream)
    : work_(std::make_unique<Work>(lattice, plan, most_charges, short_range, stream)) {}

DeviceMultilevel::~DeviceMultilevel() = default;

void DeviceMultilevel::set_charges(std::span<const PointCharge> charges_d, MultilevelTimes* times) {
  Work& w = *work_;
  StageClock clock(times, w.stream);
  const GridWork space{w.first.data(), w.second.data(), std::int64_t(w.first.size())};
  const auto grid = [&](std::size_t l) -> const LatticeGeometry& { return w.plan.levels[l].grid; };
  clock.time(MultilevelStage::sort, [&] { w.sorter.sort(charges_d, w.stream); });
  clock.time(MultilevelStage::assign, [&] {
    assign_charges(w.sorter.cells(), w.plan.options.basis, grid(0).counts, w.levels[0].charge.data(),
                   w.stream);
  });
  clock.time(MultilevelStage::restrict, [&] {
    for (std::size_t l = 1; l < w.levels.size(); ++l)
      restrict_to(grid(l), grid(l - 1), w.levels[l - 1].charge.data(), w.transfer, space,
                  w.levels[l].charge.data(), w.stream);
  });
  clock.time(MultilevelStage::convolve, [&] {
    for (std::size_t l = 0; l < w.levels.size(); ++l) {
      Level& level = w.levels[l];
      if (level.gaussians.empty())
        convolve(grid(l).counts, level.charge.data(), level.stencil, space, level.potential.data(), w.stream);
      for (std::size_t g = 0; g < level.gaussians.size(); ++g)
        convolve(grid(l).counts, level.charge.data(), level.gaussians[g], g > 0, space,
                 level.potential.data(), w.stream);
    }
  });
  clock.time(MultilevelStage::prolong, [&] {
    for (std::size_t l = w.levels.size() - 1; l > 0; --l)
      prolong(grid(l), w.levels[l].potential.data(), grid(l - 1), w.transfer, space,
              w.levels[l - 1].potential.data(), w.stream);
  });
}

void DeviceMultilevel::add_to(const DeviceBlocks& blocks, cudaStream_t stream, MultilevelTimes* times) const {
  const Work& w = *work_;
  StageClock clock(times, stream);
  clock.time(MultilevelStage::interpolate, [&] {
    interpolate(blocks, w.axes, w.plan.levels.front().grid.counts, w.levels[0].potential.data(),
                w.plan.constant_kT_e, w.sorter.total_charge_d(), stream);
  });
  if (!w.short_range) return;
  clock.time(MultilevelStage::short_range,
             [&] { add_short_range(blocks, w.sorter.cells(), w.plan, stream); });
}

DeviceMultilevel::Parts DeviceMultilevel::parts() const {
  const Work& w = *work_;
  return {w.plan, w.sorter.cells(), w.levels[0].potential.data(), w.sorter.total_charge_d()};
}

}  // namespace ionwell::gpu
