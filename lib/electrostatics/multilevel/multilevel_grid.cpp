// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/multilevel/multilevel_grid.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/cell_list.hpp"
#include "parallel/parallel_for.hpp"

namespace ionwell {
namespace {

constexpr std::size_t padding = 8;  // values behind the end of a grid that whole vectors may read
constexpr int largest_order = 8;

using Grid = LargeArray<float>;

/// Coarse grids are too small to share among threads, and there are many of them.
int threads_for(const LatticeGeometry& grid, int threads) {
  constexpr std::int64_t worth_sharing = 50000;  // points
  return grid.size() > worth_sharing ? threads : 1;
}

Grid empty_grid(const LatticeGeometry& grid, int threads) {
  Grid values(std::size_t(grid.size()) + padding);
  parallel_ranges({threads_for(grid, threads)}, std::int64_t(values.size()),
                  [&](std::int64_t first, std::int64_t last) {
                    std::fill(values.data() + first, values.data() + last, 0.0f);
                  });
  return values;
}

/// Room for a grid, with zeros in some of its planes.
Grid empty_planes(const LatticeGeometry& grid, PlaneRange planes, int threads) {
  Grid values(std::size_t(grid.size()) + padding);
  parallel_ranges({threads_for(grid, threads)}, planes.last - planes.first,
                  [&](std::int64_t first, std::int64_t last) {
                    std::fill(values.data() + grid.index(0, 0, planes.first + first),
                              values.data() + grid.index(0, 0, planes.first + last), 0.0f);
                  });
  return values;
}

/// parallel_ranges over planes.
template <typename Work>
void over_planes(Schedule schedule, PlaneRange planes, const Work& work) {
  parallel_ranges(schedule, planes.last - planes.first, [&](std::int64_t first, std::int64_t last) {
    work(planes.first + first, planes.first + last);
  });
}

/// The planes of cells of a grid, one after the other along z.
CellGrid plane_cells(const LatticeGeometry& grid) {
  const Vec3<std::int64_t>& n = grid.counts;
  return {{grid.origin_A, grid.position_A(n.x - 1, n.y - 1, n.z - 1)}, grid.spacing_A, {1, 1, n.z}};
}

/// Charge assignment: gives a charge to order^3 points with the weights that interpolation would use: its
/// adjoint.
void assign_charge(const MultilevelPlan& plan, const PointCharge& charge, Grid& assigned) {
  const LatticeGeometry& grid = plan.levels.front().grid;
  const int order = plan.order;
  std::array<std::array<double, largest_order>, 3> w;
  const Vec3<double> r = charge.position_A - grid.origin_A;
  const std::int64_t i = basis_weights(plan.options.basis, r.x / grid.spacing_A.x, w[0].data());
  const std::int64_t j = basis_weights(plan.options.basis, r.y / grid.spacing_A.y, w[1].data());
  const std::int64_t k = basis_weights(plan.options.basis, r.z / grid.spacing_A.z, w[2].data());
  for (int c = 0; c < order; ++c)
    for (int b = 0; b < order; ++b) {
      float* row = assigned.data() + grid.index(i, j + b, k + c);
      const float yz = float(charge.charge_e * w[1][b] * w[2][c]);
      for (int a = 0; a < order; ++a) row[a] += yz * float(w[0][a]);
    }
}

Grid anterpolate(const MultilevelPlan& plan, std::span<const PointCharge> charges, int threads) {
  const LatticeGeometry& grid = plan.levels.front().grid;
  Grid assigned = empty_grid(grid, threads);
  const CellList by_plane(plane_cells(grid), charges.size(),
                          [&](std::size_t n) { return charges[n].position_A; });
  // Slabs of `order` cells reach into their neighbours, but not beyond: every other one at the same time.
  const std::int64_t planes = grid.counts.z, slabs = (planes + plan.order - 1) / plan.order;
  constexpr std::size_t few = 1000;
  for (std::int64_t odd = 0; odd < 2; ++odd)
    parallel_for({charges.size() > few ? threads : 1, 1}, (slabs + 1 - odd) / 2, [&](std::int64_t pair) {
      const std::int64_t slab = 2 * pair + odd;
      const std::size_t first = by_plane.begin(slab * plan.order);
      const std::size_t last = by_plane.begin(std::min(planes, (slab + 1) * plan.order));
      for (std::size_t n = first; n < last; ++n) assign_charge(plan, charges[by_plane.order()[n]], assigned);
    });
  return assigned;
}

/// The part of a row of taps that falls on points 0 to count - 1; `first` is the point of the first tap.
struct Overlap {
  int from, to;
};
Overlap overlap(std::int64_t first, int taps, std::int64_t count) {
  return {int(std::clamp<std::int64_t>(-first, 0, taps)),
          int(std::clamp<std::int64_t>(count - first, 0, taps))};
}

/// coarse[i] = Sum_k w[k] fine[2 i + first + k - radius], axis by axis: z first, where whole planes are
/// combined.
Grid restrict_to(const LatticeGeometry& coarse, const LatticeGeometry& fine, const Grid& values,
                 const std::vector<float>& weights, const GridKernels& kernels, int threads) {
  const int taps = int(weights.size());
  const std::int64_t start = first_fine_point(fine, coarse) - taps / 2;
  const Vec3<std::int64_t>& n = fine.counts;
  Grid result = empty_grid(coarse, threads);
  const Schedule equal_parts{threads_for(fine, threads)};
  parallel_ranges(equal_parts, coarse.counts.z, [&](std::int64_t first_plane, std::int64_t last_plane) {
    std::vector<float> plane(n.x * n.y), row(n.x);
    std::vector<const float*> rows(taps);
    for (std::int64_t k = first_plane; k < last_plane; ++k) {
      const Overlap z = overlap(2 * k + start, taps, n.z);
      for (int t = z.from; t < z.to; ++t) rows[t - z.from] = values.data() + n.x * n.y * (2 * k + start + t);
      kernels.combine(rows.data(), weights.data() + z.from, z.to - z.from, false, plane.data(), plane.size());
      for (std::int64_t j = 0; j < coarse.counts.y; ++j) {
        const Overlap y = overlap(2 * j + start, taps, n.y);
        for (int t = y.from; t < y.to; ++t) rows[t - y.from] = plane.data() + n.x * (2 * j + start + t);
        kernels.combine(rows.data(), weights.data() + y.from, y.to - y.from, false, row.data(), row.size());
        float* to = result.data() + coarse.index(0, j, k);
        for (std::int64_t i = 0; i < coarse.counts.x; ++i) {
          const Overlap x = overlap(2 * i + start, taps, n.x);
          float sum = 0.0f;
          for (int t = x.from; t < x.to; ++t) sum += weights[t] * row[2 * i + start + t];
          to[i] = sum;
        }
      }
    }
  });
  return result;
}

/// Planes of the coarser grid that prolongation to `planes` of the finer one reads.
PlaneRange planes_above(PlaneRange planes, const LatticeGeometry& coarse, const LatticeGeometry& fine,
                        int taps) {
  const std::int64_t start = first_fine_point(fine, coarse) - taps / 2, n = coarse.counts.z;
  return {std::clamp<std::int64_t>((planes.first - start - taps + 1) >> 1, 0, n),
          std::clamp<std::int64_t>(((planes.last - 1 - start) >> 1) + 1, 0, n)};
}

/// fine[m] += Sum_i w[m - 2 i - first + radius] coarse[i], the adjoint of restriction, in `planes` of the
/// fine grid.
void prolong(const LatticeGeometry& coarse, const Grid& values, const LatticeGeometry& fine, Grid& result,
             PlaneRange planes, const std::vector<float>& weights, const GridKernels& kernels, int threads) {
  const int taps = int(weights.size());
  const std::int64_t start = first_fine_point(fine, coarse) - taps / 2;
  const Vec3<std::int64_t>& n = coarse.counts;
  const Schedule equal_parts{threads_for(fine, threads)};
  // Coarse points that reach fine point m, and their weights.
  struct Sources {
    std::int64_t first;
    std::vector<float> weights;
  };
  const auto sources = [&](std::int64_t m, std::int64_t count) {
    Sources s{-1, {}};
    for (std::int64_t i = std::max<std::int64_t>(0, (m - start - taps + 1) / 2 - 1); i < count; ++i) {
      const std::int64_t t = m - start - 2 * i;
      if (t < 0) break;
      if (t >= taps) continue;
      if (s.first < 0) s.first = i;
      s.weights.push_back(weights[t]);
    }
    return s;
  };
  // x first, on the coarse planes; then y and z combine whole rows and planes.
  Grid inflated(std::size_t(fine.counts.x * n.y * n.z));
  const PlaneRange above = planes_above(planes, coarse, fine, taps);
  parallel_for(equal_parts, n.y * (above.last - above.first), [&](std::int64_t wanted) {
    const std::int64_t r = n.y * above.first + wanted;
    const float* from = values.data() + n.x * r;
    float* to = inflated.data() + fine.counts.x * r;
    std::fill_n(to, fine.counts.x, 0.0f);
    for (std::int64_t i = 0; i < n.x; ++i) {
      const Overlap x = overlap(2 * i + start, taps, fine.counts.x);
      for (int t = x.from; t < x.to; ++t) to[2 * i + start + t] += weights[t] * from[i];
    }
  });
  over_planes(equal_parts, planes, [&](std::int64_t first_plane, std::int64_t last_plane) {
    std::vector<float> plane(fine.counts.x * n.y);
    std::vector<const float*> rows(taps);
    for (std::int64_t m = first_plane; m < last_plane; ++m) {
      const Sources z = sources(m, n.z);
      for (std::size_t t = 0; t < z.weights.size(); ++t)
        rows[t] = inflated.data() + fine.counts.x * n.y * (z.first + std::int64_t(t));
      kernels.combine(rows.data(), z.weights.data(), int(z.weights.size()), false, plane.data(),
                      plane.size());
      for (std::int64_t l = 0; l < fine.counts.y; ++l) {
        const Sources y = sources(l, n.y);
        for (std::size_t t = 0; t < y.weights.size(); ++t)
          rows[t] = plane.data() + fine.counts.x * (y.first + std::int64_t(t));
        kernels.combine(rows.data(), y.weights.data(), int(y.weights.size()), true,
                        result.data() + fine.index(0, l, m), std::size_t(fine.counts.x));
      }
    }
  });
}

/// result += weight (taps x taps x taps) * charges, in `planes`: one axis after the other.
void convolve(const LatticeGeometry& grid, const Grid& charges, const GaussianTerm& term, Grid& work,
              Grid& result, PlaneRange planes, const GridKernels& kernels, int threads) {
  const int taps = int(term.taps.size()), radius = taps / 2;
  const Vec3<std::int64_t>& n = grid.counts;
  std::vector<float> weighted(term.taps);
  for (float& w : weighted) w *= float(term.weight_kT_e);
  const Schedule equal_parts{threads_for(grid, threads)};
  const PlaneRange read{std::max<std::int64_t>(0, planes.first - radius),
                        std::min<std::int64_t>(n.z, planes.last + radius)};
  over_planes(equal_parts, read, [&](std::int64_t first_plane, std::int64_t last_plane) {
    std::vector<float> row(n.x + 2 * radius + padding, 0.0f), plane(n.x * n.y);
    std::vector<const float*> rows(taps);
    for (std::int64_t k = first_plane; k < last_plane; ++k) {
      for (std::int64_t j = 0; j < n.y; ++j) {
        std::copy_n(charges.data() + grid.index(0, j, k), n.x, row.data() + radius);
        for (int t = 0; t < taps; ++t) rows[t] = row.data() + t;
        kernels.combine(rows.data(), weighted.data(), taps, false, plane.data() + n.x * j, std::size_t(n.x));
      }
      for (std::int64_t j = 0; j < n.y; ++j) {
        const Overlap y = overlap(j - radius, taps, n.y);
        for (int t = y.from; t < y.to; ++t) rows[t - y.from] = plane.data() + n.x * (j - radius + t);
        kernels.combine(rows.data(), term.taps.data() + y.from, y.to - y.from, false,
                        work.data() + grid.index(0, j, k), std::size_t(n.x));
      }
    }
  });
  parallel_ranges(equal_parts, n.y, [&](std::int64_t first_row, std::int64_t last_row) {
    std::vector<const float*> rows(taps);
    for (std::int64_t j = first_row; j < last_row; ++j)
      for (std::int64_t k = planes.first; k < planes.last; ++k) {
        const Overlap z = overlap(k - radius, taps, n.z);
        for (int t = z.from; t < z.to; ++t) rows[t - z.from] = work.data() + grid.index(0, j, k - radius + t);
        kernels.combine(rows.data(), term.taps.data() + z.from, z.to - z.from, true,
                        result.data() + grid.index(0, j, k), std::size_t(n.x));
      }
  });
}

/// result[m] = Sum_n stencil[n] charges[m + n], in `planes`.
void convolve(const LatticeGeometry& grid, const Grid& charges, const Stencil& stencil, Grid& result,
              PlaneRange planes, const GridKernels& kernels, int threads) {
  const int radius = stencil.radius, taps = 2 * radius + 1;
  const Vec3<std::int64_t>& n = grid.counts;
  // Rows with zeros at both ends, so that every tap may be read.
  const std::int64_t stride = n.x + 2 * radius;
  std::vector<float> padded(std::size_t(stride * n.y * n.z) + padding, 0.0f);
  parallel_for({threads_for(grid, threads)}, n.y * n.z, [&](std::int64_t r) {
    std::copy_n(charges.data() + n.x * r, n.x, padded.data() + stride * r + radius);
  });
  const Schedule by_four{threads_for(grid, threads), 4};
  const PlaneRange all_rows{n.y * planes.first, n.y * planes.last};
  over_planes(by_four, all_rows, [&](std::int64_t first_row, std::int64_t last_row) {
    std::vector<const float*> rows;
    std::vector<float> weights;
    for (std::int64_t r = first_row; r < last_row; ++r) {
      const std::int64_t j = r % n.y, k = r / n.y;
      const Overlap y = overlap(j - radius, taps, n.y), z = overlap(k - radius, taps, n.z);
      rows.clear();
      weights.clear();
      for (int c = z.from; c < z.to; ++c)
        for (int b = y.from; b < y.to; ++b)
          for (int a = 0; a < taps; ++a) {
            const float weight = stencil.weights[a + taps * (b + std::size_t(taps) * c)];
            if (weight == 0.0f) continue;
            rows.push_back(padded.data() + stride * (j - radius + b + n.y * (k - radius + c)) + a);
            weights.push_back(weight);
          }
      kernels.combine(rows.data(), weights.data(), int(rows.size()), false, result.data() + n.x * r,
                      std::size_t(n.x));
    }
  });
}

}  // namespace

LargeArray<float> long_range_grid(const MultilevelPlan& plan, std::span<const PointCharge> charges,
                                  PlaneRange planes, const GridKernels& kernels, int threads,
                                  const Progress& progress) {
  const std::size_t levels = plan.levels.size();
  const std::vector<float> weights = transfer_weights(plan.options.basis);
  std::vector<Grid> charge(levels), potential(levels);
  const auto report = [&](double part) {
    if (progress) progress(part);
  };
  charge[0] = anterpolate(plan, charges, threads);
  report(0.1);
  for (std::size_t l = 1; l < levels; ++l)
    charge[l] =
        restrict_to(plan.levels[l].grid, plan.levels[l - 1].grid, charge[l - 1], weights, kernels, threads);
  report(0.2);
  std::vector<PlaneRange> wanted{planes};  // by level
  for (std::size_t l = 1; l < levels; ++l)
    wanted.push_back(
        planes_above(wanted.back(), plan.levels[l].grid, plan.levels[l - 1].grid, int(weights.size())));
  for (std::size_t l = levels; l-- > 0;) {
    const MultilevelLevel& level = plan.levels[l];
    potential[l] = empty_planes(level.grid, wanted[l], threads);
    if (level.gaussians.empty())
      convolve(level.grid, charge[l], level.stencil, potential[l], wanted[l], kernels, threads);
    Grid work(level.gaussians.empty() ? 0 : charge[l].size());
    for (const GaussianTerm& term : level.gaussians)
      convolve(level.grid, charge[l], term, work, potential[l], wanted[l], kernels, threads);
    charge[l] = {};
    if (l + 1 < levels)
      prolong(plan.levels[l + 1].grid, potential[l + 1], level.grid, potential[l], wanted[l], weights,
              kernels, threads);
    if (l + 1 < levels) potential[l + 1] = {};
  }
  report(1.0);
  return std::move(potential[0]);
}

}  // namespace ionwell
