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
  explicit OnlyNorms(std::vector<double> left) : left_(std::move(left)) {}
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

  std::size_t done() const { return done_; }
  int followed() const { return followed_; }

 private:
  std::vector<double> left_;
  std::size_t done_ = 0;
  double norm_ = 1.0;
  int followed_ = 0;
  bool is_followed_ = false;
};

}  // namespace

TEST_CASE("poisson-boltzmann: iterations that are begun ahead are ended, too") {
  const std::vector<double> usual(12, 0.15), jump = {0.15, 0.15, 1e-6, 0.5},
                                             jump_in_step = {0.15, 0.15, 1e-4, 0.5, 0.5, 0.5};
  for (const PbEquation equation : {PbEquation::linear, PbEquation::nonlinear}) {
    const bool is_linear = equation == PbEquation::linear;
    PbSystem system = random_system({{9, 9, 9}});
    const auto solve = [&](const std::vector<double>& left, int most) {
      OnlyNorms* norms = nullptr;
      PbSolver solver(system, {.equation = equation, .tolerance = 1e-6, .max_iterations = most},
                      [&](PbSystem&, const PbSolverOptions&) {
                        auto made = std::make_unique<OnlyNorms>(left);
                        norms = made.get();
                        return made;
                      });
      const PbConvergence convergence = solver.solve();
      CHECK(std::size_t(convergence.iterations) == norms->done());
      if (is_linear) CHECK(convergence.history.size() == norms->done() + 1);
      return std::pair(convergence.iterations, norms->followed());
    };
    const auto [iterations, followed] = solve(usual, 200);
    CHECK(iterations == 8);
    if (is_linear) {
      CHECK(followed == 5);  // four on the way to 1e-4, one from there to 1e-6
      // The third iteration is enough at once, when the fourth has begun.
      CHECK(solve(jump, 200).first == 4);
    } else {
      // The third, the first of the second step, is enough for that, when the fourth has begun.
      CHECK(solve(jump_in_step, 200).first == 6);
    }
    CHECK_THROWS_AS(solve(usual, 4), Error);  // after four, not five
  }
}

}  // namespace ionwell::test
