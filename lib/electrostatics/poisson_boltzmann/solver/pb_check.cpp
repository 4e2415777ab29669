// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/poisson_boltzmann/solver/pb_check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "parallel/parallel_for.hpp"

namespace ionwell {
namespace {

constexpr float highest = std::numeric_limits<float>::max();
// Without a branch: vectors of them are compared at once.
constexpr auto is_positive = [](float v) { return int(v > 0.0f) & int(v <= highest); };
constexpr auto is_share = [](float v) { return int(v >= 0.0f) & int(v <= 1.0f); };
constexpr auto is_finite = [](float v) { return int(v >= -highest) & int(v <= highest); };

/// Calls check(values, what, why, is_good) for each array of the matrix.
template <typename Check>
void for_each_coefficient(const PbSystem& system, const Check& check) {
  check(system.eps_x, "dielectric along x", "it must be positive", is_positive);
  check(system.eps_y, "dielectric along y", "it must be positive", is_positive);
  check(system.eps_z, "dielectric along z", "it must be positive", is_positive);
  check(system.accessibility, "accessibility", "it must be a fraction from 0 to 1", is_share);
}

/// The first index from `first` to before `last` whose value is not as `is_good` asks; `none` when all are.
template <typename IsGood>
std::int64_t first_bad(const std::vector<float>& values, std::int64_t first, std::int64_t last,
                       std::int64_t none, const IsGood& is_good) {
  int all_good = 1;
  for (std::int64_t p = first; p < last; ++p) all_good &= is_good(values[std::size_t(p)]);
  if (all_good != 0) return none;
  while (is_good(values[std::size_t(first)]) != 0) ++first;
  return first;
}

[[noreturn]] void refuse(const PbSystem& system, const std::vector<float>& values, std::int64_t bad,
                         const char* what, const char* why) {
  const Vec3<std::int64_t> at = system.lattice.point(bad);
  fail("the Poisson-Boltzmann equation's ", what, " is ", values[std::size_t(bad)], " at lattice point ",
       at.x, ' ', at.y, ' ', system.lattice.first_plane + at.z, " (", why,
       "); correct the model it comes from");
}

void check_ions(const PbSystem& system) {
  double net = 0.0, all = 0.0;
  for (const MobileIon& ion : system.ions) {
    if (!(ion.concentration_M >= 0.0) || !std::isfinite(ion.concentration_M * ion.charge_e))
      fail("an ion of the solution has the charge ", ion.charge_e, " e and the concentration ",
           ion.concentration_M, " M (a concentration must not be negative); correct it");
    net += ion.concentration_M * ion.charge_e;
    all += ion.concentration_M * std::abs(ion.charge_e);
  }
  constexpr double rounding = 1e-6;  // of concentrations given with six digits
  if (std::abs(net) > rounding * all)
    fail("the ions of the solution have a net charge of ", net,
         " e mol/L (far from the solute the solution must be neutral); balance their concentrations");
}

}  // namespace

void check_system(const PbSystem& system, int threads) {
  const Vec3<double>& h = system.lattice.spacing_A;
  for (const double spacing_A : {h.x, h.y, h.z})
    if (!(spacing_A > 0.0) || !std::isfinite(spacing_A))
      fail("the Poisson-Boltzmann equation's lattice has a spacing of ", spacing_A,
           " A (it must be positive); choose another");
  if (!(system.bjerrum_A > 0.0) || !std::isfinite(system.bjerrum_A))
    fail("the Poisson-Boltzmann equation's Bjerrum length is ", system.bjerrum_A,
         " A (it must be positive); correct the temperature");
  check_ions(system);
  if (system.is_on_device) return;  // made there as the model's makers make them
  const auto check_array = [&](const std::vector<float>& values, const char* what, const char* why,
                               const auto& is_good) {
    const LatticeGeometry& lattice = system.lattice;
    const std::int64_t size = std::ssize(values);
    if (size != lattice.size())
      fail("the Poisson-Boltzmann equation's ", what, " has ", size, " values for a lattice of ",
           lattice.counts.x, " x ", lattice.counts.y, " x ", lattice.counts.z,
           " points; give one for each point");
    const std::int64_t bad = parallel_reduce(
        threads, size, size,
        [&](std::int64_t first, std::int64_t last) { return first_bad(values, first, last, size, is_good); },
        [](std::int64_t a, std::int64_t b) { return std::min(a, b); });
    if (bad < size) refuse(system, values, bad, what, why);
  };
  for_each_coefficient(system, check_array);
  check_array(system.charge_e, "charge", "it must be a number", is_finite);
  check_array(system.boundary_kT_e, "boundary", "it must be a number", is_finite);
}

void check_coefficients(const PbSystem& system, const PointBox& box) {
  if (system.is_on_device) return;
  constexpr std::int64_t none = -1;
  for_each_coefficient(
      system, [&](const std::vector<float>& values, const char* what, const char* why, const auto& is_good) {
        const LatticeGeometry& lattice = system.lattice;
        const std::int64_t low = std::max(box.low.z - lattice.first_plane, std::int64_t{0}),
                           high = std::min(box.high.z - lattice.first_plane, lattice.counts.z - 1);
        for (std::int64_t k = low; k <= high; ++k)
          for (std::int64_t j = box.low.y; j <= box.high.y; ++j) {
            const std::int64_t row = lattice.index(0, j, k);
            const std::int64_t bad = first_bad(values, row + box.low.x, row + box.high.x + 1, none, is_good);
            if (bad != none) refuse(system, values, bad, what, why);
          }
      });
}

}  // namespace ionwell
