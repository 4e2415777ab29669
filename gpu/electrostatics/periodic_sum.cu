// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/electrostatics/periodic_sum.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "core/error.hpp"
#include "electrostatics/periodic/periodic_rounds.hpp"
#include "electrostatics/periodic/short_range_sum.hpp"
#include "gpu/electrostatics/periodic_mesh.hpp"
#include "gpu/runtime/cell_sort.hpp"
#include "gpu/runtime/device_scope.hpp"
#include "gpu/runtime/launch.hpp"
#include "gpu/runtime/stream.hpp"

namespace ionwell::gpu {
namespace {

// Estimates for an H100, which only choose between cutoffs and grids: some 3e13 operations a second in fp64,
// and 2e12 bytes.
constexpr PeriodicCosts gpu_costs{.pair_s = 3e-11, .weight_s = 2e-11, .grid_point_s = 2e-12};

constexpr int short_warps = 8;  // of a thread block, each with a point of its own

template <typename Item>
__device__ const Vec3<double>& position_of(const Item& item) {
  if constexpr (std::is_same_v<Item, PointCharge>)
    return item.position_A;
  else
    return item;
}

/// The cell of each item.
template <typename Item>
__global__ void find_cells(PeriodicCellGrid grid, const Item* items, std::int64_t count,
                           std::uint32_t* cells) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n < count) cells[n] = std::uint32_t(grid.place(position_of(items[n])).cell);
}

/// Puts the image that lies in the cell in place of each charge.
__global__ void wrap_charges(PeriodicCellGrid grid, PointCharge* charges, std::int64_t count) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n < count) charges[n].position_A = grid.place(charges[n].position_A).image_A;
}

/// A lane's part of the short-range sum at a point, over the charges of rows of cells.
struct LaneSum {
  const std::uint32_t* start;
  const PointCharge* charges;
  const ShortPolynomial& polynomial;
  const EwaldSplit& split;
  double scale;  // of the polynomial's argument
  Vec3<double> point_A;
  int lane;
  double sum = 0.0;

  IONWELL_HD void operator()(std::int64_t first, std::int64_t last, const Vec3<double>& shift_A) {
    const Vec3<double> from_A = point_A - shift_A;
    const std::uint32_t end = start[last + 1];
    for (std::uint32_t n = start[first] + std::uint32_t(lane); n < end; n += 32) {
      const PointCharge q = charges[n];
      const double r2_A2 = distance_squared(q.position_A, from_A);
      if (r2_A2 < polynomial.cutoff2_A2) sum += q.charge_e * term(r2_A2);
    }
  }

  IONWELL_HD double term(double r2_A2) const {
    constexpr double smallest2_A2 = smallest_distance_A * smallest_distance_A;
    if (r2_A2 < smallest2_A2)  // the pair potential alone is cut off
      return split.whole(smallest_distance_A) - split.smooth(std::sqrt(r2_A2));
    const double argument = polynomial.of_square ? r2_A2 : std::sqrt(r2_A2);
    const double s = scale * argument - 1;
    double value = polynomial.coefficients[polynomial.terms - 1];
    for (int d = polynomial.terms - 2; d >= 0; --d) value = value * s + polynomial.coefficients[d];
    return value / argument;
  }
};

/// to[order[n]] = potential at the n-th point: what the mesh has, with the short-range part and the mean.
__global__ void add_short_range(const __grid_constant__ PeriodicCellGrid grid, double cutoff_A,
                                const __grid_constant__ ShortPolynomial polynomial,
                                const __grid_constant__ EwaldSplit split, const std::uint32_t* start,
                                const PointCharge* charges, const Vec3<double>* points_A,
                                const std::uint32_t* order, std::int64_t count, const double* smooth,
                                double mean, double prefactor, double* to) {
  const std::int64_t n = std::int64_t(blockIdx.x) * short_warps + threadIdx.x / 32;
  if (n >= count) return;
  const double range = polynomial.of_square ? polynomial.cutoff2_A2 : cutoff_A;
  LaneSum lane{start, charges, polynomial, split, 2 / range, points_A[n], int(threadIdx.x) % 32};
  grid.near_rows(points_A[n], cutoff_A, lane);
  double sum = lane.sum;
  for (int away = 16; away > 0; away /= 2) sum += __shfl_down_sync(0xffffffffu, sum, away);
  if (threadIdx.x % 32 == 0) to[order[n]] = prefactor * (smooth[n] + sum + mean);
}

/// to[order[n]] = potential at the n-th point, of what the mesh has alone and the mean.
__global__ void scale_in_order(const double* smooth, const std::uint32_t* order, std::int64_t count,
                               double mean, double prefactor, double* to) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n < count) to[order[n]] = prefactor * (smooth[n] + mean);
}

/// Bound on the sum of the charges' sizes in any window: those of 2 x 2 x 2 boxes as large as it.
double largest_window_sum_e(const PeriodicCell& cell, const PeriodicPlan& plan,
                            std::span<const PointCharge> charges) {
  const PeriodicCell reduced(cell.reduced());
  const auto boxes = [&](int points) { return std::max(1, points / plan.window.width); };
  const Vec3<int> counts{boxes(plan.grid.x), boxes(plan.grid.y), boxes(plan.grid.z)};
  std::vector<double> sums(std::size_t(counts.x) * std::size_t(counts.y) * std::size_t(counts.z));
  for (const PointCharge& q : charges) {
    const Vec3<double> f = reduced.fractional(q.position_A);
    const auto along = [](double x, int count) {
      return clamped_cell(int((x - std::floor(x)) * count), count);
    };
    sums[std::size_t(cell_number(
        counts, {along(f.x, counts.x), along(f.y, counts.y), along(f.z, counts.z)}))] += std::abs(q.charge_e);
  }
  constexpr double boxes_of_window = 8, rounding = 1.01;
  return boxes_of_window * rounding * *std::max_element(sums.begin(), sums.end());
}

/// Items on the device, in the order of the cells of a grid.
template <typename Item>
struct SortedItems {
  PeriodicCellGrid grid;
  CellSort sort;
  DeviceBuffer<Item> items;

  SortedItems(const PeriodicCellGrid& cells, const DeviceBuffer<Item>& unsorted, std::string_view what,
              cudaStream_t stream)
      : grid(cells), sort(std::int64_t(unsorted.size()), cells.size(), what), items(unsorted.size(), what) {
    const auto count = std::int64_t(unsorted.size());
    find_cells<<<blocks_for(count), usual_threads, 0, stream>>>(grid, unsorted.data(), count,
                                                                sort.cell_of_item());
    check_launch("finding cells of a periodic sum");
    sort.sort(count, stream);
    sort.gather(unsorted.data(), items.data(), stream);
  }
};

std::vector<double> potential_by(const PeriodicPlan& plan, const PeriodicProblem& problem,
                                 const DeviceBuffer<PointCharge>& charges,
                                 const DeviceBuffer<Vec3<double>>& points, cudaStream_t stream,
                                 const Progress& progress) {
  const auto& [cell, pair, host_charges, points_A, tolerance, smooth_per_A] = problem;
  constexpr double charges_together = 16, points_together = 8, usual_cutoff_A = 8.0;
  const auto grid = [&](std::size_t count, double together) {
    const double reach_A = plan.cutoff_A > 0.0 ? plan.cutoff_A : usual_cutoff_A;
    return PeriodicCellGrid(cell, count, short_range_cell_A(cell, reach_A, count, together));
  };
  const auto say = [&](double part) {
    if (!progress) return;
    check(cudaStreamSynchronize(stream), "a periodic sum");
    progress(part);
  };
  SortedItems<PointCharge> near(grid(charges.size(), charges_together), charges, "the charges", stream);
  const SortedItems<Vec3<double>> at(grid(points.size(), points_together), points, "the points", stream);
  const auto charge_count = std::int64_t(charges.size()), point_count = std::int64_t(points.size());
  wrap_charges<<<blocks_for(charge_count), usual_threads, 0, stream>>>(near.grid, near.items.data(),
                                                                       charge_count);
  check_launch("wrapping charges");
  DeviceBuffer<double> smooth(points.size(), "the potential"), values(points.size(), "the potential");
  say(0.1);
  {
    PeriodicMesh mesh(cell, plan, stream);
    say(0.2);
    mesh.spread(near.items.data(), charge_count, largest_window_sum_e(cell, plan, host_charges));
    mesh.solve();
    say(0.5);
    mesh.interpolate(at.items.data(), point_count, smooth.data());
    check(cudaStreamSynchronize(stream), "a periodic sum");  // the grid is freed now
  }
  say(0.6);
  double net_charge_e = 0.0;
  for (const PointCharge& q : host_charges) net_charge_e += q.charge_e;
  const double mean = plan.mean() * net_charge_e / cell.volume_A3();
  if (plan.cutoff_A == 0.0) {
    scale_in_order<<<blocks_for(point_count), usual_threads, 0, stream>>>(
        smooth.data(), at.sort.order(), point_count, mean, pair.prefactor, values.data());
    check_launch("the smooth part of a periodic sum");
    return values.to_host(stream);
  }
  add_short_range<<<blocks_for(point_count, short_warps), 32 * short_warps, 0, stream>>>(
      near.grid, plan.cutoff_A, short_polynomial(plan.split, plan.cutoff_A), plan.split, near.sort.start(),
      near.items.data(), at.items.data(), at.sort.order(), point_count, smooth.data(), mean, pair.prefactor,
      values.data());
  check_launch("the short-range part of a periodic sum");
  std::vector<double> host = values.to_host(stream);
  say(1.0);
  return host;
}

}  // namespace

std::vector<double> periodic_potential(int ordinal, const PeriodicCell& cell, const PairPotential& pair,
                                       std::span<const PointCharge> charges,
                                       std::span<const Vec3<double>> points_A,
                                       const PeriodicSumOptions& options, const Progress& progress) {
  constexpr std::size_t most = std::size_t(1) << 31;
  if (charges.size() >= most || points_A.size() >= most)
    fail("a periodic sum of ", charges.size(), " charges at ", points_A.size(),
         " points is too large for a GPU (2^31 - 1 of each); use --backend cpu");
  const PeriodicProblem problem{cell, pair, charges, points_A, options.tolerance, options.smooth_per_A};
  if (first_periodic_plan(problem, gpu_costs).bytes == 0) return std::vector<double>(points_A.size());
  const DeviceScope scope(ordinal, {});
  const Stream stream;
  const DeviceBuffer<PointCharge> charges_d(charges, stream, "the charges");
  const DeviceBuffer<Vec3<double>> points_d(points_A, stream, "the points");
  return potential_to_tolerance(problem, gpu_costs, [&](const PeriodicPlan& plan) {
    return potential_by(plan, problem, charges_d, points_d, stream, progress);
  });
}

}  // namespace ionwell::gpu
