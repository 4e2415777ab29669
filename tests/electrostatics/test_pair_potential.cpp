// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <limits>

#include "core/error.hpp"
#include "electrostatics/pair_potential.hpp"
#include "support/cases.hpp"
#include "support/error_of.hpp"
#include "support/reference.hpp"

using namespace ionwell;
using namespace ionwell::test;

TEST_CASE("pair potential: the published constants") {
  // CODATA 2018: a unit charge at 1 A in vacuum, 298.15 K.
  CHECK(pair_potential({}).at(1.0) == doctest::Approx(560.46).epsilon(1e-5));
  CHECK(pair_potential({.dielectric = 40.0}).at(4.0) == doctest::Approx(560.46 / 80.0).epsilon(1e-5));
  CHECK(pair_potential({.temperature_K = 310.0}).at(1.0) ==
        doctest::Approx(560.46 * 298.15 / 310.0).epsilon(1e-5));
  CHECK(pair_potential({.ddd_per_A = 3.0}).at(4.0) == doctest::Approx(560.46 / 12.0).epsilon(1e-5));
  // 3.04 A / sqrt(I) in water at 298.15 K.
  const PairPotential screened = pair_potential({.ionic_strength_M = 0.15});
  CHECK(1.0 / screened.kappa_per_A == doctest::Approx(7.85).epsilon(1e-3));
  CHECK(screened.at(100.0) ==
        doctest::Approx(560.46 / 78.54 / 10.0 * std::exp(-10.0 * screened.kappa_per_A)).epsilon(1e-5));
  // Without a salt there is nothing to screen, but the user meant water.
  CHECK(pair_potential({.ionic_strength_M = 0.0}).at(1.0) == doctest::Approx(560.46 / 78.54).epsilon(1e-5));
}

TEST_CASE("pair potential: the formula, its limit on top of a charge, and its derivatives") {
  for (const auto& [name, pair] : pairs()) {
    CAPTURE(name);
    for (const double r : {0.0, 1e-4, 1e-3, 0.01, 0.5, 3.0, 50.0, 800.0})
      CHECK(pair.at(r * r) == doctest::Approx(reference_pair(pair, r)).epsilon(1e-12));
    for (const double r : {0.5, 3.0, 20.0}) {
      CAPTURE(r);
      const double d = 1e-3 * r;
      const double below = reference_pair(pair, r - d), here = reference_pair(pair, r),
                   above = reference_pair(pair, r + d);
      const PairPotential::Derivatives derivatives = pair.derivatives(r);
      CHECK(derivatives.slope == doctest::Approx((above - below) / (2 * d)).epsilon(1e-5));
      CHECK(derivatives.curvature == doctest::Approx((above - 2 * here + below) / (d * d)).epsilon(1e-4));
    }
  }
}

TEST_CASE("pair potential: options out of range name themselves") {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  for (const double bad : {0.0, -1.0, nan, inf}) {
    CAPTURE(bad);
    CHECK_THROWS_AS(pair_potential({.temperature_K = bad}), UsageError);
    CHECK_THROWS_AS(pair_potential({.dielectric = bad}), UsageError);
    CHECK_THROWS_AS(pair_potential({.ddd_per_A = bad}), UsageError);
    if (bad != 0.0) CHECK_THROWS_AS(pair_potential({.ionic_strength_M = bad}), UsageError);
  }
  CHECK(error_of([] { pair_potential({.dielectric = -2.0}); }) ==
        "the dielectric constant is -2 (it must be from 0.01 to 1e+06)");
  CHECK_THROWS_AS(pair_potential({.dielectric = 4.0, .ddd_per_A = 3.0}), UsageError);
  CHECK_THROWS_AS(pair_potential({.ddd_per_A = 3.0, .ionic_strength_M = 0.1}), UsageError);
}
