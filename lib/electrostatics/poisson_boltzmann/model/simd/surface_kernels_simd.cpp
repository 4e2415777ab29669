// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for each instruction set (simd_level.hpp).
#include "electrostatics/poisson_boltzmann/model/simd/surface_kernels.hpp"

#include "electrostatics/poisson_boltzmann/solver/simd/pb_lanes.hpp"
#include "electrostatics/simd/simd.hpp"

namespace ionwell {
namespace {

constexpr float infinity = __builtin_inff();

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

inline bool any(IntVector mask) {
#if defined(__AVX512F__)
  return _mm512_test_epi32_mask((__m512i)mask, (__m512i)mask) != 0;
#elif defined(__AVX2__)
  return _mm256_movemask_ps((__m256)mask) != 0;
#elif defined(__SSE2__)
  return _mm_movemask_ps((__m128)mask) != 0;
#else
  return any_lane(mask);
#endif
}

inline IntVector lane_numbers() {
  IntVector lane;
  for (int l = 0; l < width; ++l) lane[l] = l;
  return lane;
}

inline FloatVector lanes_as_floats() {
  FloatVector lane;
  for (int l = 0; l < width; ++l) lane[l] = float(l);
  return lane;
}

/// A vector of samples that lie behind each other from `at` on.
struct OneRow {
  int at;

  FloatVector load(const float* values) const { return load_unaligned(values + at); }
  IntVector load(const int* numbers) const {
    IntVector v;
    __builtin_memcpy(&v, numbers + at, sizeof v);
    return v;
  }
  void store(float* values, FloatVector v) const { store_unaligned(values + at, v); }
  void store(int* numbers, IntVector v) const { __builtin_memcpy(numbers + at, &v, sizeof v); }
};

#if defined(__AVX512F__)
/// One half of a vector in each of two rows: around most parts a row has no more samples.
struct TwoRows {
  static constexpr int samples = width / 2;
  int at, next;

  template <typename Vector, typename Number>
  Vector load_halves(const Number* from) const {
    const __m256d low = _mm256_loadu_pd(reinterpret_cast<const double*>(from + at)),
                  high = _mm256_loadu_pd(reinterpret_cast<const double*>(from + next));
    return (Vector)_mm512_insertf64x4(_mm512_castpd256_pd512(low), high, 1);
  }
  template <typename Vector, typename Number>
  void store_halves(Number* to, Vector v) const {
    _mm256_storeu_pd(reinterpret_cast<double*>(to + at), _mm512_castpd512_pd256((__m512d)v));
    _mm256_storeu_pd(reinterpret_cast<double*>(to + next), _mm512_extractf64x4_pd((__m512d)v, 1));
  }
  FloatVector load(const float* values) const { return load_halves<FloatVector>(values); }
  IntVector load(const int* numbers) const { return load_halves<IntVector>(numbers); }
  void store(float* values, FloatVector v) const { store_halves(values, v); }
  void store(int* numbers, IntVector v) const { store_halves(numbers, v); }
};

inline FloatVector in_halves(float low, float high) {
  return (FloatVector)_mm512_mask_broadcastss_ps(_mm512_set1_ps(low), 0xFF00, _mm_set_ss(high));
}
#endif

/// Calls work(place, x, y, z, mask) for the vectors of samples whose rows meet the ball: `place` is where
/// they lie, x, y and z are their positions, and the mask has the lanes of the box.
template <typename Work>
inline void over_rows(const SampleBox& given, const AroundPart& ball, const Work& work) {
  const SampleBox box = given;  // no store can change it
  const float radius2 = ball.radius * ball.radius;
  for (int k = box.first_z; k <= box.last_z; ++k) {
    const float z = box.spacing_z * float(k), left = radius2 - (z - ball.z) * (z - ball.z);
    for (int j = box.first_y; j <= box.last_y; ++j) {
      const float y = box.spacing_y * float(j);
      if (!(left - (y - ball.y) * (y - ball.y) > 0.0f)) continue;
      const int row = j * box.row + k * box.plane;
#if defined(__AVX512F__)
      // Where rows are longer than half a vector none of its lanes is a sample of the box in the next one.
      const int count = box.last_x - box.first_x + 1;
      if (count <= TwoRows::samples && box.row >= TwoRows::samples && j < box.last_y) {
        const float next_y = box.spacing_y * float(j + 1);
        const IntVector lane = lane_numbers() & (TwoRows::samples - 1);
        const FloatVector x = box.spacing_x * __builtin_convertvector(lane + box.first_x, FloatVector);
        work(TwoRows{row + box.first_x, row + box.row + box.first_x}, x, in_halves(y, next_y), z,
             lane < count);
        ++j;
        continue;
      }
#endif
      for (int i = box.first_x; i <= box.last_x; i += width) {
        const FloatVector x = box.spacing_x * (lanes_as_floats() + float(i));
        work(OneRow{row + i}, x, y, z, lane_numbers() <= box.last_x - i);
      }
    }
  }
}

void fill_ball(const SampleBox& box, const AroundPart& ball, float value, float* values) {
  const AroundPart part = ball;
  const float radius2 = part.radius * part.radius;
  over_rows(box, part, [&](const auto& place, const FloatVector& x, const auto& y, float z, IntVector mask) {
    const FloatVector dx = x - part.x;
    const auto dy = y - part.y;
    const float dz = z - part.z;
    const FloatVector r2 = dx * dx + (dy * dy + dz * dz), old = place.load(values);
    place.store(values, (mask & (r2 < radius2)) ? broadcast(value) : old);
  });
}

void add_patch(const SampleBox& box, const AroundPart& ball, float reach, float enough, const float* caps,
               int count, float* values) {
  const AroundPart part = ball;
  over_rows(box, part, [&](const auto& place, const FloatVector& x, const auto& y, float z, IntVector mask) {
    const FloatVector dx = x - part.x;
    const auto dy = y - part.y;
    const float dz = z - part.z;
    const FloatVector r = square_root(dx * dx + (dy * dy + dz * dz)), to = part.radius - r,
                      old = place.load(values);
    IntVector open = mask & (old > enough) & (to >= 0.0f) & (to <= reach) & (to < old);
    if (!any(open)) return;
    for (int n = 0; n < count; ++n) {
      const float* const cap = caps + 4 * n;
      const FloatVector along = dx * cap[0] + (dy * cap[1] + dz * cap[2]);
      open &= along <= r * cap[3];
      if (!any(open)) return;
    }
    place.store(values, open ? to : old);
  });
}

/// Squared distance from points to an arc, where any of the numbers may be a vector.
template <typename Arc, typename X, typename Y, typename Z>
inline FloatVector arc_distance2(const Arc& arc, const X& x, const Y& y, const Z& z) {
  const auto dx = x - arc(arc_x);
  const auto dy = y - arc(arc_y);
  const auto dz = z - arc(arc_z);
  const FloatVector along = dx * arc(arc_axis_x) + (dy * arc(arc_axis_y) + dz * arc(arc_axis_z)),
                    along2 = along * along,
                    across = square_root(larger(dx * dx + (dy * dy + dz * dz) - along2, FloatVector{})),
                    radial = across - arc(arc_radius);
  // `middle` lies in the plane: the part of the way along the axis adds nothing.
  const FloatVector to_middle = dx * arc(arc_middle_x) + (dy * arc(arc_middle_y) + dz * arc(arc_middle_z));
  const auto ax = x - arc(arc_first_x), bx = x - arc(arc_last_x);
  const auto ay = y - arc(arc_first_y), by = y - arc(arc_last_y);
  const auto az = z - arc(arc_first_z), bz = z - arc(arc_last_z);
  const FloatVector first2 = ax * ax + (ay * ay + az * az), last2 = bx * bx + (by * by + bz * bz);
  return to_middle >= arc(arc_cos_half) * across ? along2 + radial * radial : smaller(first2, last2);
}

void add_arc(const SampleBox& box, const AroundPart& around, float reach, float enough, const float* arc,
             float* values) {
  const AroundPart part = around;
  float of[arc_columns];
  for (int c = 0; c < arc_columns; ++c) of[c] = arc[c];
  over_rows(box, part, [&](const auto& place, const FloatVector& x, const auto& y, float z, IntVector mask) {
    const FloatVector old = place.load(values);
    const IntVector inside = mask & (old > enough);
    if (!any(inside)) return;
    const FloatVector d = square_root(arc_distance2([&of](ArcColumn c) { return of[c]; }, x, y, z));
    place.store(values, (inside & (d < old) & (d < reach)) ? d : old);
  });
}

inline auto arc_at(const NumberColumns& arcs, int n) {
  return [first = arcs.first + n, stride = arcs.stride](ArcColumn c) {
    return load_unaligned(first + c * stride);
  };
}

int arcs_within(const NumberColumns& arcs, int first, int last, const float* point, float reach, int* out) {
  const float reach2 = reach * reach;
  int count = 0;
  for (int n = first; n < last; n += width) {
    const FloatVector d2 = arc_distance2(arc_at(arcs, n), point[0], point[1], point[2]);
    count += append_lanes((d2 < reach2) & (lane_numbers() < last - n), n, out + count);
  }
  return count;
}

int spheres_within(const NumberColumns& balls, int first, int last, const float* point, float reach,
                   int* out) {
  int count = 0;
  for (int n = first; n < last; n += width) {
    const auto at = [&](BallColumn c) { return load_unaligned(balls.first + c * balls.stride + n); };
    const FloatVector dx = at(ball_x) - point[0], dy = at(ball_y) - point[1], dz = at(ball_z) - point[2],
                      to = absolute(square_root(dx * dx + (dy * dy + dz * dz)) - at(ball_radius));
    count += append_lanes((to <= reach) & (lane_numbers() < last - n), n, out + count);
  }
  return count;
}

float nearest_arc2(const NumberColumns& arcs, int count, const float* point) {
  FloatVector nearest = broadcast(infinity);
  for (int n = 0; n < count; n += width) {
    const FloatVector d2 = arc_distance2(arc_at(arcs, n), point[0], point[1], point[2]);
    nearest = lane_numbers() < count - n ? smaller(d2, nearest) : nearest;
  }
  float lane[width];
  store_unaligned(lane, nearest);
  for (int half = width / 2; half > 0; half /= 2)
    for (int l = 0; l < half; ++l) lane[l] = lane[l] < lane[l + half] ? lane[l] : lane[l + half];
  return lane[0];
}

void depths(const NumberColumns& balls, int count, const float* point, float* out) {
  for (int n = 0; n < count; n += width) {
    const auto at = [&](BallColumn c) { return load_unaligned(balls.first + c * balls.stride + n); };
    const FloatVector dx = at(ball_x) - point[0], dy = at(ball_y) - point[1], dz = at(ball_z) - point[2];
    store_unaligned(out + n, at(ball_radius) - square_root(dx * dx + (dy * dy + dz * dz)));
  }
}

bool is_open(const NumberColumns& caps, int first, int last, const float* direction, float length) {
  const float x = direction[0], y = direction[1], z = direction[2];
  for (int n = first; n < last; n += width) {
    const auto at = [&](int column) { return load_unaligned(caps.first + column * caps.stride + n); };
    const FloatVector beyond = x * at(0) + y * at(1) + z * at(2) - length * at(3);
    if (any((beyond > 0.0f) & (lane_numbers() < last - n))) return false;
  }
  return true;
}

int decide_segments(const float* from, const float* to, int count, float probe, float length, float inside,
                    float outside, float* out, int* rest) {
  int undecided = 0;
  const auto decide = [&](int n, const auto& lanes) {
    const FloatVector a = lanes.load(from + n) - probe, b = lanes.load(to + n) - probe, sum = a + b;
    const IntVector is_inside = (a > 0.0f) & (b > 0.0f) & (sum >= length),
                    is_outside = (a <= 0.0f) & (b <= 0.0f) & (sum <= -length);
    lanes.store(out + n, is_inside ? inside - FloatVector{} : outside - FloatVector{});
    undecided += append_lanes(~(is_inside | is_outside) & (lane_numbers() < count - n), n, rest + undecided);
  };
  along(0, count, decide);
  return undecided;
}

void deepen(const SampleBox& box, const AroundPart& ball, float beside, int number, float* depths,
            int* deepest) {
  const AroundPart part = ball, with_beside{ball.x, ball.y, ball.z, ball.radius + beside};
  over_rows(box, with_beside,
            [&](const auto& place, const FloatVector& x, const auto& y, float z, IntVector mask) {
              const FloatVector old = place.load(depths);
              const FloatVector dx = x - part.x;
              const auto dy = y - part.y;
              const float dz = z - part.z;
              const FloatVector depth = part.radius - square_root(dx * dx + (dy * dy + dz * dz));
              const IntVector deeper = mask & (old <= beside) & (depth > old) & (depth > -beside);
              if (!any(deeper)) return;
              place.store(depths, deeper ? depth : old);
              place.store(deepest, deeper ? number - IntVector{} : place.load(deepest));
            });
}

}  // namespace

extern const SurfaceKernels IONWELL_OF_LEVEL(surface_kernels);
const SurfaceKernels IONWELL_OF_LEVEL(surface_kernels){fill_ball,       add_patch,    add_arc, arcs_within,
                                                       spheres_within,  nearest_arc2, depths,  is_open,
                                                       decide_segments, deepen};

}  // namespace ionwell
