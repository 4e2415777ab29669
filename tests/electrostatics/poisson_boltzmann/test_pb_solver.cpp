#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "core/error.hpp"
#include "electrostatics/poisson_boltzmann/plain_pb.hpp"
#include "electrostatics/poisson_boltzmann/solver/conjugate_gradients.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_memory.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_solver.hpp"
#include "support/error_of.hpp"

namespace ionwell::test {
namespace {

LargeArray<float> random_inner(const LatticeGeometry& lattice, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  LargeArray<float> values(std::size_t(lattice.size()));
  for (std::int64_t p = 0; p < lattice.size(); ++p) {
    const Vec3<std::int64_t> at = lattice.point(p), n = lattice.counts;
    const bool inner = at.x > 0 && at.y > 0 && at.z > 0 && at.x < n.x - 1 && at.y < n.y - 1 && at.z < n.z - 1;
    values[std::size_t(p)] = inner ? normal(random) : 0.0f;
  }
  return values;
}

double product(const LargeArray<float>& a, const LargeArray<float>& b) {
  double sum = 0.0;
  for (std::size_t n = 0; n < a.size(); ++n) sum += double(a[n]) * double(b[n]);
  return sum;
}

}  // namespace

TEST_CASE("poisson-boltzmann: the V-cycle is symmetric and positive definite") {
  for (const Vec3<std::int64_t>& n :
       {Vec3<std::int64_t>{3, 3, 3}, {4, 5, 6}, {17, 17, 17}, {16, 22, 13}, {30, 3, 31}, {12, 40, 9}})
    for (const Vec3<double>& spacing_A : {Vec3<double>{0.5, 0.5, 0.5}, {0.3, 0.5, 1.1}}) {
      CAPTURE(n.x);
      CAPTURE(n.y);
      CAPTURE(spacing_A.x);
      PbSystem system = random_system({n, spacing_A});
      ThreadPool pool(1);
      const PbLevels levels(system, SimdLevel::automatic, pool);
      VCycle cycle(levels, SimdLevel::automatic, pool);
      for (std::uint32_t seed = 0; seed < 3; ++seed) {
        auto a = random_inner(system.lattice, seed), b = random_inner(system.lattice, seed + 100);
        auto ma = random_inner(system.lattice, 7), mb = random_inner(system.lattice, 8);  // overwritten
        const double a_ma = cycle.apply(a.data(), ma.data()), b_mb = cycle.apply(b.data(), mb.data());
        CHECK(a_ma == doctest::Approx(product(a, ma)).epsilon(1e-12));
        CHECK(a_ma > 0.0);
        CHECK(b_mb > 0.0);
        // fp32 rounding of some tens of operations each
        CHECK(std::abs(product(a, mb) - product(b, ma)) < 2e-6 * std::sqrt(a_ma * b_mb));
      }
    }
}

TEST_CASE("poisson-boltzmann: the coarse levels keep what they stand for") {
  // In one material each level is the same material: the conductance of a face is area over distance.
  PbSystem system = plain_system({{}, {0.5, 0.5, 0.5}, {17, 12, 20}});
  std::fill(system.eps_x.begin(), system.eps_x.end(), 3.0f);
  std::fill(system.eps_y.begin(), system.eps_y.end(), 3.0f);
  std::fill(system.eps_z.begin(), system.eps_z.end(), 3.0f);
  system.ions = {{1, 0.1}, {-1, 0.1}};
  ThreadPool pool(2);
  const PbLevels levels(system, SimdLevel::automatic, pool);
  REQUIRE(levels.count() > 2);
  const double reaction = linear_reaction_per_A2(system);
  for (std::size_t n = 1; n < 3; ++n) {
    const PbLevel& level = levels.level(n);
    const double h = 0.5 * std::pow(2.0, double(n));
    const std::int64_t middle = 1 + level.row_stride() + level.plane_stride();
    CAPTURE(n);
    CHECK(level.face_x[middle] == doctest::Approx(3.0 * h));
    CHECK(level.face_y[middle] == doctest::Approx(3.0 * h));
    CHECK(level.face_z[middle] == doctest::Approx(3.0 * h));
    CHECK(level.reaction[middle] == doctest::Approx(reaction * h * h * h));
  }
  // 12 points: the last interval keeps its length.
  const PbLevel& half = levels.level(1);
  const std::int64_t last = 3 + half.row_stride() * (half.ny - 2) + half.plane_stride() * 3;
  CHECK(half.ny == 7);
  CHECK(half.face_y[last] == doctest::Approx(3.0 * 1.0 * 1.0 / 0.5));
  CHECK(half.face_x[last] == doctest::Approx(3.0 * 1.0 * 0.75 / 1.0));
}

TEST_CASE("poisson-boltzmann: the same bits for any number of threads") {
  for (const PbEquation equation : {PbEquation::linear, PbEquation::nonlinear}) {
    PbSystem first = random_system({{61, 50, 70}});
    PbSystem second = first;
    const PbConvergence a = PbSolver(first, {.equation = equation, .threads = 1}).solve();
    const PbConvergence b = PbSolver(second, {.equation = equation, .threads = 64}).solve();
    CHECK(a.iterations > 1);
    CHECK(a.history == b.history);
    CHECK(first.boundary_kT_e == second.boundary_kT_e);
  }
}

TEST_CASE("poisson-boltzmann: the same bits for more threads than processors") {
  PbSystem system = random_system({{71, 50, 80}});
  const auto r = random_inner(system.lattice, 3);
  std::vector<std::vector<float>> found;
  std::vector<double> norms;
  for (const int threads : {1, 2, 3, 5, 16}) {
    ThreadPool pool(threads);
    const PbLevels levels(system, SimdLevel::automatic, pool);
    HostWorkspace workspace(system.boundary_kT_e.size());
    ConjugateGradients gradients(levels, SimdLevel::automatic, pool, workspace);
    gradients.clear();
    std::copy(r.data(), r.data() + r.size(), gradients.residual().data());
    gradients.start();
    gradients.iterate();
    norms.push_back(gradients.iterate());
    found.emplace_back(gradients.correction().data(), gradients.correction().data() + r.size());
    CHECK(norms.back() == norms.front());
    CHECK(found.back() == found.front());
  }
  CHECK(norms.front() < 0.5 * std::sqrt(product(r, r)));
}

TEST_CASE("poisson-boltzmann: a changed box gives what a new solver would") {
  PbSystem system = random_system({{33, 26, 29}, {0.5, 0.5, 0.5}});
  PbSolver solver(system, {});
  const std::vector<float> start = system.boundary_kT_e;
  for (const PointBox& box : {PointBox{{5, 7, 9}, {9, 8, 15}},
                              {{0, 0, 0}, {3, 2, 1}},
                              {{30, 23, 26}, {32, 25, 28}},
                              {{16, 1, 16}, {16, 1, 16}}}) {
    CAPTURE(box.low.x);
    for (std::int64_t k = box.low.z; k <= box.high.z; ++k)
      for (std::int64_t j = box.low.y; j <= box.high.y; ++j)
        for (std::int64_t i = box.low.x; i <= box.high.x; ++i) {
          const std::size_t p = std::size_t(system.lattice.index(i, j, k));
          system.eps_x[p] = 2.5f;
          system.eps_y[p] = 3.5f + float(i);
          system.eps_z[p] = 4.5f;
          system.accessibility[p] = 0.25f;
          system.charge_e[p] = -0.1f;
        }
    solver.update(box);
    system.boundary_kT_e = start;
    const PbConvergence updated = solver.solve();
    PbSystem fresh = system;
    fresh.boundary_kT_e = start;
    const PbConvergence anew = PbSolver(fresh, {}).solve();
    CHECK(updated.history == anew.history);
    CHECK(system.boundary_kT_e == fresh.boundary_kT_e);
  }
}

TEST_CASE("poisson-boltzmann: memory by the point, the system's included") {
  constexpr double system_bytes = 24;
  for (const auto& [n, most] : {std::pair<Vec3<std::int64_t>, double>{{129, 97, 161}, 60.0},
                                {{257, 257, 257}, 60.0},
                                {{128, 96, 160}, 60.0}}) {
    const LatticeGeometry lattice{{}, {0.5, 0.5, 0.5}, n};
    const double bytes = double(host_vectors_bytes(lattice, true)) / double(lattice.size());
    CHECK(bytes + system_bytes < most);
    CHECK(bytes > 32.0);  // seven vectors in fp32, and levels
    const double on_device = double(device_vectors_bytes(lattice, true)) / double(lattice.size());
    CHECK(on_device < most);
    CHECK(on_device > 48.0);
  }
  CHECK(host_vectors_bytes({{}, {1, 1, 1}, {2, 9, 9}}, false) == 0);
}

TEST_CASE("poisson-boltzmann: cancelled, and told how far it is") {
  PbSystem system = random_system({{20, 21, 22}});
  const std::vector<float> start = system.boundary_kT_e;
  PbSolver solver(system, {});
  std::vector<double> told;
  solver.solve([&](double part) { told.push_back(part); });
  CHECK(told.size() > 3);
  CHECK(told.front() == 0.0);
  CHECK(told.back() == 1.0);
  for (std::size_t n = 1; n < told.size(); ++n) CHECK(told[n] >= told[n - 1]);
  for (const PbEquation equation : {PbEquation::linear, PbEquation::nonlinear}) {
    PbSystem again = system;
    again.boundary_kT_e = start;
    PbSolver cancelled(again, {.equation = equation});
    const auto cancel = [](double part) {
      if (part > 0.3) throw Error("cancelled");
    };
    CHECK_THROWS_WITH_AS(cancelled.solve(cancel), "cancelled", Error);
    CHECK(again.boundary_kT_e == start);
    CHECK(cancelled.solve().residual <= 1e-6);  // and can be used again
  }
}

TEST_CASE("poisson-boltzmann: an equation that is not solved in time says how far it came") {
  PbSystem system = random_system({{20, 21, 22}});
  const std::vector<float> start = system.boundary_kT_e;
  for (const PbEquation equation : {PbEquation::linear, PbEquation::nonlinear}) {
    const std::string message =
        error_of([&] { PbSolver(system, {.equation = equation, .max_iterations = 2}).solve(); });
    CHECK(message.find("not solved after 2 iterations: the residual is ") != std::string::npos);
    CHECK(message.find("allow more iterations") != std::string::npos);
    CHECK(system.boundary_kT_e == start);
  }
}

TEST_CASE("poisson-boltzmann: what is no equation is refused") {
  const PbSystem good = random_system({{6, 7, 8}});
  const auto message_of = [&](const auto& spoil) {
    PbSystem bad = good;
    spoil(bad);
    return error_of([&] { PbSolver(bad, {}).solve(); });
  };
  CHECK(message_of([](PbSystem&) {}) == "no error");
  CHECK(message_of([](PbSystem& s) {
          s.eps_y[9] = 0.0f;
        }).find("dielectric along y is 0 at lattice point 3 1 0") != std::string::npos);
  CHECK(message_of([](PbSystem& s) { s.eps_x[9] = -1.0f; }).find("must be positive") != std::string::npos);
  CHECK(message_of([](PbSystem& s) { s.eps_z[335] = std::nanf(""); }).find("5 6 7") != std::string::npos);
  CHECK(message_of([](PbSystem& s) { s.accessibility[0] = 1.5f; }).find("0 to 1") != std::string::npos);
  CHECK(message_of([](PbSystem& s) { s.charge_e[0] = INFINITY; }).find("charge is inf") != std::string::npos);
  CHECK(message_of([](PbSystem& s) { s.boundary_kT_e.pop_back(); }).find("has 335 values") !=
        std::string::npos);
  CHECK(message_of([](PbSystem& s) { s.ions[0].concentration_M = 0.2; }).find("net charge of 0.05") !=
        std::string::npos);
  CHECK(message_of([](PbSystem& s) { s.ions[0].concentration_M = -0.2; }).find("from 0 on") !=
        std::string::npos);
  CHECK(message_of([](PbSystem& s) { s.lattice.spacing_A.y = 0.0; }).find("spacing of 0 A") !=
        std::string::npos);
  CHECK(message_of([](PbSystem& s) { s.bjerrum_A = -1.0; }).find("Bjerrum length is -1") !=
        std::string::npos);
  PbSystem system = good;
  CHECK_THROWS_AS(PbSolver(system, {.tolerance = 0.0}), UsageError);
  CHECK_THROWS_AS(PbSolver(system, {.tolerance = std::numeric_limits<double>::quiet_NaN()}), UsageError);
  CHECK_THROWS_AS(PbSolver(system, {.max_iterations = 0}), UsageError);
}

}  // namespace ionwell::test
