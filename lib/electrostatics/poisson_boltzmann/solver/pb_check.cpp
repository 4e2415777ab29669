#include "electrostatics/poisson_boltzmann/solver/pb_check.hpp"

#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "parallel/parallel_for.hpp"

namespace ionwell {
namespace {

/// The first index whose value is not as `is_good` asks; the size when all are.
template <typename IsGood>
std::int64_t first_bad(const std::vector<float>& values, int threads, const IsGood& is_good) {
  const std::int64_t size = std::int64_t(values.size());
  return parallel_reduce(
      threads, size, size,
      [&](std::int64_t first, std::int64_t last) {
        std::int64_t bad = 0;
        for (std::int64_t p = first; p < last; ++p) bad += !is_good(values[std::size_t(p)]);
        if (bad == 0) return size;
        while (is_good(values[std::size_t(first)])) ++first;
        return first;
      },
      [](std::int64_t a, std::int64_t b) { return std::min(a, b); });
}

template <typename IsGood>
void check_array(const PbSystem& system, const std::vector<float>& values, int threads, const char* what,
                 const char* why, const IsGood& is_good) {
  const LatticeGeometry& lattice = system.lattice;
  if (std::int64_t(values.size()) != lattice.size())
    fail("the Poisson-Boltzmann equation's ", what, " has ", values.size(), " values for a lattice of ",
         lattice.counts.x, " x ", lattice.counts.y, " x ", lattice.counts.z,
         " points; give one for each point");
  const std::int64_t bad = first_bad(values, threads, is_good);
  if (bad == lattice.size()) return;
  const Vec3<std::int64_t> at = lattice.point(bad);
  fail("the Poisson-Boltzmann equation's ", what, " is ", values[std::size_t(bad)], " at lattice point ",
       at.x, ' ', at.y, ' ', at.z, " (", why, "); correct the model it comes from");
}

void check_ions(const PbSystem& system) {
  double net = 0.0, all = 0.0;
  for (const MobileIon& ion : system.ions) {
    if (!(ion.concentration_M >= 0.0) || !std::isfinite(ion.concentration_M * ion.charge_e))
      fail("an ion of the solution has the charge ", ion.charge_e, " e and the concentration ",
           ion.concentration_M, " M (a concentration is a number from 0 on); correct it");
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
  constexpr float highest = std::numeric_limits<float>::max();
  const auto is_positive = [](float v) { return v > 0.0f && v <= highest; };
  const auto is_share = [](float v) { return v >= 0.0f && v <= 1.0f; };
  const auto is_finite = [](float v) { return v >= -highest && v <= highest; };
  check_array(system, system.eps_x, threads, "dielectric along x", "it must be positive", is_positive);
  check_array(system, system.eps_y, threads, "dielectric along y", "it must be positive", is_positive);
  check_array(system, system.eps_z, threads, "dielectric along z", "it must be positive", is_positive);
  check_array(system, system.accessibility, threads, "accessibility", "it is a share, 0 to 1", is_share);
  check_array(system, system.charge_e, threads, "charge", "it must be a number", is_finite);
  check_array(system, system.boundary_kT_e, threads, "boundary", "it must be a number", is_finite);
  check_ions(system);
}

}  // namespace ionwell
