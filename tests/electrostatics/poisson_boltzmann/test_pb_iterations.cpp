// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <memory>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "electrostatics/poisson_boltzmann/plain_pb.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_solver.hpp"

/// What PbSolver asks of vectors, and in which order.
namespace ionwell::test {
namespace {

/// Vectors of which only the norms are there: each iteration leaves what the test says.
class OnlyNorms final : public PbVectors {
 public:
  /// `done` counts the iterations, `followed` those that begin the next one.
  OnlyNorms(std::vector<double> left, std::size_t& done, int& followed)
      : left_(std::move(left)), done_(done), followed_(followed) {}
  ~OnlyNorms() override { CHECK(!is_followed_); }

  void update(const PointBox&) override {}
  double load() override { return 1.0; }
  double compute_residual() override { return norm_; }
  void linearise() override {}
  void start_gradients() override { CHECK(!is_followed_); }
  double iterate(bool is_followed) override {
    REQUIRE(done_ < left_.size());
    is_followed_ = is_followed;
    followed_ += is_followed;
    return norm_ *= left_[done_++];
  }
  double add_correction() override {
    CHECK(!is_followed_);  // else one is on its way
    return norm_;
  }
  double add_newton_step() override {
    CHECK(!is_followed_);
    return norm_;
  }
  std::int64_t points_beyond_cap() override { return 0; }
  void store() override { CHECK(!is_followed_); }

 private:
  std::vector<double> left_;
  std::size_t& done_;
  int& followed_;
  double norm_ = 1.0;
  bool is_followed_ = false;
};

}  // namespace

TEST_CASE("poisson-boltzmann: iterations that are begun ahead are ended, too") {
  const std::vector<double> usual(12, 0.15), jump = {0.15, 0.15, 1e-6, 0.5},
                                             jump_in_step = {0.15, 0.15, 1e-4, 0.5, 0.5, 0.5};
  for (const PbEquation equation : {PbEquation::linear, PbEquation::nonlinear}) {
    const bool is_linear = equation == PbEquation::linear;
    PbSystem system = random_system({{9, 9, 9}});
    std::size_t done = 0;
    int followed = 0;
    const auto solve = [&](const std::vector<double>& left, int most) {
      done = 0;
      followed = 0;
      PbSolver solver(system, {.equation = equation, .tolerance = 1e-6, .max_iterations = most},
                      [&](PbSystem&, const PbSolverOptions&) {
                        return std::make_unique<OnlyNorms>(left, done, followed);
                      });
      const PbConvergence convergence = solver.solve();
      CHECK(std::size_t(convergence.iterations) == done);
      if (is_linear) CHECK(convergence.history.size() == done + 1);
      return convergence.iterations;
    };
    CHECK(solve(usual, 200) == 8);
    if (is_linear) {
      CHECK(followed == 5);  // four on the way to 1e-4, one from there to 1e-6
      // The third iteration is enough at once, when the fourth has begun.
      CHECK(solve(jump, 200) == 4);
    } else {
      // The third, the first of the second step, is enough for that, when the fourth has begun.
      CHECK(solve(jump_in_step, 200) == 6);
    }
    CHECK_THROWS_AS(solve(usual, 4), Error);
    CHECK(done == 4);
  }
}

}  // namespace ionwell::test
