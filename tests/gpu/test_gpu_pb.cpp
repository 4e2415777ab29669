#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "core/error.hpp"
#include "electrostatics/poisson_boltzmann/plain_pb.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_solver.hpp"
#include "gpu/gpu_field.hpp"
#include "support/backends.hpp"

namespace ionwell::test {
namespace {

PbSolver solver_on_gpu(PbSystem& system, const PbSolverOptions& options) {
  return {system, options, [](PbSystem& of, const PbSolverOptions& by) {
            return gpu_pb_vectors({gpu_devices().devices.front().number}, of,
                                  by.equation == PbEquation::nonlinear);
          }};
}

}  // namespace

TEST_CASE("gpu: the Poisson-Boltzmann equation is solved as on the CPU, in not many more iterations") {
  if (!have_gpu()) return;
  for (const Vec3<std::int64_t>& n : {Vec3<std::int64_t>{3, 3, 3},
                                      {4, 4, 4},
                                      {5, 3, 4},
                                      {9, 9, 9},
                                      {34, 17, 18},
                                      {66, 35, 3},
                                      {3, 70, 41},
                                      {67, 66, 65},
                                      {5, 4, 130}})
    for (const Vec3<double>& spacing_A : {Vec3<double>{0.5, 0.5, 0.5}, {0.2, 1.0, 0.6}})
      for (const PbEquation equation : {PbEquation::linear, PbEquation::nonlinear}) {
        CAPTURE(n.x);
        CAPTURE(n.y);
        CAPTURE(spacing_A.x);
        CAPTURE(int(equation));
        PbSystem on_cpu = random_system({n, spacing_A});
        PbSystem on_gpu = on_cpu;
        const PbSolverOptions options{.equation = equation, .tolerance = 1e-8};
        const PbConvergence cpu = PbSolver(on_cpu, options).solve();
        const PbConvergence gpu = solver_on_gpu(on_gpu, options).solve();
        CHECK(gpu.residual <= 1e-8);
        // The CPU's takes the odd points out and sweeps coarse levels once more: most is 24 for 18.
        CHECK(gpu.iterations >= cpu.iterations - 2);
        CHECK(gpu.iterations <= 2 + 1.4 * cpu.iterations);
        CHECK(std::abs(gpu.newton_steps - cpu.newton_steps) <= 1);
        const PlainPb plain(on_gpu);
        CHECK(plain.residual_norm(as_double(on_gpu.boundary_kT_e), equation == PbEquation::nonlinear) <
              1e-6 * plain.right_side_norm());
        CHECK(relative_difference(on_gpu.boundary_kT_e, as_double(on_cpu.boundary_kT_e)) < 1e-6);
      }
}

TEST_CASE("gpu: a changed box of the Poisson-Boltzmann equation, and the same bits in every run") {
  if (!have_gpu()) return;
  PbSystem system = random_system({{40, 33, 29}});
  const std::vector<float> start = system.boundary_kT_e;
  for (const PbEquation equation : {PbEquation::linear, PbEquation::nonlinear}) {
    CAPTURE(int(equation));
    PbSolver solver = solver_on_gpu(system, {.equation = equation});
    solver.solve();
    const PointBox box{{5, 7, 9}, {30, 8, 15}};
    for (std::int64_t k = box.low.z; k <= box.high.z; ++k)
      for (std::int64_t j = box.low.y; j <= box.high.y; ++j)
        for (std::int64_t i = box.low.x; i <= box.high.x; ++i) {
          const std::size_t p = std::size_t(system.lattice.index(i, j, k));
          system.eps_x[p] = system.eps_y[p] = system.eps_z[p] = 2.5f + float(equation);
          system.accessibility[p] = 0.25f;
          system.charge_e[p] = -0.1f;
        }
    solver.update(box);
    system.boundary_kT_e = start;
    const PbConvergence updated = solver.solve();
    PbSystem fresh = system;
    fresh.boundary_kT_e = start;
    const PbConvergence anew = solver_on_gpu(fresh, {.equation = equation}).solve();
    CHECK(updated.iterations > 1);
    CHECK(updated.history == anew.history);
    CHECK(system.boundary_kT_e == fresh.boundary_kT_e);
    system.boundary_kT_e = start;
  }
}

TEST_CASE("gpu: devices that share a Poisson-Boltzmann equation solve it to the same bits as one") {
  if (!have_gpu()) return;
  const auto& devices = gpu_devices().devices;
  const int first = devices.front().number;
  std::vector<std::vector<int>> teams{{first, first}, {first, first, first}};  // streams of one device
  if (devices.size() > 1) teams.push_back({first, devices[1].number});
  for (const PbEquation equation : {PbEquation::linear, PbEquation::nonlinear}) {
    CAPTURE(int(equation));
    // Large enough to be shared, as is the next level in part: a ninth of it is on one device.
    PbSystem alone = random_system({{211, 180, 131}});
    const PbSystem start = alone;
    PbSolver on_one = solver_on_gpu(alone, {.equation = equation});
    const PbConvergence expected = on_one.solve();
    for (const std::vector<int>& team : teams) {
      CAPTURE(team.size());
      CAPTURE(team.back());
      PbSystem shared = start;
      PbSolver solver(shared, {.equation = equation}, [&](PbSystem& of, const PbSolverOptions& by) {
        return gpu_pb_vectors(team, of, by.equation == PbEquation::nonlinear);
      });
      CHECK(solver.solve().history == expected.history);
      CHECK(shared.boundary_kT_e == alone.boundary_kT_e);
    }
  }
}

TEST_CASE("gpu: the Poisson-Boltzmann equation without unknowns, cancelled, and on a GPU that is not there") {
  if (!have_gpu()) return;
  PbSystem flat = random_system({{2, 9, 9}});
  const std::vector<float> given = flat.boundary_kT_e;
  CHECK(solver_on_gpu(flat, {}).solve().iterations == 0);
  CHECK(flat.boundary_kT_e == given);
  PbSystem system = random_system({{20, 21, 22}});
  const std::vector<float> start = system.boundary_kT_e;
  PbSolver solver = solver_on_gpu(system, {});
  const auto cancel = [](double part) {
    if (part > 0.3) throw Error("cancelled");
  };
  CHECK_THROWS_WITH_AS(solver.solve(cancel), "cancelled", Error);
  CHECK(system.boundary_kT_e == start);
  CHECK(solver.solve().residual <= 1e-6);
  CHECK_THROWS_AS(gpu_pb_vectors({997}, system, false), UsageError);
}

}  // namespace ionwell::test
