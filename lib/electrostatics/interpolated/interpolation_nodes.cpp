// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/interpolated/interpolation_nodes.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/error.hpp"
#include "parallel/parallel_for.hpp"

namespace ionwell {
namespace {

/// Solves (c[i-1] + 4 c[i] + c[i+1]) / 6 = f[i] along lines of `count` numbers f for the `count` + 2
/// coefficients of the cubic spline through them (Unser, IEEE Signal Process. Mag. 16(6):22, 1999), by
/// recursion forth and back. The ends are not-a-knot, which gives the coefficients at the last points but one
/// by themselves: c = f - f'' / 6 with f'' the second difference.
class SplineFilter {
 public:
  explicit SplineFilter(std::int64_t count) : count_(count), factor_(std::size_t(count)) {
    for (std::int64_t i = 2; i + 2 < count; ++i)
      factor_[std::size_t(i)] = 1.0 / (4.0 - (i > 2 ? factor_[std::size_t(i) - 1] : 0.0));
  }

  /// Numbers a line has in the end.
  std::int64_t coefficients() const { return std::max(count_, std::int64_t{2}) + 2; }

  /// Number i of line l is at line[l + stride * i]: in place, `lines` at a time. The f are behind a first
  /// place, where the first coefficient goes.
  void run(double* line, std::int64_t lines, std::int64_t stride) const {
    double* const f = line + stride;
    const auto each = [&](const auto& work) {
      for (std::int64_t l = 0; l < lines; ++l) work(l);
    };
    const auto at = [&](std::int64_t i) { return f + stride * i; };
    if (count_ == 1) {
      double *const c = at(0), *const before = at(-1), *const next = at(1), *const last = at(2);
      each([&](std::int64_t l) { before[l] = next[l] = last[l] = c[l]; });
      return;
    }
    if (count_ == 2) {
      double *const a = at(0), *const b = at(1), *const before = at(-1), *const after = at(2);
      each([&](std::int64_t l) {
        before[l] = 2.0 * a[l] - b[l];
        after[l] = 2.0 * b[l] - a[l];
      });
      return;
    }
    const std::int64_t last = count_ - 1;
    double *const f0 = at(0), *const f1 = at(1), *const f2 = at(2);
    double *const g0 = at(last), *const g1 = at(last - 1), *const g2 = at(last - 2);
    if (count_ == 3) {
      double *const before = at(-1), *const after = at(3);
      each([&](std::int64_t l) {
        const double bend = f0[l] - 2.0 * f1[l] + f2[l], slope = 0.5 * (f2[l] - f0[l]);
        const double middle = f1[l] - bend / 6.0;
        before[l] = middle - 2.0 * slope + 2.0 * bend;
        f0[l] = middle - slope + 0.5 * bend;
        f2[l] = middle + slope + 0.5 * bend;
        after[l] = middle + 2.0 * slope + 2.0 * bend;
        f1[l] = middle;
      });
      return;
    }
    // The values are needed again at the ends.
    std::vector<double> kept(std::size_t(4 * lines));
    double *const low0 = kept.data(), *const low1 = low0 + lines, *const high0 = low1 + lines,
                  *const high1 = high0 + lines;
    each([&](std::int64_t l) {
      low0[l] = f0[l];
      low1[l] = f1[l];
      high0[l] = g0[l];
      high1[l] = g1[l];
      const double low = f1[l] - (f0[l] - 2.0 * f1[l] + f2[l]) / 6.0;
      const double high = g1[l] - (g0[l] - 2.0 * g1[l] + g2[l]) / 6.0;
      f1[l] = low;
      g1[l] = high;
    });
    for (std::int64_t i = 2; i + 2 < count_; ++i) {
      const double factor = factor_[std::size_t(i)];
      double *const c = at(i), *const before = at(i - 1);
      each([&](std::int64_t l) { c[l] = factor * (6.0 * c[l] - before[l]); });
    }
    for (std::int64_t i = count_ - 3; i >= 2; --i) {
      const double factor = factor_[std::size_t(i)];
      double *const c = at(i), *const next = at(i + 1);
      each([&](std::int64_t l) { c[l] -= factor * next[l]; });
    }
    double *const before = at(-1), *const after = at(count_);
    each([&](std::int64_t l) {
      f0[l] = 6.0 * low1[l] - 4.0 * f1[l] - f2[l];
      before[l] = 6.0 * low0[l] - 4.0 * f0[l] - f1[l];
      g0[l] = 6.0 * high1[l] - 4.0 * g1[l] - g2[l];
      after[l] = 6.0 * high0[l] - 4.0 * g0[l] - g1[l];
    });
  }

 private:
  std::int64_t count_;
  std::vector<double> factor_;
};

template <typename Real>
void require_numbers(const LatticeGeometry& lattice, std::span<const Real> values, int threads) {
  if (std::int64_t(values.size()) != lattice.size())
    fail<UsageError>("a potential on ", lattice.counts.x, " x ", lattice.counts.y, " x ", lattice.counts.z,
                     " points has ", values.size(), " values; it needs one for each point");
  const auto count = std::int64_t(values.size());
  const std::int64_t first = parallel_reduce(
      threads, count, count,
      [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t p = begin; p < end; ++p)
          if (!std::isfinite(float(values[std::size_t(p)]))) return p;
        return count;
      },
      [](std::int64_t a, std::int64_t b) { return std::min(a, b); });
  if (first == count) return;
  const Vec3<std::int64_t> at = lattice.point(first);
  fail("the potential at point (", at.x, ", ", at.y, ", ", at.z, ") of its lattice is ",
       values[std::size_t(first)], ", and forces need finite values in single precision; correct the map");
}

/// The potential along x, with one node more where there is one point alone.
template <typename Real>
InterpolationNodes potential_nodes(const LatticeGeometry& lattice, std::span<const Real> values,
                                   int threads) {
  const std::int64_t nx = lattice.counts.x, ny = lattice.counts.y, nz = lattice.counts.z;
  const auto least = [](std::int64_t n) { return std::max(n, std::int64_t{2}); };
  InterpolationNodes nodes{lattice, ForceInterpolation::trilinear, {least(nx), least(ny), least(nz)}, {}};
  nodes.values = LargeArray<float>(std::size_t(nodes.counts.x * nodes.counts.y * nodes.counts.z));
  parallel_for({threads}, nodes.counts.y * nodes.counts.z, [&](std::int64_t row) {
    const std::int64_t j = std::min(row % nodes.counts.y, ny - 1), k = std::min(row / nodes.counts.y, nz - 1);
    const Real* const from = values.data() + lattice.index(0, j, k);
    float* const to = nodes.values.data() + nodes.counts.x * row;
    for (std::int64_t i = 0; i < nodes.counts.x; ++i) to[i] = float(from[std::min(i, nx - 1)]);
  });
  return nodes;
}

template <typename Real>
InterpolationNodes spline_nodes(const LatticeGeometry& lattice, std::span<const Real> values, int threads) {
  const std::int64_t nx = lattice.counts.x, ny = lattice.counts.y, nz = lattice.counts.z;
  const SplineFilter along_x(nx), along_y(ny), along_z(nz);
  const std::int64_t mx = along_x.coefficients(), my = along_y.coefficients(), mz = along_z.coefficients();
  InterpolationNodes nodes{lattice, ForceInterpolation::cubic_spline, {mx, my, mz}, {}};
  nodes.values = LargeArray<float>(std::size_t(mx * my * mz));
  float* const all = nodes.values.data();
  parallel_ranges({threads, 1}, nz, [&](std::int64_t first, std::int64_t last) {
    std::vector<double> plane(std::size_t(mx * my));
    for (std::int64_t k = first; k < last; ++k) {
      for (std::int64_t j = 0; j < ny; ++j) {
        double* const row = plane.data() + mx * (j + 1);
        const Real* const from = values.data() + lattice.index(0, j, k);
        for (std::int64_t i = 0; i < nx; ++i) row[i + 1] = double(from[i]);
        along_x.run(row, 1, 1);
      }
      along_y.run(plane.data(), mx, mx);
      std::transform(plane.begin(), plane.end(), all + mx * my * (k + 1), [](double c) { return float(c); });
    }
  });
  parallel_ranges({threads, 1}, my, [&](std::int64_t first, std::int64_t last) {
    std::vector<double> sheet(std::size_t(mx * mz));
    for (std::int64_t j = first; j < last; ++j) {
      const auto row = [&](std::int64_t k) { return all + mx * (j + my * k); };
      for (std::int64_t k = 1; k <= nz; ++k) std::copy_n(row(k), mx, sheet.begin() + mx * k);
      along_z.run(sheet.data(), mx, mx);
      for (std::int64_t k = 0; k < mz; ++k)
        std::transform(sheet.begin() + mx * k, sheet.begin() + mx * (k + 1), row(k),
                       [](double c) { return float(c); });
    }
  });
  return nodes;
}

}  // namespace

InterpolationNodes interpolation_nodes(const PotentialOnLattice& potential, ForceInterpolation interpolation,
                                       int threads) {
  const auto& [nx, ny, nz] = potential.lattice.counts;
  if (nx < 1 || ny < 1 || nz < 1)
    fail<UsageError>("a potential on ", nx, " x ", ny, " x ", nz,
                     " points has no cells; forces need at least one");
  constexpr std::int64_t most = std::int64_t(1) << 31;  // numbers of nodes fit 32 bits
  if ((nx + 2) * (ny + 2) * (nz + 2) >= most)
    fail("forces cannot be interpolated on ", nx, " x ", ny, " x ", nz,
         " points (2^31 or more); use a coarser map, or a part of it");
  return std::visit(
      [&](const auto& values) {
        require_numbers(potential.lattice, values, threads);
        return interpolation == ForceInterpolation::trilinear
                   ? potential_nodes(potential.lattice, values, threads)
                   : spline_nodes(potential.lattice, values, threads);
      },
      potential.values_kT_e);
}

}  // namespace ionwell
