// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/multilevel/multilevel_plan.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/error.hpp"
#include "electrostatics/simd/grid_kernels.hpp"

namespace ionwell {
namespace {

using std::numbers::pi;

constexpr double step = 0.5 * std::numbers::ln2;  // D: two Gaussians to an octave
constexpr double inverse_sqrt_pi = std::numbers::inv_sqrtpi;

/// Weight of the Gaussian exp(-(t r)^2) in the pair potential of a unit charge.
double gaussian_weight(const PairPotential& pair, double t) {
  if (pair.kind == PairPotential::Kind::distance_dependent) return pair.prefactor * 2.0 * step * t * t;
  const double screening = pair.kappa_per_A / (2.0 * t);
  return pair.prefactor * 2.0 * step * inverse_sqrt_pi * t * std::exp(-screening * screening);
}

/// Samples of exp(-(t h n)^2), n = -radius..radius, filtered so that B-splines with these coefficients on
/// both sides reproduce them at the grid points: divided by the square of the B-spline's own sampled
/// spectrum.
std::vector<float> gaussian_taps(MultilevelBasis basis, double t_h) {
  constexpr int period = 512;  // far beyond any Gaussian's reach, so that wrapping around adds nothing
  const int order = basis_order(basis);
  std::vector<double> spline(order);
  basis_weights(basis, 0.0, spline.data());
  const int middle = order / 2 - 1;  // spline[middle + n] is the B-spline at n
  std::vector<double> taps(period / 2, 0.0);
  for (int k = 0; k < period; ++k) {
    double spectrum = 1.0, filter = spline[middle];
    for (int n = 1; n < period / 2; ++n) {
      const double g = std::exp(-(t_h * n) * (t_h * n));
      if (g < 1e-18) break;
      spectrum += 2.0 * g * std::cos(2.0 * pi * k * n / period);
    }
    for (int n = 1; n <= middle; ++n)
      filter += 2.0 * spline[middle + n] * std::cos(2.0 * pi * k * n / period);
    const double value = spectrum / (filter * filter) / period;
    for (int n = 0; n < period / 2; ++n) taps[n] += value * std::cos(2.0 * pi * k * n / period);
  }
  constexpr double negligible = 2e-8;  // below fp32
  int radius = period / 2 - 1;
  while (radius > 0 && std::abs(taps[radius]) < negligible * taps[0]) --radius;
  std::vector<float> result(2 * radius + 1);
  for (int n = -radius; n <= radius; ++n) result[n + radius] = float(taps[std::abs(n)]);
  return result;
}

/// Hardy et al. 2009, eq. 7: the C2 Taylor smoothing of 1/r, gamma(rho) = 1/rho beyond 1.
double taylor_gamma(double rho) {
  if (rho >= 1.0) return 1.0 / rho;
  const double s = rho * rho;
  return 15.0 / 8.0 - 5.0 / 4.0 * s + 3.0 / 8.0 * s * s;
}

/// Stone et al. 2007, eq. 7: the same for 1/r^2, 1/s expanded about s = 1.
double taylor_gamma_squared(double rho) {
  const double s = rho * rho;
  if (s >= 1.0) return 1.0 / s;
  const double d = s - 1.0;
  return 1.0 - d + d * d;
}

double softened(const PairPotential& pair, double r, double cutoff_A) {
  if (pair.kind == PairPotential::Kind::distance_dependent)
    return pair.prefactor * taylor_gamma_squared(r / cutoff_A) / (cutoff_A * cutoff_A);
  return pair.prefactor * taylor_gamma(r / cutoff_A) / cutoff_A;
}

/// Samples of the softened potential of cutoff a less that of cutoff 2 a (or all of it on the top level).
Stencil sampled_stencil(const PairPotential& pair, double spacing_A, double cutoff_A, bool top,
                        const Vec3<std::int64_t>& counts) {
  Stencil stencil;
  const std::int64_t longest = std::max({counts.x, counts.y, counts.z}) - 1;
  stencil.radius =
      int(top ? longest : std::min<std::int64_t>(longest, std::int64_t(2.0 * cutoff_A / spacing_A)));
  const int n = stencil.radius;
  for (int k = -n; k <= n; ++k)
    for (int j = -n; j <= n; ++j)
      for (int i = -n; i <= n; ++i) {
        const double r = spacing_A * std::sqrt(double(i) * i + double(j) * j + double(k) * k);
        const double below = softened(pair, r, cutoff_A);
        stencil.weights.push_back(float(top ? below : below - softened(pair, r, 2.0 * cutoff_A)));
      }
  return stencil;
}

/// Coefficients of the polynomial in z = 2 (r/cutoff)^2 - 1 through `f` at Chebyshev's points.
template <typename Function>
std::vector<float> polynomial(double cutoff_A, int coefficients, const Function& f) {
  const int points = coefficients;
  std::vector<double> chebyshev(points, 0.0);
  for (int i = 0; i < points; ++i) {
    const double angle = pi * (i + 0.5) / points, z = std::cos(angle);
    const double value = f(cutoff_A * std::sqrt(0.5 * (z + 1.0)));
    for (int n = 0; n < points; ++n)
      chebyshev[n] += (n == 0 ? 1.0 : 2.0) / points * value * std::cos(n * angle);
  }
  // T_0 = 1, T_1 = z, T_n+1 = 2 z T_n - T_n-1
  std::vector<double> before{1.0}, now{0.0, 1.0}, sum(points, 0.0);
  for (int n = 0; n < points; ++n) {
    const std::vector<double>& t = n == 0 ? before : now;
    for (std::size_t k = 0; k < t.size(); ++k) sum[k] += chebyshev[n] * t[k];
    if (n == 0) continue;
    std::vector<double> next(now.size() + 1, 0.0);
    for (std::size_t k = 0; k < now.size(); ++k) next[k + 1] += 2.0 * now[k];
    for (std::size_t k = 0; k < before.size(); ++k) next[k] -= before[k];
    before = std::move(now);
    now = std::move(next);
  }
  return {sum.begin(), sum.end()};
}

/// The grid of twice the spacing whose basis functions reach all points of `fine`.
LatticeGeometry coarser_grid(const LatticeGeometry& fine, int transfer_radius) {
  const std::int64_t before = (transfer_radius + 1) / 2;
  const auto points = [&](std::int64_t n) { return (n - 1 + transfer_radius + 1) / 2 + before + 1; };
  const Vec3<double> h = 2.0 * fine.spacing_A;
  return {fine.origin_A - double(before) * h,
          h,
          {points(fine.counts.x), points(fine.counts.y), points(fine.counts.z)}};
}

void require(bool good, const char* what, double value, const char* way_out) {
  if (!good) fail<UsageError>(what, " is ", value, " A; ", way_out);
}

}  // namespace

LatticeGeometry finest_grid(const LatticeGeometry& lattice, std::span<const PointCharge> charges,
                            const MultilevelOptions& options) {
  Box box{lattice.origin_A, lattice.position_A(lattice.size() - 1)};
  for (const PointCharge& charge : charges) box = extended(box, charge.position_A);
  const std::int64_t margin = basis_order(options.basis) / 2;
  const double spacing_A = options.spacing_A;
  const auto points = [&](double extent) {
    return std::int64_t(std::floor(extent / spacing_A)) + 1 + 2 * margin + 1;
  };
  const Vec3<double> extent = box.highest_A - box.lowest_A, h{spacing_A, spacing_A, spacing_A};
  return {box.lowest_A - double(margin) * h, h, {points(extent.x), points(extent.y), points(extent.z)}};
}

std::vector<PointCharge> corner_charges(std::span<const Atom> atoms) {
  const auto is_charged = [](const Atom& atom) { return atom.charge_e != 0.0; };
  const auto first = std::ranges::find_if(atoms, is_charged);
  if (first == atoms.end()) return {};
  Box box{first->position_A, first->position_A};
  for (const Atom& atom : atoms)
    if (is_charged(atom)) box = extended(box, atom.position_A);
  return {{box.lowest_A}, {box.highest_A}};
}

double MultilevelPlan::long_range_kT_e(double distance_A) const {
  if (options.basis == MultilevelBasis::cubic) return softened(pair, distance_A, options.cutoff_A);
  double sum = constant_kT_e;
  for (const MultilevelLevel& level : levels)
    for (const GaussianTerm& term : level.gaussians) {
      const double x = term.t_per_A * distance_A;
      sum += term.weight_kT_e * std::exp(-x * x);
    }
  return sum;
}

std::int64_t first_fine_point(const LatticeGeometry& fine, const LatticeGeometry& coarse) {
  return std::int64_t(std::llround((coarse.origin_A.x - fine.origin_A.x) / fine.spacing_A.x));
}

void check_multilevel(const LatticeGeometry& lattice, const PairPotential& pair,
                      const MultilevelOptions& options) {
  if (!(lattice.spacing_A.x == lattice.spacing_A.y && lattice.spacing_A.y == lattice.spacing_A.z))
    fail<UsageError>("multilevel summation needs the same lattice spacing on all axes, not ",
                     lattice.spacing_A.x, ", ", lattice.spacing_A.y, ", ", lattice.spacing_A.z,
                     " A; use --method direct");
  require(options.spacing_A > 0.05 && options.spacing_A < 100.0, "--tune msm-spacing", options.spacing_A,
          "0.5 to 2 A is common");
  // Beyond 40 spacings the Gaussians would be wider than the period that their taps are computed with.
  require(options.cutoff_A >= 2.0 * options.spacing_A && options.cutoff_A <= 40.0 * options.spacing_A,
          "--tune msm-cutoff", options.cutoff_A, "use 5 to 8 times --tune msm-spacing");
  if (options.basis == MultilevelBasis::cubic && pair.kind == PairPotential::Kind::debye_hueckel)
    fail<UsageError>(
        "the cubic basis has no splitting for Debye-Hueckel potentials; use --tune msm-basis=bspline8");
}

MultilevelPlan multilevel_plan(const LatticeGeometry& lattice, std::span<const PointCharge> charges,
                               const PairPotential& pair, const MultilevelOptions& options) {
  check_multilevel(lattice, pair, options);
  const bool published = options.basis == MultilevelBasis::cubic;
  MultilevelPlan plan;
  plan.options = options;
  plan.pair = pair;
  plan.order = basis_order(options.basis);
  const int transfer_radius = int(transfer_weights(options.basis).size()) / 2;
  LatticeGeometry grid = finest_grid(lattice, charges, options);
  const Vec3<double> extent = grid.position_A(grid.size() - 1) - grid.origin_A;
  const double diameter_A = std::sqrt(dot(extent, extent));

  if (published) {
    constexpr std::int64_t top_points = 20 * 20 * 20;  // few enough for all pairs
    constexpr std::int64_t top_edge = 40;              // and for a cube of weights of twice that edge
    double cutoff_A = options.cutoff_A;
    for (bool top = false; !top; grid = coarser_grid(grid, transfer_radius), cutoff_A *= 2.0) {
      const std::int64_t edge = std::max({grid.counts.x, grid.counts.y, grid.counts.z});
      top = (grid.size() <= top_points && edge <= top_edge) || cutoff_A > diameter_A;
      plan.levels.push_back({grid, {}, sampled_stencil(pair, grid.spacing_A.x, cutoff_A, top, grid.counts)});
    }
    plan.long_range_polynomial =
        polynomial(options.cutoff_A, taylor_coefficients, [&](double r) { return plan.long_range_kT_e(r); });
    return plan;
  }

  // With a decay of 3 the terms that are left out, the widest of them by far, are below 2e-4 of 1/r at the
  // cutoff.
  const double narrowest_per_A = options.decay / options.cutoff_A;
  double t = narrowest_per_A * std::exp(-step);
  const double narrow_h = t * options.spacing_A;  // the same on every level: both halve from level to level
  const std::vector<float> narrow = gaussian_taps(options.basis, narrow_h);
  const std::vector<float> wide = gaussian_taps(options.basis, narrow_h * std::exp(-step));
  constexpr double flat = 0.01;  // a Gaussian with t times the diameter below this is a constant to 1e-4
  for (;; grid = coarser_grid(grid, transfer_radius)) {
    MultilevelLevel level{grid, {}, {}};
    level.gaussians.push_back({gaussian_weight(pair, t), t, narrow});
    t *= std::exp(-step);
    level.gaussians.push_back({gaussian_weight(pair, t), t, wide});
    t *= std::exp(-step);
    plan.levels.push_back(level);
    const double left = gaussian_weight(pair, t) / gaussian_weight(pair, narrowest_per_A);
    if (t * diameter_A < flat || left < 1e-9) break;
  }
  for (double w = gaussian_weight(pair, t); w > 1e-16 * pair.prefactor;
       t *= std::exp(-step), w = gaussian_weight(pair, t))
    plan.constant_kT_e += w;
  plan.long_range_polynomial =
      polynomial(options.cutoff_A, gaussian_coefficients, [&](double r) { return plan.long_range_kT_e(r); });
  return plan;
}

std::int64_t multilevel_bytes(const LatticeGeometry& lattice, std::span<const PointCharge> charges,
                              const PairPotential& pair, const MultilevelOptions& options) {
  check_multilevel(lattice, pair, options);
  const LatticeGeometry grid = finest_grid(lattice.whole(), charges, options);
  // Charges, potential and work space, a quarter of a grid while it is prolonged, and the coarser levels.
  return std::int64_t(sizeof(float)) * grid.size() * 15 / 4;
}

}  // namespace ionwell
