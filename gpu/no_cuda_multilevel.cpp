// Multilevel summation on the GPU in a build without CUDA.
#include "core/error.hpp"
#include "gpu/electrostatics/multilevel_probe.hpp"
#include "gpu/gpu_field.hpp"

namespace ionwell {

struct MultilevelProbe::State {};

MultilevelProbe::MultilevelProbe(const LatticeGeometry&, const MultilevelPlan&, std::span<const PointCharge>,
                                 std::vector<std::int32_t>, bool) {
  fail(gpu_devices().problem, "; build it where nvcc is");
}

MultilevelProbe::~MultilevelProbe() = default;

double MultilevelProbe::run() {
  return 0.0;
}

std::vector<std::pair<std::string, double>> MultilevelProbe::run_by_stages() {
  return {};
}

std::vector<float> MultilevelProbe::values() const {
  return {};
}

std::vector<std::int32_t> all_blocks(const LatticeGeometry&) {
  return {};
}

}  // namespace ionwell
