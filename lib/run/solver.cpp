#include "run/solver.hpp"

namespace ionwell {
namespace {

/// Pairs per second of the direct sum on one core of a 2023 server processor (`ionwell-bench direct`,
/// `crossover`).
double direct_pairs_per_s(const PairPotential& pair, SimdLevel simd) {
  if (simd == SimdLevel::automatic) simd = best_simd_level();
  const bool screened = pair.kind == PairPotential::Kind::debye_hueckel;
  if (simd == SimdLevel::avx512) return screened ? 2.6e9 : 13.5e9;
  if (simd == SimdLevel::avx2) return screened ? 1.7e9 : 11e9;
  return screened ? 0.6e9 : 4.5e9;
}

// Fitted to ionwell-bench crossover: the two meet at 700 charges on 0.66 million points, 250 on 3.5 million.
constexpr double multilevel_start_s = 0.020;  // kernels, coarse grids, measuring the error
constexpr double multilevel_point_s = 16e-9;  // a lattice point, with its share of the grids

}  // namespace

std::string_view to_string(Method method) {
  switch (method) {
    case Method::automatic:
      return "auto";
    case Method::direct:
      return "direct";
    case Method::multilevel:
      return "msm";
  }
  return "unknown";
}

double predicted_seconds(Method method, const LatticeGeometry& lattice, std::size_t charges,
                         const PairPotential& pair, SimdLevel simd) {
  const double points = double(lattice.size());
  if (method == Method::multilevel) return multilevel_start_s + multilevel_point_s * points;
  return points * double(charges) / direct_pairs_per_s(pair, simd);
}

Method choose_method(const SolverOptions& options, const LatticeGeometry& lattice, std::size_t charges,
                     const PairPotential& pair, SimdLevel simd) {
  if (options.method != Method::automatic) return options.method;
  const Vec3<double>& h = lattice.spacing_A;
  if (!(h.x == h.y && h.y == h.z)) return Method::direct;
  const double direct = predicted_seconds(Method::direct, lattice, charges, pair, simd);
  const double multilevel = predicted_seconds(Method::multilevel, lattice, charges, pair, simd);
  return direct <= multilevel ? Method::direct : Method::multilevel;
}

SolutePotential sum_of(std::span<const PointCharge> charges, const SolverOptions& options) {
  if (options.method == Method::multilevel) return MultilevelSum{charges, options.multilevel};
  return DirectSum{charges};
}

}  // namespace ionwell
