// Compiled once for each instruction set; IONWELL_GRID_TABLE names the table that this copy defines.
#include "potential/grid_kernels.hpp"
#include "potential/simd.hpp"

namespace ionwell {
namespace {

constexpr int edge = 8;
using Row = float __attribute__((vector_size(4 * edge)));  // one number for each point along an edge
using IntRow = int __attribute__((vector_size(4 * edge)));

inline Row load_row(const float* from) {
  Row v;
  __builtin_memcpy(&v, from, sizeof v);
  return v;
}
inline void store_row(float* to, Row v) {
  __builtin_memcpy(to, &v, sizeof v);
}

void combine(const float* const* rows, const float* weights, int rows_count, bool accumulate, float* out,
             std::size_t count) {
  constexpr int unroll = 4;
  std::size_t i = 0;
  for (; i + unroll * width <= count; i += unroll * width) {
    FloatVector sum[unroll] = {};
    for (int t = 0; t < rows_count; ++t)
      for (int u = 0; u < unroll; ++u) sum[u] += weights[t] * load_unaligned(rows[t] + i + width * u);
    for (int u = 0; u < unroll; ++u) {
      float* at = out + i + width * u;
      store_unaligned(at, accumulate ? load_unaligned(at) + sum[u] : sum[u]);
    }
  }
  for (; i < count; ++i) {
    float sum = 0.0f;
    for (int t = 0; t < rows_count; ++t) sum += weights[t] * rows[t][i];
    out[i] = accumulate ? out[i] + sum : sum;
  }
}

void interpolate(const BlockInterpolation& from, float* values) {
  const int nx = from.reach[0], ny = from.reach[1], nz = from.reach[2];
  float* planes = from.workspace;                 // [edge][ny][nx], after z
  float* rows = from.workspace + edge * ny * nx;  // [edge][edge][nx], after z and y
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; x += edge) {
      Row sum[edge] = {};
      for (int t = 0; t < nz; ++t) {
        // Rows are read to a multiple of 8; the grid has room for that behind its end.
        const Row value = load_row(from.grid + from.stride[2] * t + from.stride[1] * y + x);
        const float* w = from.weights[2] + edge * t;
        for (int k = 0; k < edge; ++k) sum[k] += w[k] * value;
      }
      for (int k = 0; k < edge; ++k) {
        float* to = planes + (k * ny + y) * nx + x;
        if (x + edge <= nx)
          store_row(to, sum[k]);
        else
          for (int l = 0; l < nx - x; ++l) to[l] = sum[k][l];
      }
    }
  for (int k = 0; k < edge; ++k)
    for (int x = 0; x < nx; x += edge) {
      Row sum[edge] = {};
      for (int t = 0; t < ny; ++t) {
        const Row value = load_row(planes + (k * ny + t) * nx + x);
        const float* w = from.weights[1] + edge * t;
        for (int j = 0; j < edge; ++j) sum[j] += w[j] * value;
      }
      for (int j = 0; j < edge; ++j) {
        float* to = rows + (k * edge + j) * nx + x;
        if (x + edge <= nx)
          store_row(to, sum[j]);
        else
          for (int l = 0; l < nx - x; ++l) to[l] = sum[j][l];
      }
    }
  for (int r = 0; r < edge * edge; ++r) {
    Row sum = from.constant - Row{};
    for (int t = 0; t < nx; ++t) sum += rows[r * nx + t] * load_row(from.weights[0] + edge * t);
    store_row(values + edge * r, load_row(values + edge * r) + sum);
  }
}

using Kind = PairPotential::Kind;

/// Charges are seen in units of the cutoff, so that s = (r/cutoff)^2 is less than 1 within it.
template <Kind kind, int fixed_coefficients>
void add_short_of(const BlockFrame& frame, const ChargeArrays& charges, const ShortRange& range,
                  float* values) {
  const double scale = 1.0 / range.cutoff_A;
  const int coefficients = fixed_coefficients > 0 ? fixed_coefficients : range.coefficients;
  const float kappa = float(range.pair.kappa_per_A * range.cutoff_A);
  const float near =
      float(range.pair.prefactor *
            (kind == Kind::distance_dependent ? scale * scale : scale));  // of the pair term at s = 1
  const float smallest2 = float(smallest_distance_A * scale * smallest_distance_A * scale);
  alignas(64) float offset[3][edge];
  for (int axis = 0; axis < 3; ++axis)
    for (int a = 0; a < edge; ++a)
      offset[axis][a] = float(scale * frame.spacing_A[axis] * (a - 0.5 * (edge - 1)));
  constexpr int plane_vectors = edge * edge / width;
  for (std::size_t c = 0; c < charges.count; ++c) {
    const float x = float(scale * (charges.x_A[c] - frame.centre_A[0]));
    const float y = float(scale * (charges.y_A[c] - frame.centre_A[1]));
    const float z = float(scale * (charges.z_A[c] - frame.centre_A[2]));
    const float q = float(charges.charge_e[c]);
    alignas(64) float dx2[edge], dy2[edge], dz2[edge];
    for (int a = 0; a < edge; ++a) {
      dx2[a] = (offset[0][a] - x) * (offset[0][a] - x);
      dy2[a] = (offset[1][a] - y) * (offset[1][a] - y);
      dz2[a] = (offset[2][a] - z) * (offset[2][a] - z);
    }
    const auto least = [](const float* d2) {
      float smallest = d2[0];
      for (int a = 1; a < edge; ++a) smallest = d2[a] < smallest ? d2[a] : smallest;
      return smallest;
    };
    const float least_x = least(dx2);
    for (int v = 0; v < plane_vectors; ++v) {
      float least_y = 1e30f;  // of the vector's rows
      for (int j = v * width / edge; j < (v * width + width + edge - 1) / edge; ++j)
        least_y = dy2[j] < least_y ? dy2[j] : least_y;
      if (least_x + least_y >= 1.0f) continue;
      const FloatVector xy = plane_sum(dx2, dy2, v);
      for (int k = 0; k < edge; ++k) {
        if (least_x + least_y + dz2[k] >= 1.0f) continue;
        const FloatVector s = larger(xy + dz2[k], broadcast(smallest2));
        FloatVector pair;
        if constexpr (kind == Kind::distance_dependent) {
          const FloatVector y0 = inverse_estimate(s);
          pair = near * (y0 * (2.0f - s * y0));
        } else {
          const FloatVector inverse = inverse_sqrt(s);
          pair = near * inverse;
          if constexpr (kind == Kind::debye_hueckel) pair *= exp_of_negative(-kappa * (s * inverse));
        }
        const FloatVector centred = 2.0f * s - 1.0f;
        FloatVector smooth = broadcast(range.polynomial[coefficients - 1]);
        for (int n = coefficients - 2; n >= 0; --n) smooth = smooth * centred + range.polynomial[n];
        float* at = values + (k * plane_vectors + v) * width;
        store(at, load(at) + (s < 1.0f ? q * (pair - smooth) : FloatVector{}));
      }
    }
  }
}

void add_short(const BlockFrame& frame, const ChargeArrays& charges, const ShortRange& range, float* values) {
  switch (range.pair.kind) {
    case Kind::coulomb:
      if (range.coefficients == 3) return add_short_of<Kind::coulomb, 3>(frame, charges, range, values);
      return add_short_of<Kind::coulomb, 0>(frame, charges, range, values);
    case Kind::distance_dependent:
      return add_short_of<Kind::distance_dependent, 0>(frame, charges, range, values);
    case Kind::debye_hueckel:
      return add_short_of<Kind::debye_hueckel, 0>(frame, charges, range, values);
  }
}

}  // namespace

extern const GridKernels IONWELL_GRID_TABLE;
const GridKernels IONWELL_GRID_TABLE{combine, interpolate, add_short};

}  // namespace ionwell
