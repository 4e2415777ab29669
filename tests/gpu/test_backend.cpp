// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "compute/backend.hpp"
#include "compute/cost_model.hpp"
#include "gpu/backend.hpp"
#include "gpu/runtime/gpu_presence.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

constexpr double long_s = 100.0;  // on the CPU
const FieldDemand small{{{0, 0, 0}, {0.5, 0.5, 0.5}, {80, 80, 80}}, 100};

BackendChoice choose(const BackendOptions& options, double cpu_s, const FieldDemand& demand) {
  return choose_backend(options, cpu_s, demand, {&gpu_backend()});
}

Method faster_on_gpu(const LatticeGeometry& lattice, std::size_t charges, const PairPotential& pair) {
  return faster_method(lattice, charges, gpu_backend().rates(pair));
}

}  // namespace

TEST_CASE("backend: the CPU is taken when it is asked for, and for short work") {
  CHECK(choose({.backend = Backend::cpu}, long_s, small).backend == Backend::cpu);
  const BackendChoice brief = choose({}, 0.01, small);
  CHECK(brief.backend == Backend::cpu);
  CHECK(brief.reason == (may_have_gpu() ? "starting a GPU would take longer than the run" : ""));
}

TEST_CASE("backend: automatic takes what there is and says why it is not a GPU") {
  const BackendChoice choice = choose({}, long_s, small);
  if (gpu_backend().devices().devices.empty()) {
    CHECK(choice.backend == Backend::cpu);
    CHECK(choice.reason == gpu_backend().devices().problem);
    CHECK(!choice.reason.empty());
  } else {
    CHECK(choice.backend == Backend::gpu);
    CHECK(choice.devices.size() == 1);
  }
}

TEST_CASE("backend: a GPU that is asked for and cannot be had is an error") {
  if (gpu_backend().devices().devices.empty()) {
    const std::string message = error_of([] { choose({.backend = Backend::gpu}, long_s, small); });
    CHECK(message ==
          "--backend gpu is not available: " + gpu_backend().devices().problem + "; use --backend cpu");
    CHECK_THROWS_AS(gpu_backend().make_lattice({}, {}, {}, {}), Error);
    for (const double cpu_s : {0.01, long_s}) {  // nor are its number and its memory passed over
      CHECK_THROWS_AS(choose({.devices = {0}}, cpu_s, small), UsageError);
      CHECK_THROWS_AS(choose({.memory_bytes = 1'000'000'000}, cpu_s, small), UsageError);
    }
  } else {
    CHECK_THROWS_AS(choose({.backend = Backend::gpu, .devices = {99}}, long_s, small), UsageError);
    CHECK_THROWS_AS(choose({.backend = Backend::gpu, .devices = {0, 0}}, long_s, small), UsageError);
  }
}

TEST_CASE("backend: the method that is faster on a GPU") {
  const PairPotential pair = pair_potential({});
  const LatticeGeometry lattice{{0, 0, 0}, {0.5, 0.5, 0.5}, {400, 400, 400}};
  CHECK(faster_on_gpu(lattice, 10, pair) == Method::direct);
  CHECK(faster_on_gpu(lattice, 1'000'000, pair) == Method::multilevel);
  // What an H100 took for 19,487,260 and 10,780,672 points: `ionwell-bench crossover --backend gpu`.
  CHECK(faster_on_gpu({{}, {0.5, 0.5, 0.5}, {268, 269, 270}}, 30656, pair) == Method::multilevel);
  CHECK(faster_on_gpu({{}, {0.5, 0.5, 0.5}, {220, 221, 222}}, 19840, pair) == Method::direct);
}
