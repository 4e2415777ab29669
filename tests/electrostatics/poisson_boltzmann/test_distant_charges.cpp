// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "electrostatics/poisson_boltzmann/model/distant_charges.hpp"

using namespace ionwell;

TEST_CASE("distant charges: groups act as their charges do") {
  std::mt19937 random(7);
  const auto number = [&random](double low, double high) {
    return low + (high - low) * double(random()) / double(std::mt19937::max());
  };
  for (const PairPotential& pair :
       {PairPotential{.kind = PairPotential::Kind::debye_hueckel, .prefactor = 7.14, .kappa_per_A = 0.127},
        PairPotential{.kind = PairPotential::Kind::coulomb, .prefactor = 7.14}}) {
    for (const int count : {0, 1, 8, 9, 700}) {
      CAPTURE(count);
      std::vector<PointCharge> charges;
      for (int n = 0; n < count; ++n) {
        const double x = number(-9, 9), y = number(-7, 7), z = number(-12, 12);
        charges.push_back({{x, y, z}, number(-1, 1)});
      }
      if (count > 100)  // as many in one place as are not divided further, and more
        for (int n = 0; n < 20; ++n) charges.push_back({{1, 2, 3}, 0.1});
      const DistantCharges groups(pair, charges);
      double worst = 0.0;
      for (int n = 0; n < 100; ++n) {
        Vec3<double> at{number(-30, 30), number(-30, 30), number(-30, 30)};
        if (n % 2 == 0) at.x = 15.0;
        double expected = 0.0, size = 0.0;
        for (const PointCharge& q : charges) {
          const double part = q.charge_e * pair.at(distance_squared(at, q.position_A));
          expected += part;
          size += std::abs(part);
        }
        worst = std::max(worst, std::abs(groups.potential_kT_e(at) - expected) / std::max(size, 1e-3));
      }
      // The octupoles that are left out, with what is beyond them; of many groups they cancel.
      CHECK(worst < (count < 100 ? 2 * std::pow(0.18, 3) : 3e-3));
    }
  }
}
