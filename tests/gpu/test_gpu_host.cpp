// SPDX-License-Identifier: BSD-3-Clause
#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <thread>

#include "compute/backend.hpp"
#include "gpu/backend.hpp"
#include "support/backends.hpp"
#include "support/placement_problem.hpp"

/// What a host program that uses CUDA itself finds after calls of the library.
namespace ionwell::test {
namespace {

int current_device() {
  int device = -1;
  REQUIRE(cudaGetDevice(&device) == cudaSuccess);
  return device;
}

/// Everything that a field does, on a device of this number.
void use_field(int number) {
  const ReferenceProblem problem = solute(pair_potential({}), {40, 40, 40}, 700);
  auto masked = make_gpu_lattice(problem.lattice, problem.pair, {}, {number});
  masked->exclude(problem.centres, problem.ion_solute_A);
  const auto field = fill(std::move(masked), MultilevelSum{problem.charges, {}}, {});
  const std::optional<LowestPoint> point = field->lowest_energy_point(1.0);
  REQUIRE(point);
  field->add_ion({problem.lattice.position_A(point->index), 1.0}, 5.0);
  CHECK(field->values().size() == std::size_t(problem.lattice.size()));
}

}  // namespace

TEST_CASE("gpu: the host program's current device stays what it was") {
  if (!have_gpu()) return;
  const std::vector<Device>& devices = gpu_backend().devices().devices;
  const int before = current_device();
  const LatticeGeometry too_large{{0, 0, 0}, {1, 1, 1}, {6000, 6000, 6000}};
  const std::vector<PointCharge> charge{{{1, 1, 1}, 1.0}};
  for (const Device& mine : devices) {
    REQUIRE(cudaSetDevice(mine.number) == cudaSuccess);
    for (const Device& used : devices) {
      use_field(used.number);
      CHECK(current_device() == mine.number);
      CHECK_THROWS(fill(make_gpu_lattice(too_large, pair_potential({}), {.every_point = true}, {used.number}),
                        DirectSum{charge}, {}));
      CHECK(current_device() == mine.number);
    }
  }
  cudaSetDevice(before);
}

TEST_CASE("gpu: two fields at a time, from a thread that has not used CUDA") {
  if (!have_gpu()) return;
  const std::vector<Device>& devices = gpu_backend().devices().devices;
  const ReferenceProblem problem = solute(pair_potential({}), {30, 30, 30}, 710);
  std::int64_t index[2] = {-1, -2};
  std::thread([&] {
    const int numbers[2] = {devices.front().number, devices.back().number};
    std::unique_ptr<MaskedLattice> masked[2] = {
        make_gpu_lattice(problem.lattice, problem.pair, {}, {numbers[0]}),
        make_gpu_lattice(problem.lattice, problem.pair, {}, {numbers[1]})};
    for (const auto& lattice : masked) lattice->exclude(problem.centres, problem.ion_solute_A);
    std::unique_ptr<PotentialField> fields[2];
    for (int n = 0; n < 2; ++n) fields[n] = fill(std::move(masked[n]), DirectSum{problem.charges}, {});
    for (int n = 0; n < 2; ++n) index[n] = fields[n]->lowest_energy_point(1.0).value().index;
  }).join();
  CHECK(index[0] == index[1]);
}

}  // namespace ionwell::test
