#include "sampling/lattice_field.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.hpp"
#include "parallel/parallel_for.hpp"

namespace ionwell {
namespace {

/// The cell of a lattice along one axis, and how far into it a position is.
struct AxisCell {
  std::int64_t cell;
  double t;  // 0 to 1
};

AxisCell axis_cell(double position_A, double origin_A, double spacing_A, std::int64_t count) {
  const double u = std::clamp((position_A - origin_A) / spacing_A, 0.0, double(count - 1));
  const std::int64_t cell = std::min(std::int64_t(u), count - 2);
  return {cell, u - double(cell)};
}

/// Four cubic B-splines around a position along one axis, where their coefficients are, and their slopes by
/// the coordinate.
struct AxisSplines {
  std::array<std::int64_t, 4> at;
  std::array<double, 4> weight, slope;

  AxisSplines(double position_A, double origin_A, double spacing_A, std::int64_t count) {
    const auto [cell, t] = axis_cell(position_A, origin_A, spacing_A, count);
    for (std::int64_t n = 0; n < 4; ++n) {
      const std::int64_t i = cell - 1 + n;
      at[std::size_t(n)] = i < 0 ? -i : (i >= count ? 2 * (count - 1) - i : i);
    }
    const double s = 1.0 - t, per_A = 1.0 / spacing_A;
    weight = {s * s * s / 6, (3 * t * t * t - 6 * t * t + 4) / 6, (3 * s * s * s - 6 * s * s + 4) / 6,
              t * t * t / 6};
    slope = {-0.5 * s * s * per_A, (1.5 * t * t - 2 * t) * per_A, (2 * s - 1.5 * s * s) * per_A,
             0.5 * t * t * per_A};
  }
};

/// Values along a line become coefficients of the cubic B-splines through them.
void solve_splines(std::vector<double>& line) {
  const double pole = std::sqrt(3.0) - 2.0, gain = (1.0 - pole) * (1.0 - 1.0 / pole);
  constexpr double negligible = 1e-9;  // of single precision's 6e-8
  const auto n = std::ssize(line);
  const auto reach =
      std::min<std::ptrdiff_t>(n, std::ptrdiff_t(std::ceil(std::log(negligible) / std::log(-pole))));
  double first = line[0], power = pole;
  if (reach < n) {
    for (std::ptrdiff_t k = 1; k < reach; ++k, power *= pole) first += power * line[std::size_t(k)];
  } else {  // the mirrored values as a whole
    double mirrored = std::pow(pole, double(2 * n - 3));
    first += std::pow(pole, double(n - 1)) * line[std::size_t(n - 1)];
    for (std::ptrdiff_t k = 1; k < n - 1; ++k, power *= pole, mirrored /= pole)
      first += (power + mirrored) * line[std::size_t(k)];
    first /= 1.0 - std::pow(pole, double(2 * n - 2));
  }
  line[0] = gain * first;
  for (std::size_t k = 1; k < line.size(); ++k) line[k] = gain * line[k] + pole * line[k - 1];
  const std::size_t last = line.size() - 1;
  line[last] = pole / (pole * pole - 1.0) * (line[last] + pole * line[last - 1]);
  for (std::size_t k = last; k-- > 0;) line[k] = pole * (line[k + 1] - line[k]);
}

/// solve_splines along every line of one axis: `stride` between its values, the others counted by `start`.
template <typename Start>
void solve_axis(std::vector<float>& values, std::int64_t lines, std::int64_t count, std::int64_t stride,
                int threads, const Start& start) {
  parallel_ranges({threads, 64}, lines, [&](std::int64_t from, std::int64_t to) {
    std::vector<double> line(static_cast<std::size_t>(count));
    for (std::int64_t l = from; l < to; ++l) {
      float* const first = values.data() + start(l);
      for (std::int64_t k = 0; k < count; ++k) line[std::size_t(k)] = double(first[k * stride]);
      solve_splines(line);
      for (std::int64_t k = 0; k < count; ++k) first[k * stride] = float(line[std::size_t(k)]);
    }
  });
}

}  // namespace

std::string_view to_string(FieldInterpolation interpolation) {
  return interpolation == FieldInterpolation::bspline ? "bspline" : "trilinear";
}

LatticeField::LatticeField(const LatticeGeometry& lattice, std::span<const float> values_kT_e,
                           FieldInterpolation interpolation, int threads)
    : lattice_(lattice),
      interpolation_(interpolation),
      coefficients_(values_kT_e.begin(), values_kT_e.end()) {
  const auto& [nx, ny, nz] = lattice_.counts;
  if (nx < 2 || ny < 2 || nz < 2)
    fail<UsageError>(
        "a lattice of ", nx, " x ", ny, " x ", nz,
        " points has nothing between them to move in; make the box larger, or --spacing smaller");
  if (interpolation_ == FieldInterpolation::trilinear) return;
  solve_axis(coefficients_, ny * nz, nx, 1, threads, [nx = nx](std::int64_t l) { return l * nx; });
  solve_axis(coefficients_, nx * nz, ny, nx, threads,
             [nx = nx, ny = ny](std::int64_t l) { return l % nx + l / nx * nx * ny; });
  solve_axis(coefficients_, nx * ny, nz, nx * ny, threads, [](std::int64_t l) { return l; });
}

LatticeField::Value LatticeField::trilinear(const Vec3<double>& point_A) const {
  const auto& [origin, h, counts] = lattice_;
  const AxisCell x = axis_cell(point_A.x, origin.x, h.x, counts.x),
                 y = axis_cell(point_A.y, origin.y, h.y, counts.y),
                 z = axis_cell(point_A.z, origin.z, h.z, counts.z);
  const float* const v = coefficients_.data() + lattice_.index(x.cell, y.cell, z.cell);
  const std::int64_t dy = counts.x, dz = counts.x * counts.y;
  // Along x first: values and differences on the four edges.
  const auto edge = [&](std::int64_t at) {
    return double(v[at]) + x.t * (double(v[at + 1]) - double(v[at]));
  };
  const auto rise = [&](std::int64_t at) { return double(v[at + 1]) - double(v[at]); };
  const double e00 = edge(0), e10 = edge(dy), e01 = edge(dz), e11 = edge(dy + dz);
  const double low = e00 + y.t * (e10 - e00), high = e01 + y.t * (e11 - e01);
  const double rise_low = rise(0) + y.t * (rise(dy) - rise(0)),
               rise_high = rise(dz) + y.t * (rise(dy + dz) - rise(dz));
  const double across_low = e10 - e00, across_high = e11 - e01;
  return {low + z.t * (high - low),
          {(rise_low + z.t * (rise_high - rise_low)) / h.x,
           (across_low + z.t * (across_high - across_low)) / h.y, (high - low) / h.z}};
}

LatticeField::Value LatticeField::bspline(const Vec3<double>& point_A) const {
  const auto& [origin, h, counts] = lattice_;
  const AxisSplines x(point_A.x, origin.x, h.x, counts.x), y(point_A.y, origin.y, h.y, counts.y),
      z(point_A.z, origin.z, h.z, counts.z);
  Value sum{};
  for (std::size_t c = 0; c < 4; ++c)
    for (std::size_t b = 0; b < 4; ++b) {
      const float* const row = coefficients_.data() + lattice_.index(0, y.at[b], z.at[c]);
      double value = 0.0, slope = 0.0;
      for (std::size_t a = 0; a < 4; ++a) {
        const auto v = double(row[x.at[a]]);
        value += x.weight[a] * v;
        slope += x.slope[a] * v;
      }
      const double weight = y.weight[b] * z.weight[c];
      sum.potential += weight * value;
      sum.gradient = sum.gradient + Vec3<double>{weight * slope, y.slope[b] * z.weight[c] * value,
                                                 y.weight[b] * z.slope[c] * value};
    }
  return sum;
}

void LatticeField::potential(std::span<const Vec3<double>> points_A, std::span<double> potential_kT_e) const {
  for (std::size_t n = 0; n < points_A.size(); ++n)
    potential_kT_e[n] =
        (interpolation_ == FieldInterpolation::trilinear ? trilinear(points_A[n]) : bspline(points_A[n]))
            .potential;
}

void LatticeField::gradient(std::span<const Vec3<double>> points_A, std::span<double> potential_kT_e,
                            std::span<Vec3<double>> gradient_kT_e_A) const {
  for (std::size_t n = 0; n < points_A.size(); ++n) {
    const Value value =
        interpolation_ == FieldInterpolation::trilinear ? trilinear(points_A[n]) : bspline(points_A[n]);
    potential_kT_e[n] = value.potential;
    gradient_kT_e_A[n] = value.gradient;
  }
}

}  // namespace ionwell
