// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for each instruction set (simd_level.hpp).
#include "core/geometry/spline_in_cell.hpp"
#include "core/geometry/trilinear.hpp"
#include "electrostatics/interpolated/simd/force_kernels.hpp"
#include "electrostatics/simd/simd.hpp"

namespace ionwell {
namespace {

constexpr int batch = body_batch;    // a multiple of every vector's width
constexpr double same_point = 1e-6;  // nearer to a lattice point than this, in spacings, is on it

using QuadVector = float __attribute__((vector_size(16)));

/// Where the charges of a batch are.
struct Places {
  alignas(64) std::int32_t quad[batch];  // the first of the cell
  alignas(64) float t[3][batch];         // where in the cell, 0 to 1
  alignas(64) float charge_e[batch];     // replaced where a charge is outside
  alignas(64) float lever_A[3][batch];   // from the centre of a body
  int count, outside;
};

/// Finds the cells of positions [x, y, z][batch] and of `charge_e`; charges outside become `outside_e`.
inline void locate(const QuadLattice& lattice, const double (*at_A)[batch], const double* charge_e,
                   double outside_e, int count, Places* places) {
  constexpr double rounder = 6755399441055744.0;  // 1.5 * 2^52: adding it rounds to an integer
  alignas(64) double quad[batch], charge[batch], is_outside[batch];
  for (int l = 0; l < batch; ++l) {
    quad[l] = is_outside[l] = 0.0;
    charge[l] = charge_e[l];
  }
  for (int axis = 0; axis < 3; ++axis) {
    const double origin_A = lattice.origin_A[axis], per_A = lattice.points_per_A[axis],
                 last = lattice.last_point[axis], last_cell = lattice.last_cell[axis],
                 stride = lattice.stride[axis], beyond = last + 2.0;
    for (int l = 0; l < batch; ++l) {
      double u = (at_A[axis][l] - origin_A) * per_A;
      u = u > -2.0 ? u : -2.0;  // NaN too
      u = u < beyond ? u : beyond;
      const double nearest = (u + rounder) - rounder;
      u = __builtin_fabs(u - nearest) <= same_point ? nearest : u;
      double cell = nearest > u ? nearest - 1.0 : nearest;
      cell = cell > 0.0 ? cell : 0.0;
      cell = cell < last_cell ? cell : last_cell;
      const bool inside = (u >= 0.0) & (u <= last);
      charge[l] = inside ? charge[l] : outside_e;
      is_outside[l] = inside ? is_outside[l] : 1.0;
      places->t[axis][l] = float(u - cell);
      quad[l] += stride * cell;
    }
  }
  for (int l = 0; l < batch; ++l) places->quad[l] = std::int32_t(quad[l]);
  for (int l = 0; l < batch; ++l) places->charge_e[l] = float(charge[l]);
  places->count = count;
  places->outside = 0;
  for (int l = 0; l < count; ++l) places->outside += is_outside[l] != 0.0;
}

inline FloatVector quads_of(const float* quads, const std::int32_t* number) {
#if defined(__AVX512F__)
  const auto at = [&](int n) { return _mm_load_ps(quads + 4 * std::ptrdiff_t(number[n])); };
  const __m512 lower = _mm512_insertf32x4(_mm512_castps128_ps512(at(0)), at(4), 1);
  return (FloatVector)_mm512_insertf32x4(_mm512_insertf32x4(lower, at(8), 2), at(12), 3);
#elif defined(__AVX2__)
  const auto at = [&](int n) { return _mm_load_ps(quads + 4 * std::ptrdiff_t(number[n])); };
  return (FloatVector)_mm256_insertf128_ps(_mm256_castps128_ps256(at(0)), at(4), 1);
#else
  return load(quads + 4 * std::ptrdiff_t(number[0]));
#endif
}

/// Exchanges rows and columns of each 4 x 4 numbers that lie in the same fours of lanes.
inline void transpose_fours(FloatVector* v) {
#if defined(__AVX512F__)
  const auto a = (__m512)v[0], b = (__m512)v[1], c = (__m512)v[2], d = (__m512)v[3];
  const auto ab = (__m512d)_mm512_unpacklo_ps(a, b), cd = (__m512d)_mm512_unpacklo_ps(c, d),
             ab2 = (__m512d)_mm512_unpackhi_ps(a, b), cd2 = (__m512d)_mm512_unpackhi_ps(c, d);
  v[0] = (FloatVector)_mm512_unpacklo_pd(ab, cd);
  v[1] = (FloatVector)_mm512_unpackhi_pd(ab, cd);
  v[2] = (FloatVector)_mm512_unpacklo_pd(ab2, cd2);
  v[3] = (FloatVector)_mm512_unpackhi_pd(ab2, cd2);
#elif defined(__AVX2__)
  const auto a = (__m256)v[0], b = (__m256)v[1], c = (__m256)v[2], d = (__m256)v[3];
  const auto ab = (__m256d)_mm256_unpacklo_ps(a, b), cd = (__m256d)_mm256_unpacklo_ps(c, d),
             ab2 = (__m256d)_mm256_unpackhi_ps(a, b), cd2 = (__m256d)_mm256_unpackhi_ps(c, d);
  v[0] = (FloatVector)_mm256_unpacklo_pd(ab, cd);
  v[1] = (FloatVector)_mm256_unpackhi_pd(ab, cd);
  v[2] = (FloatVector)_mm256_unpacklo_pd(ab2, cd2);
  v[3] = (FloatVector)_mm256_unpackhi_pd(ab2, cd2);
#else
  const FloatVector a = v[0], b = v[1], c = v[2], d = v[3];
  for (int r = 0; r < 4; ++r) v[r] = FloatVector{a[r], b[r], c[r], d[r]};
#endif
}

/// node[q] = node q of the quad `shift` quads behind the first one of each lane's cell.
inline void gather(const float* quads, const std::int32_t* first, std::ptrdiff_t shift, FloatVector* node) {
  for (int r = 0; r < 4; ++r) node[r] = quads_of(quads + 4 * shift, first + r);
  transpose_fours(node);
}

/// The potential, and its derivatives by axis in units of one spacing.
struct Interpolated {
  FloatVector value, by[3];
};

struct Trilinear {
  static Interpolated at(const QuadLattice& lattice, const Places& places, int l) {
    const FloatVector tx = load(places.t[0] + l), ty = load(places.t[1] + l), tz = load(places.t[2] + l);
    const auto face = [&](int i) {
      FloatVector v[4];
      gather(lattice.quads, places.quad + l, i, v);
      return trilinear_on_face(v[0], v[1], v[2], v[3], ty, tz);
    };
    const ValueInCell<FloatVector> at = trilinear_in_cell(face(0), face(1), tx);
    return {at.value, {at.by_w, at.by_u, at.by_v}};
  }
};

struct CubicSpline {
  static Interpolated at(const QuadLattice& lattice, const Places& places, int l) {
    const SplinesInCell<FloatVector> x(load(places.t[0] + l)), y(load(places.t[1] + l)),
        z(load(places.t[2] + l));
    const auto row = std::ptrdiff_t(lattice.stride[1]), plane = std::ptrdiff_t(lattice.stride[2]);
    Interpolated sum{};
    for (int i = 0; i < 4; ++i) {
      FloatVector value{}, by_y{}, by_z{};
      for (int k = 0; k < 4; k += 2)
        for (int j = 0; j < 4; j += 2) {
          FloatVector v[4];
          gather(lattice.quads, places.quad + l, i + j * row + k * plane, v);
          const FloatVector z0 = v[0] * y.w[j] + v[1] * y.w[j + 1], z1 = v[2] * y.w[j] + v[3] * y.w[j + 1];
          value += z0 * z.w[k] + z1 * z.w[k + 1];
          by_z += z0 * z.d[k] + z1 * z.d[k + 1];
          by_y +=
              (v[0] * y.d[j] + v[1] * y.d[j + 1]) * z.w[k] + (v[2] * y.d[j] + v[3] * y.d[j + 1]) * z.w[k + 1];
        }
      sum.value += x.w[i] * value;
      sum.by[0] += x.d[i] * value;
      sum.by[1] += x.w[i] * by_y;
      sum.by[2] += x.w[i] * by_z;
    }
    return sum;
  }
};

/// Calls use(first, places) for each batch of charges, once place(first, how many, &places) has placed them.
/// To place one batch ahead and fetch its nodes early gains nothing, from memory either: 64 cells are loaded
/// independently of each other as it is.
template <typename Place, typename Use>
inline void for_each_batch(std::int64_t count, const Place& place, const Use& use) {
  Places places;
  for (std::int64_t first = 0; first < count; first += batch) {
    place(first, count - first < batch ? int(count - first) : batch, &places);
    use(first, places);
  }
}

template <typename Interpolation>
std::int64_t on_charges(const QuadLattice& lattice, const double* charges, std::int64_t count,
                        float* forces) {
  constexpr double nowhere = __builtin_nan("");
  std::int64_t outside = 0;
  const auto place = [&](std::int64_t first, int some, Places* places) {
    alignas(64) double at_A[3][batch], charge_e[batch];
    const double* from = charges + 4 * first;
    double last[4 * batch];
    if (some < batch) {  // the rest are the last one's copies
      for (int l = 0; l < batch; ++l)
        for (int c = 0; c < 4; ++c) last[4 * l + c] = from[4 * (l < some ? l : some - 1) + c];
      from = last;
    }
    for (int l = 0; l < batch; ++l) {
      at_A[0][l] = from[4 * l];
      at_A[1][l] = from[4 * l + 1];
      at_A[2][l] = from[4 * l + 2];
      charge_e[l] = from[4 * l + 3];
    }
    locate(lattice, at_A, charge_e, nowhere, some, places);
  };
  const float scale[3] = {-float(lattice.slope_per_A[0]), -float(lattice.slope_per_A[1]),
                          -float(lattice.slope_per_A[2])};
  for_each_batch(count, place, [&](std::int64_t first, const Places& places) {
    outside += places.outside;
    for (int l = 0; l < places.count; l += width) {
      const Interpolated at = Interpolation::at(lattice, places, l);
      const FloatVector charge = load(places.charge_e + l);
      FloatVector row[4] = {charge * (scale[0] * at.by[0]), charge * (scale[1] * at.by[1]),
                            charge * (scale[2] * at.by[2]), charge * at.value};
      transpose_fours(row);
      const int some = places.count - l < width ? places.count - l : width;
      float* const to = forces + 4 * (first + l);
      for (int r = 0; r < 4; ++r)
        for (int g = 0; 4 * g < width; ++g) {
          QuadVector one;
          __builtin_memcpy(&one, reinterpret_cast<const float*>(row + r) + 4 * g, sizeof one);
          if (4 * g + r < some) __builtin_memcpy(to + 4 * (4 * g + r), &one, sizeof one);
        }
    }
  });
  return outside;
}

/// Sums in fp64, lane by lane.
struct LaneSums {
  alignas(64) double lane[width] = {};

  void add(FloatVector v) {
    float part[width];
    store_unaligned(part, v);
    for (int l = 0; l < width; ++l) lane[l] += double(part[l]);
  }
  double total() const {
    double sum = 0.0;
    for (int l = 0; l < width; ++l) sum += lane[l];
    return sum;
  }
};

template <typename Interpolation>
BodySums on_body(const QuadLattice& lattice, const BodyCharges& body, const BodyFrame& frame) {
  const auto place = [&](std::int64_t first, int some, Places* places) {
    alignas(64) double at_A[3][batch];
    const double *const x_A = body.x_A + first, *const y_A = body.y_A + first, *const z_A = body.z_A + first;
    for (int axis = 0; axis < 3; ++axis) {
      const double* const row = frame.rotation[axis];
      for (int l = 0; l < batch; ++l) {
        const double lever_A = row[0] * x_A[l] + row[1] * y_A[l] + row[2] * z_A[l];
        places->lever_A[axis][l] = float(lever_A);
        at_A[axis][l] = frame.centre_A[axis] + lever_A;
      }
    }
    locate(lattice, at_A, body.charge_e + first, 0.0, some, places);
  };
  const float scale[3] = {-float(lattice.slope_per_A[0]), -float(lattice.slope_per_A[1]),
                          -float(lattice.slope_per_A[2])};
  LaneSums force[3], torque[3], energy;
  std::int64_t outside = 0;
  for_each_batch(body.count, place, [&](std::int64_t, const Places& places) {
    outside += places.outside;
    FloatVector f_sum[3] = {}, t_sum[3] = {}, e_sum{};
    for (int l = 0; l < places.count; l += width) {
      const Interpolated at = Interpolation::at(lattice, places, l);
      const FloatVector charge = load(places.charge_e + l);
      const FloatVector x = load(places.lever_A[0] + l), y = load(places.lever_A[1] + l),
                        z = load(places.lever_A[2] + l);
      const FloatVector fx = charge * (scale[0] * at.by[0]), fy = charge * (scale[1] * at.by[1]),
                        fz = charge * (scale[2] * at.by[2]);
      f_sum[0] += fx;
      f_sum[1] += fy;
      f_sum[2] += fz;
      t_sum[0] += y * fz - z * fy;
      t_sum[1] += z * fx - x * fz;
      t_sum[2] += x * fy - y * fx;
      e_sum += charge * at.value;
    }
    for (int axis = 0; axis < 3; ++axis) {
      force[axis].add(f_sum[axis]);
      torque[axis].add(t_sum[axis]);
    }
    energy.add(e_sum);
  });
  return {{force[0].total(), force[1].total(), force[2].total()},
          {torque[0].total(), torque[1].total(), torque[2].total()},
          energy.total(),
          outside};
}

}  // namespace

extern const ForceKernels IONWELL_OF_LEVEL(force_kernels);
const ForceKernels IONWELL_OF_LEVEL(force_kernels){on_charges<Trilinear>, on_charges<CubicSpline>,
                                                   on_body<Trilinear>, on_body<CubicSpline>};

}  // namespace ionwell
