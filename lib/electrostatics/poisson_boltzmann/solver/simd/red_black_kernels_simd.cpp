// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for each instruction set (simd_level.hpp).
#include "electrostatics/poisson_boltzmann/solver/simd/red_black_kernels.hpp"

#include "electrostatics/poisson_boltzmann/solver/simd/pb_lanes.hpp"

namespace ionwell {
namespace {

/// Calls use(at, lanes, value) for the inner points of a colour in row (j, k): `at` is where they lie in a
/// plane, the value B v.
template <typename Use>
inline void over_row(const RedBlackMatrix& matrix, int j, int k, PointColour colour, const RedBlackPlanes& v,
                     const Use& use) {
  const RedBlackLattice& lattice = matrix.lattice;
  const int own = colour == PointColour::even ? 0 : 1, other = 1 - own;
  const std::int64_t row_stride = lattice.row_stride(), plane_stride = lattice.plane_stride();
  const int offset = lattice.offset(colour, j, k);
  const std::int64_t row = j * row_stride, face = k * plane_stride + row;
  along(lattice.first(offset), lattice.last(offset), [&](int m, const auto& lanes) {
    const std::int64_t at = row + m, p = face + m, high = at + offset, low = high - 1;
    const FloatVector x = lanes.load(matrix.face_x[own] + p) * lanes.load(v.here + high) +
                          lanes.load(matrix.face_x[other] + p + offset - 1) * lanes.load(v.here + low);
    const FloatVector y =
        lanes.load(matrix.face_y[own] + p) * lanes.load(v.here + at + row_stride) +
        lanes.load(matrix.face_y[other] + p - row_stride) * lanes.load(v.here + at - row_stride);
    const FloatVector z = lanes.load(matrix.face_z[own] + p) * lanes.load(v.above + at) +
                          lanes.load(matrix.face_z[other] + p - plane_stride) * lanes.load(v.below + at);
    use(at, lanes, (x + y) + z);
  });
}

template <typename Use>
inline void over_plane(const RedBlackMatrix& of, int k, PointColour colour, const RedBlackPlanes& planes,
                       const Use& use) {
  const RedBlackMatrix matrix = of;  // no store can change it
  const RedBlackPlanes v = planes;
  for (int j = 1; j < matrix.lattice.ny - 1; ++j) over_row(matrix, j, k, colour, v, use);
}

/// Calls use(at, lanes) for the inner points of a colour in plane k.
template <typename Use>
inline void over_points(const RedBlackLattice& of, int k, PointColour colour, const Use& use) {
  const RedBlackLattice lattice = of;
  for (int j = 1; j < lattice.ny - 1; ++j) {
    const int offset = lattice.offset(colour, j, k);
    const std::int64_t row = std::int64_t(j) * lattice.row_stride();
    along(lattice.first(offset), lattice.last(offset),
          [&](int m, const auto& lanes) { use(row + m, lanes); });
  }
}

void gather(const RedBlackMatrix& matrix, int k, PointColour colour, const RedBlackPlanes& v, float* out) {
  over_plane(matrix, k, colour, v,
             [&](std::int64_t at, const auto& lanes, FloatVector value) { lanes.store(out + at, value); });
}

void relax(const RedBlackMatrix& matrix, int k, const RedBlackPlanes& v, const float* b, float* x) {
  over_plane(matrix, k, PointColour::even, v, [&](std::int64_t at, const auto& lanes, FloatVector value) {
    lanes.store(x + at, lanes.load(b + at) + value);
  });
}

double relax_and_dot(const RedBlackMatrix& matrix, int k, const RedBlackPlanes& v, const float* b, float* x) {
  DoubleVector sum{};
  over_plane(matrix, k, PointColour::even, v, [&](std::int64_t at, const auto& lanes, FloatVector value) {
    const FloatVector right_side = lanes.load(b + at), all = right_side + value;
    lanes.store(x + at, all);
    sum += to_double(right_side) * to_double(all);
  });
  return sum_of_lanes(sum);
}

double apply_and_dot(const RedBlackMatrix& matrix, int k, const RedBlackPlanes& v, const float* p,
                     float* out) {
  DoubleVector sum{};
  over_plane(matrix, k, PointColour::even, v, [&](std::int64_t at, const auto& lanes, FloatVector value) {
    const FloatVector here = lanes.load(p + at), all = here - value;
    lanes.store(out + at, all);
    sum += to_double(here) * to_double(all);
  });
  return sum_of_lanes(sum);
}

void divide_by_roots(const RedBlackMatrix& matrix, int k, PointColour colour, float* values) {
  const float* const root =
      matrix.root[colour == PointColour::even ? 0 : 1] + k * matrix.lattice.plane_stride();
  over_points(matrix.lattice, k, colour, [&](std::int64_t at, const auto& lanes) {
    lanes.store(values + at, lanes.load(values + at) / lanes.load_or_one(root + at));
  });
}

void turn_direction(const RedBlackLattice& lattice, int k, const float* z, float beta, const float* p,
                    float* out) {
  over_points(lattice, k, PointColour::even, [&](std::int64_t at, const auto& lanes) {
    lanes.store(out + at, lanes.load(z + at) + beta * lanes.load(p + at));
  });
}

double step(const RedBlackMatrix& matrix, int k, float alpha, const float* p, const float* s, float* e,
            float* r) {
  const float* const root = matrix.root[0] + k * matrix.lattice.plane_stride();
  DoubleVector sum{};
  over_points(matrix.lattice, k, PointColour::even, [&](std::int64_t at, const auto& lanes) {
    lanes.store(e + at, lanes.load(e + at) + alpha * lanes.load(p + at));
    const FloatVector left = lanes.load(r + at) - alpha * lanes.load(s + at);
    lanes.store(r + at, left);
    const FloatVector whole = left * lanes.load(root + at);
    sum += to_double(whole) * to_double(whole);
  });
  return sum_of_lanes(sum);
}

/// out[i] = what coarse point i, 0 < i < coarse - 1, collects of the values of one colour in a row.
void collect_row(const AxisCoarsening& axis, int offset, const float* __restrict half,
                 float* __restrict out) {
  if (!axis.halved) {
    for (int i = 1; i < axis.coarse - 1; ++i) out[i] = 0.0f;
    for (int i = 2 - offset; i < axis.coarse - 1; i += 2) out[i] = half[i / 2];
    return;
  }
  const int end = axis.coarse - 2;
  if (offset == 0) {
    for (int i = 1; i <= end; ++i) out[i] = half[i];
    return;
  }
  for (int i = 1; i < end; ++i) out[i] = 0.5f * (half[i - 1] + half[i]);
  out[end] = 0.5f * half[end - 1] + axis.last_weight * half[end];
}

/// out[m] = values of a coarse row at the points of one colour.
void interpolate_row(const AxisCoarsening& axis, int offset, const float* __restrict coarse, int first,
                     int last, float* __restrict out) {
  if (!axis.halved) {
    for (int m = first; m < last; ++m) out[m] = coarse[2 * m + offset];
    return;
  }
  if (offset == 0) {
    for (int m = first; m < last; ++m) out[m] = coarse[m];
    return;
  }
  for (int m = first; m < last; ++m) out[m] = 0.5f * (coarse[m] + coarse[m + 1]);
  const int end = axis.coarse - 2;
  if (end < last) out[end] = axis.last_weight * coarse[end];  // behind it is a boundary
}

void add_row(float weight, const float* __restrict row, int count, float* __restrict to) {
  for (int i = 0; i < count; ++i) to[i] += weight * row[i];
}

void collect_residual(const RedBlackMatrix& of, int k, const RedBlackPlanes& planes, const float* b,
                      const float* x, const AxisCoarsening& along_x, const AxisCoarsening& along_y,
                      float* out, float* workspace) {
  const RedBlackMatrix matrix = of;
  const RedBlackPlanes v = planes;
  const RedBlackLattice& lattice = matrix.lattice;
  const float* const root = matrix.root[0] + k * lattice.plane_stride();
  float* const residual = workspace;  // of a row
  float* const collected = workspace + lattice.nx;
  for (int i = 0; i < along_x.coarse * along_y.coarse; ++i) out[i] = 0.0f;
  for (int m = 0; m < lattice.row_stride(); ++m) residual[m] = 0.0f;
  for (int j = 1; j < lattice.ny - 1; ++j) {
    const std::int64_t row = std::int64_t(j) * lattice.row_stride();
    over_row(matrix, j, k, PointColour::even, v, [&](std::int64_t at, const auto& lanes, FloatVector value) {
      lanes.store(residual + (at - row),
                  (lanes.load(b + at) - lanes.load(x + at) + value) * lanes.load(root + at));
    });
    collect_row(along_x, lattice.offset(PointColour::even, j, k), residual, collected);
    const int below = along_y.coarse_below(j), inner = along_x.coarse - 2;
    float* const low = out + std::int64_t(below) * along_x.coarse + 1;
    if (!along_y.between(j)) {
      add_row(1.0f, collected + 1, inner, low);
      continue;
    }
    add_row(along_y.high_weight(below), collected + 1, inner, low);
    add_row(along_y.low_weight(), collected + 1, inner, low + along_x.coarse);
  }
}

void add_interpolated(const RedBlackMatrix& matrix, int k, const AxisCoarsening& along_x,
                      const AxisCoarsening& along_y, const float* low, const float* high, float low_weight,
                      float high_weight, float* x, float* workspace) {
  const RedBlackLattice lattice = matrix.lattice;
  const float* const root = matrix.root[0] + k * lattice.plane_stride();
  float* const coarse = workspace;
  float* const fine = workspace + lattice.nx;
  const int count = along_x.coarse;
  for (int j = 1; j < lattice.ny - 1; ++j) {
    const int below = along_y.coarse_below(j), offset = lattice.offset(PointColour::even, j, k);
    const std::int64_t at = std::int64_t(below) * count, row = std::int64_t(j) * lattice.row_stride();
    const float near = along_y.between(j) ? along_y.high_weight(below) : 1.0f;
    for (int i = 0; i < count; ++i) coarse[i] = near * low_weight * low[at + i];
    if (high_weight != 0.0f) add_row(near * high_weight, high + at, count, coarse);
    if (along_y.between(j)) {
      const float far = along_y.low_weight();
      add_row(far * low_weight, low + at + count, count, coarse);
      if (high_weight != 0.0f) add_row(far * high_weight, high + at + count, count, coarse);
    }
    const int first = lattice.first(offset), last = lattice.last(offset);
    interpolate_row(along_x, offset, coarse, first, last, fine);
    along(first, last, [&](int m, const auto& lanes) {
      const std::int64_t q = row + m;
      lanes.store(x + q, lanes.load(x + q) + lanes.load(root + q) * lanes.load(fine + m));
    });
  }
}

inline FloatVector square_root(FloatVector x) {
#if defined(__AVX512F__)
  return (FloatVector)_mm512_sqrt_ps((__m512)x);
#elif defined(__AVX2__)
  return (FloatVector)_mm256_sqrt_ps((__m256)x);
#elif defined(__SSE2__)
  return (FloatVector)_mm_sqrt_ps((__m128)x);
#else
  for (int l = 0; l < width; ++l) x[l] = __builtin_sqrtf(x[l]);
  return x;
#endif
}

void inverse_roots(const PbLevel& of_plane, int k, float* out) {
  const PbLevel level = of_plane;
  for (int j = 1; j < level.ny - 1; ++j) {
    const std::int64_t in_plane = j * level.row_stride(), row = k * level.plane_stride() + in_plane;
    along(1, level.nx - 1, [&](int i, const auto& lanes) {
      lanes.store(out + in_plane + i, 1.0f / square_root(diagonal(row_at(level, row + i, lanes))));
    });
  }
}

void scale_row(const float* face, float factor, const float* u, const float* next, int nx,
               float* __restrict even, float* __restrict odd, float* __restrict workspace) {
  for (int i = 0; i < nx; ++i) workspace[i] = factor * face[i] * (u[i] * next[i]);
  for (int m = 0; m < nx / 2; ++m) {
    even[m] = workspace[2 * m];
    odd[m] = workspace[2 * m + 1];
  }
  if (nx % 2 == 1) even[nx / 2] = workspace[nx - 1];
}

}  // namespace

extern const RedBlackKernels IONWELL_OF_LEVEL(red_black_kernels);
const RedBlackKernels IONWELL_OF_LEVEL(red_black_kernels){
    gather,           relax,          relax_and_dot, apply_and_dot,
    divide_by_roots,  turn_direction, step,          collect_residual,
    add_interpolated, inverse_roots,  scale_row};

}  // namespace ionwell
