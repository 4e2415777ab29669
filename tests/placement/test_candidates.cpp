// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "placement/block_bounds.hpp"
#include "placement/candidates.hpp"

using namespace ionwell;

namespace {

/// choose_candidate with the same bands for all candidates; `asked` counts calls for the exact one.
std::size_t choose(const std::vector<Candidate>& summed, double loosest_kT, double tie_kT, int& asked) {
  return choose_candidate(
      summed, [&](std::size_t) { return loosest_kT; },
      [&](std::size_t) {
        ++asked;
        return tie_kT;
      });
}

}  // namespace

TEST_CASE("candidates: the lowest energy wins, and of ties the lowest index") {
  int asked = 0;
  const std::vector<Candidate> apart{{-3.0, 0.0, 7}, {-5.0, 0.0, 9}, {-4.0, 0.0, 1}};
  CHECK(choose(apart, 0.5, 0.5, asked) == 1);
  CHECK(asked == 0);
  CHECK(choose({{2.0, 0.0, 4}}, 1e9, 1e9, asked) == 0);
  CHECK(asked == 0);

  const std::vector<Candidate> close{{-5.0, 0.0, 9}, {-5.0 + 1e-13, 0.0, 3}, {-5.0 + 1e-12, 0.0, 1}};
  CHECK(choose(close, 2e-12, 2e-13, asked) == 1);  // the third is outside of the band itself
  CHECK(asked == 1);
  CHECK(choose(close, 2e-12, 2e-12, asked) == 2);
  CHECK(choose(close, 2e-12, 0.0, asked) == 0);
  CHECK(asked == 3);

  const std::vector<Candidate> equal{{-5.0, 0.0, 9}, {-5.0, 0.0, 3}, {-5.0, 0.0, 6}};
  CHECK(choose(equal, 0.0, 0.0, asked) == 1);
}

TEST_CASE("candidates: who stays in the running") {
  const Candidate c{-1.0, 0.25, 5};
  CHECK(c.may_reach(-1.25));
  CHECK(!c.may_reach(-1.5));
  CHECK(precedes({-2.0, 0.0, 9}, c));
  CHECK(precedes({-1.0, 0.0, 4}, c));
  CHECK(!precedes(c, c));
  CHECK(!precedes({-1.0, 0.0, 6}, c));

  LowestEnergy lowest;
  CHECK(c.may_reach(lowest.limit_kT()));
  CHECK(lowest.include(-1.5));
  lowest.tie_kT = 0.125;
  CHECK(!lowest.include(-1.5));  // the first of equal ones
  CHECK(!lowest.include(-1.0));
  CHECK(lowest.limit_kT() == -1.375);
  CHECK(!c.may_reach(lowest.limit_kT()));
  CHECK(lowest.include(-2.0));
  CHECK(lowest.limit_kT() == -2.0);
}

TEST_CASE("block bounds: rounded outwards, and no farther") {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float largest = std::numeric_limits<float>::max();
  for (const double x : {0.1, -0.1, 1.0 + 1e-12, 1.0 - 1e-12, -1e-50, 1e-50, 3e38, -3e38}) {
    CAPTURE(x);
    CHECK(double(round_down(x)) <= x);
    CHECK(double(std::nextafter(round_down(x), infinity)) > x);
    CHECK(double(round_up(x)) >= x);
    CHECK(double(std::nextafter(round_up(x), -infinity)) < x);
  }
  for (const float x : {0.0f, 1.0f, -2.5f, largest, infinity, -infinity}) {
    CHECK(round_down(double(x)) == x);
    CHECK(round_up(double(x)) == x);
  }
  CHECK(round_down(1e300) == largest);
  CHECK(round_up(1e300) == infinity);
  CHECK(round_up(-1e300) == -largest);
}

TEST_CASE("block bounds: the error is in them, twice where values decide") {
  const Vec3<double> spacing_A{0.5, 1.0, 2.0};
  const ValueSummary values{{-2.0f, 3.0f}, {-0.5f, 0.25f}, {0.5f, -1.0f, 0.25f}, 0.125f};
  for (const bool refine : {true, false}) {
    CAPTURE(refine);
    const double margin = refine ? 0.125 : 0.25;
    const BlockBounds bounds = block_bounds(values, refine, spacing_A);
    CHECK(bounds.range.lowest == float(-2.0 - margin));  // exact in fp32
    CHECK(bounds.range.highest == float(3.0 + margin));
    // Beside the error: what taking the plane away may round, of 4 * 1.75 + 3 at most, 4 * 2^-24 of it.
    CHECK(double(bounds.above_plane.lowest) < -0.5 - margin);
    CHECK(double(bounds.above_plane.lowest) > -0.5 - margin - 1e-5);
    CHECK(double(bounds.above_plane.highest) > 0.25 + margin);
    CHECK(double(bounds.above_plane.highest) < 0.25 + margin + 1e-5);
    CHECK(bounds.slope_kT_eA.x == 1.0f);
    CHECK(bounds.slope_kT_eA.y == -1.0f);
    CHECK(bounds.slope_kT_eA.z == 0.125f);
  }
  const float error = error_of_changed(1e-3f, 2e-3f, 100.0f);
  CHECK(double(error) >= 3e-3 + 100.0 * 0x1p-24);
  CHECK(double(error) < 1.00001 * (3e-3 + 100.0 * 0x1p-24));
}
