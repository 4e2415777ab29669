// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/electrostatics/multilevel_short.cuh"

#include <cmath>

namespace ionwell::gpu {
namespace {

/// Coefficients of the Gaussians' long-range part that are left when those are dropped that are smaller than
/// what the cutoff leaves out, which is 1.5e-4 of the pair potential there: they make 1.6e-5, or 7e-6 of
/// 1/r^2.
constexpr int shortened_coefficients(Kind kind) {
  return kind == Kind::distance_dependent ? 9 : 8;
}

/// A thread block to a block of points: lists the charges near it, a row of cells to a thread, and stages
/// them in shared memory, of which each warp adds those that reach its cube.
template <Kind kind, int coefficients>
__global__ void __launch_bounds__(short_threads)
    short_range_kernel(DeviceBlocks blocks, ChargeCells cells, ShortRangeTerms terms) {
  __shared__ Staging shared;
  const int thread = threadIdx.x;
  if (thread == 0) find_centre(blocks, terms, shared);
  __syncthreads();
  const int* centre = shared.centre;
  const CellRows rows(cells, terms, centre);
  const WarpCube cube(terms, shared);
  const ThreadPoints points = points_of_thread(cube, terms, shared);
  ThreadSums sums;
  int buffer = 0;
  for (int batch = 0; batch < rows.count; batch += short_threads) {
    ChargeRange range;
    const int r = batch + thread;
    if (r < rows.count)
      range = near_charges(cells, terms, centre, rows.y0 + r % rows.ny, rows.z0 + r / rows.ny);
    const int candidates = int(list_rows(shared.rows, range.first, range.last));
    int4 next = make_int4(0, 0, 0, 0);
    if (thread < candidates) next = cells.charges[charge_of(shared.rows, std::uint32_t(thread))];
    for (int chunk = 0; chunk < candidates; chunk += short_threads) {
      float4 q = make_float4(far, far, far, 0.0f);
      if (chunk + thread < candidates) q = relative_charge(next, centre, terms);
      shared.charges[buffer][thread] = q;
      const int ahead = chunk + short_threads + thread;
      if (ahead < candidates) next = cells.charges[charge_of(shared.rows, std::uint32_t(ahead))];
      __syncthreads();
      add_staged_charges<kind, coefficients>(shared.charges[buffer], min(candidates - chunk, short_threads),
                                             cube, points, terms, shared.lists[thread / 32], sums);
      buffer = 1 - buffer;
    }
  }
  add_to_values<coefficients>(blocks, cube, terms, sums);
}

/// The same function, to less accuracy, with fewer coefficients: the highest Chebyshev polynomials are left
/// out.
std::vector<double> shortened(const std::vector<float>& polynomial, std::size_t coefficients) {
  std::vector<double> c(polynomial.begin(), polynomial.end());
  for (; c.size() > coefficients; c.pop_back()) {
    const std::size_t n = c.size() - 1;
    std::vector<double> before{1.0}, now{0.0, 1.0};  // T_0, T_1
    for (std::size_t k = 1; k < n; ++k) {
      std::vector<double> next(k + 2, 0.0);
      for (std::size_t i = 0; i < now.size(); ++i) next[i + 1] += 2.0 * now[i];
      for (std::size_t i = 0; i < before.size(); ++i) next[i] -= before[i];
      before = std::move(now);
      now = std::move(next);
    }
    const double scale = c[n] / now[n];
    for (std::size_t i = 0; i < n; ++i) c[i] -= scale * now[i];
  }
  return c;
}

template <Kind kind>
void launch(const DeviceBlocks& blocks, const ChargeCells& cells, const ShortRangeTerms& terms,
            bool is_taylor, cudaStream_t stream) {
  const unsigned count = unsigned(blocks.count);
  if (is_taylor)
    short_range_kernel<kind, taylor_coefficients><<<count, short_threads, 0, stream>>>(blocks, cells, terms);
  else
    short_range_kernel<kind, shortened_coefficients(kind)>
        <<<count, short_threads, 0, stream>>>(blocks, cells, terms);
  check_launch("the short-range part");
}

}  // namespace

void add_short_range(const DeviceBlocks& blocks, const ChargeCells& cells, const MultilevelPlan& plan,
                     cudaStream_t stream) {
  if (blocks.count == 0) return;
  const double a = plan.options.cutoff_A, h = blocks.lattice.spacing_A.x;
  const LatticeGeometry& grid = plan.levels.front().grid;
  const bool squared = plan.pair.kind == Kind::distance_dependent,
             taylor = plan.long_range_polynomial.size() == 3;
  const double unit_kT_e = plan.pair.prefactor / (squared ? a * a : a);
  const double units_per_A = std::ldexp(1.0 / grid.spacing_A.x, cells.unit_bits);
  ShortRangeTerms terms{};
  std::vector<double> c = shortened(plan.long_range_polynomial,
                                    taylor ? taylor_coefficients : shortened_coefficients(plan.pair.kind));
  if (taylor) c = {c[0] - c[1] + c[2], 2.0 * c[1] - 4.0 * c[2], 4.0 * c[2]};  // of r^2
  for (std::size_t n = 0; n < c.size(); ++n) terms.polynomial[n] = float(c[n] / unit_kT_e);
  terms.unit_kT_e = float(unit_kT_e);
  terms.kappa = float(plan.pair.kappa_per_A * a);
  terms.smallest2 = float(smallest_distance_A / a * smallest_distance_A / a);
  terms.units_per_A = units_per_A;
  terms.grid_origin_A = grid.origin_A;
  terms.unit_length = float(1.0 / (units_per_A * a));
  terms.spacing = float(h / a);
  terms.half_block = int(std::ceil(0.5 * (block_edge - 1) * h * units_per_A)) + 1;
  terms.reach = int(std::ceil(a * units_per_A)) + 1;
  switch (plan.pair.kind) {
    case Kind::coulomb:
      return launch<Kind::coulomb>(blocks, cells, terms, taylor, stream);
    case Kind::distance_dependent:
      return launch<Kind::distance_dependent>(blocks, cells, terms, taylor, stream);
    case Kind::debye_hueckel:
      return launch<Kind::debye_hueckel>(blocks, cells, terms, taylor, stream);
  }
}

}  // namespace ionwell::gpu
