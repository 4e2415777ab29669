// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for each instruction set (simd_level.hpp).
#include "electrostatics/periodic/periodic_kernels.hpp"

namespace ionwell {
namespace {

#if defined(__AVX512F__)
constexpr int lanes = 8;
#elif defined(__AVX2__)
constexpr int lanes = 4;
#else
constexpr int lanes = 2;
#endif
using Vector = double __attribute__((vector_size(8 * lanes)));

constexpr int unroll = 4;  // chains of multiply-adds at a time, to hide their latency
constexpr int batch = unroll * lanes;

Vector load(const double* from) {
  Vector v;
  __builtin_memcpy(&v, from, sizeof v);
  return v;
}

void store(double* to, Vector v) {
  __builtin_memcpy(to, &v, sizeof v);
}

Vector square_root(Vector v) {
  Vector root;
  for (int l = 0; l < lanes; ++l) root[l] = __builtin_sqrt(v[l]);
  return root;
}

/// Sum of q f(r^2) over `count` squares, which must have room for a batch more.
double sum_of_terms(double* squares, double* values, int count, const ShortPolynomial& p,
                    double smallest_A2) {
  for (int n = count; n < count + batch; ++n) {
    squares[n] = p.cutoff2_A2;
    values[n] = 0.0;
  }
  const double scale = 2 / (p.of_square ? p.cutoff2_A2 : __builtin_sqrt(p.cutoff2_A2));
  Vector sum[unroll] = {};
  for (int n = 0; n < count; n += batch) {
    Vector inverse[unroll], s[unroll], value[unroll];
    for (int u = 0; u < unroll; ++u) {
      Vector r2 = load(squares + n + lanes * u);
      r2 = r2 < smallest_A2 ? smallest_A2 - Vector{} : r2;
      const Vector argument = p.of_square ? r2 : square_root(r2);
      inverse[u] = load(values + n + lanes * u) / argument;
      s[u] = scale * argument - 1.0;
      value[u] = p.coefficients[p.terms - 1] - Vector{};
    }
    for (int d = p.terms - 2; d >= 0; --d)
      for (int u = 0; u < unroll; ++u) value[u] = value[u] * s[u] + p.coefficients[d];
    for (int u = 0; u < unroll; ++u) sum[u] += value[u] * inverse[u];
  }
  const Vector all = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  double total = 0.0;
  for (int l = 0; l < lanes; ++l) total += all[l];
  return total;
}

double short_sum(const ChargeRun* runs, int count, const RunCharges& charges, const double* point_A,
                 const ShortPolynomial& polynomial, double smallest_A, double* closest_A2) {
  constexpr int capacity = 512;
  double squares[capacity + 2 * batch], values[capacity + 2 * batch];
  int kept = 0;
  double sum = 0.0;
  Vector closest = 1e300 - Vector{};
  for (int r = 0; r < count; ++r) {
    const double px = point_A[0] - runs[r].shift_A[0], py = point_A[1] - runs[r].shift_A[1],
                 pz = point_A[2] - runs[r].shift_A[2];
    std::size_t n = runs[r].first;
    while (n < runs[r].last) {
      const std::size_t end = n + batch < runs[r].last ? n + batch : runs[r].last;
      if (kept + batch > capacity) {
        sum += sum_of_terms(squares, values, kept, polynomial, smallest_A * smallest_A);
        kept = 0;
      }
      const int there = int(end - n);
      double r2[batch];
      if (there == batch)
        for (int i = 0; i < batch; i += lanes) {
          const Vector dx = load(charges.x_A + n + i) - px, dy = load(charges.y_A + n + i) - py,
                       dz = load(charges.z_A + n + i) - pz;
          const Vector squared = dx * dx + dy * dy + dz * dz;
          closest = squared < closest ? squared : closest;
          store(r2 + i, squared);
        }
      else
        for (int i = 0; i < there; ++i) {
          const double dx = charges.x_A[n + i] - px, dy = charges.y_A[n + i] - py,
                       dz = charges.z_A[n + i] - pz;
          r2[i] = dx * dx + dy * dy + dz * dz;
          closest[0] = r2[i] < closest[0] ? r2[i] : closest[0];
        }
      for (int i = 0; i < there; ++i) {
        squares[kept] = r2[i];
        values[kept] = charges.charge_e[n + i];
        kept += r2[i] < polynomial.cutoff2_A2;
      }
      n = end;
    }
  }
  *closest_A2 = closest[0];
  for (int l = 1; l < lanes; ++l) *closest_A2 = closest[l] < *closest_A2 ? closest[l] : *closest_A2;
  return sum + sum_of_terms(squares, values, kept, polynomial, smallest_A * smallest_A);
}

/// The window's weights along an axis.
template <int width>
void evaluate(const MeshPatch& patch, double t, double* weights) {
  double w[width];
  const double* c = patch.polynomials + width * (patch.terms - 1);
  for (int p = 0; p < width; ++p) w[p] = c[p];
  for (int d = patch.terms - 2; d >= 0; --d) {
    c -= width;
    for (int p = 0; p < width; ++p) w[p] = w[p] * t + c[p];
  }
  for (int p = 0; p < width; ++p) weights[p] = w[p];
}

template <int width>
void spread_width(const MeshPatch& patch, double value, double* grid) {
  double x[width], y[width], z[width];
  evaluate<width>(patch, patch.t[0], x);
  evaluate<width>(patch, patch.t[1], y);
  evaluate<width>(patch, patch.t[2], z);
  for (int k = 0; k < width; ++k) {
    double* plane = grid + patch.planes[k] + patch.column;
    const double of_plane = value * z[k];
    for (int j = 0; j < width; ++j) {
      double* row = plane + patch.rows[j];
      const double of_row = of_plane * y[j];
      int i = 0;
      for (; i + lanes <= width; i += lanes) store(row + i, load(row + i) + of_row * load(x + i));
      for (; i < width; ++i) row[i] += of_row * x[i];
    }
  }
}

template <int width>
double interpolate_width(const MeshPatch& patch, const double* grid) {
  double x[width], y[width], z[width];
  evaluate<width>(patch, patch.t[0], x);
  evaluate<width>(patch, patch.t[1], y);
  evaluate<width>(patch, patch.t[2], z);
  constexpr int vectors = width / lanes, rest = width - vectors * lanes;
  Vector sums[vectors > 0 ? vectors : 1] = {};
  double ends[rest > 0 ? rest : 1] = {};
  for (int k = 0; k < width; ++k) {
    const double* plane = grid + patch.planes[k] + patch.column;
    for (int j = 0; j < width; ++j) {
      const double* row = plane + patch.rows[j];
      const double of_row = z[k] * y[j];
      for (int v = 0; v < vectors; ++v) sums[v] += of_row * load(row + v * lanes);
      for (int e = 0; e < rest; ++e) ends[e] += of_row * row[vectors * lanes + e];
    }
  }
  double total = 0.0;
  for (int v = 0; v < vectors; ++v)
    for (int l = 0; l < lanes; ++l) total += sums[v][l] * x[v * lanes + l];
  for (int e = 0; e < rest; ++e) total += ends[e] * x[vectors * lanes + e];
  return total;
}

void spread(const MeshPatch& patch, double value, double* grid) {
  switch (patch.width) {
    case 6:
      return spread_width<6>(patch, value, grid);
    case 8:
      return spread_width<8>(patch, value, grid);
    case 10:
      return spread_width<10>(patch, value, grid);
    case 12:
      return spread_width<12>(patch, value, grid);
    case 14:
      return spread_width<14>(patch, value, grid);
    default:
      return spread_width<16>(patch, value, grid);
  }
}

double interpolate(const MeshPatch& patch, const double* grid) {
  switch (patch.width) {
    case 6:
      return interpolate_width<6>(patch, grid);
    case 8:
      return interpolate_width<8>(patch, grid);
    case 10:
      return interpolate_width<10>(patch, grid);
    case 12:
      return interpolate_width<12>(patch, grid);
    case 14:
      return interpolate_width<14>(patch, grid);
    default:
      return interpolate_width<16>(patch, grid);
  }
}

}  // namespace

extern const FourierKernels IONWELL_OF_LEVEL(fourier_kernels);
extern const PeriodicKernels IONWELL_OF_LEVEL(periodic_kernels);
const PeriodicKernels IONWELL_OF_LEVEL(periodic_kernels){short_sum, spread, interpolate,
                                                         &IONWELL_OF_LEVEL(fourier_kernels)};

}  // namespace ionwell
