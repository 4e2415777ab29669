// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for each instruction set (simd_level.hpp).
#include "electrostatics/poisson_boltzmann/solver/simd/pb_kernels.hpp"

#include "electrostatics/poisson_boltzmann/solver/simd/pb_lanes.hpp"

namespace ionwell {
namespace {

/// Which lanes have points of `colour` in row (j, k), whose first inner point has index 1.
IntVector coloured_lanes(PointColour colour, int j, int k) {
  return lanes_of_parity((1 + j + k + (colour == PointColour::odd)) % 2);
}

void relax_from_zero(const PbLevel& of_plane, int k, PointColour colour, const float* b, float* x) {
  const PbLevel level = of_plane;
  for (int j = 1; j < level.ny - 1; ++j) {
    const IntVector coloured = coloured_lanes(colour, j, k);
    const std::int64_t row = k * level.plane_stride() + j * level.row_stride();
    along(1, level.nx - 1, [&](int i, const auto& lanes) {
      const std::int64_t p = row + i;
      const FloatVector value = lanes.load(b + p) * inverse(diagonal(row_at(level, p, lanes)));
      lanes.store(x + p, coloured ? value : lanes.load(x + p));
    });
  }
}

/// In place, where a vector that begins one point before another was just written would have to wait for it.
/// Therefore the values before a vector's points are read before the vector there is written: those that
/// count are of the other colour, and stay.
template <bool with_dot>
double relax_plane(const PbLevel& of_plane, int k, PointColour colour, const float* b, float* x) {
  const PbLevel level = of_plane;  // no store can change it
  DoubleVector sum{};
  for (int j = 1; j < level.ny - 1; ++j) {
    const IntVector coloured = coloured_lanes(colour, j, k);
    const std::int64_t row = k * level.plane_stride() + j * level.row_stride();
    const auto relax_at = [&](std::int64_t p, const FloatVector& before, const auto& lanes) {
      PbNeighbours<FloatVector> around = neighbours_at(level, p, x, lanes);
      around.x_low = before;
      const FloatVector right_side = lanes.load(b + p);
      const PbRow<FloatVector> of_points = row_at(level, p, lanes);
      const FloatVector value = (right_side + inflow(of_points, around)) * inverse(diagonal(of_points));
      const FloatVector all = coloured ? value : lanes.load(x + p);
      lanes.store(x + p, all);
      if constexpr (with_dot) sum += to_double(right_side) * to_double(all);
    };
    const int last = level.nx - 1, vectors = (last - 1) / width;
    const int whole = 1 + vectors * width;  // where the rest of the row begins
    FloatVector before = vectors > 0 ? load_unaligned(x + row) : FloatVector{};
    for (int i = 1; i < whole; i += width) {
      const FloatVector next = i + width < whole ? load_unaligned(x + row + i + width - 1) : before;
      relax_at(row + i, before, AllLanes{});
      before = next;
    }
    if (whole < last) {
      const FirstLanes rest{last - whole};
      relax_at(row + whole, rest.load(x + row + whole - 1), rest);
    }
  }
  return sum_of_lanes(sum);
}

void relax(const PbLevel& level, int k, PointColour colour, const float* b, float* x) {
  relax_plane<false>(level, k, colour, b, x);
}

double relax_and_dot(const PbLevel& level, int k, PointColour colour, const float* b, float* x) {
  return relax_plane<true>(level, k, colour, b, x);
}

/// Calls use(i, lanes, row of A, residual) for vectors that make up a row's inner points.
template <typename Use>
inline void over_residuals(const PbLevel& of_row, std::int64_t row, const double* phi, const float* charge_e,
                           double factor, const Use& use) {
  const PbLevel level = of_row;
  along(
      1, level.nx - 1, [&](int i, const auto& lanes) __attribute__((always_inline)) {
        const PbRow<FloatVector> a = row_at(level, row + i, lanes);
        const PbRow<DoubleVector> wide{to_double(a.x_low),   to_double(a.x_high), to_double(a.y_low),
                                       to_double(a.y_high),  to_double(a.z_low),  to_double(a.z_high),
                                       to_double(a.reaction)};
        use(i, lanes, wide,
            residual_of_differences(wide, neighbours_at(level, i, phi, lanes), lanes.load(phi + i),
                                    factor * to_double(lanes.load(charge_e + i))));
      });
}

double residual_row(const PbLevel& level, std::int64_t row, const double* phi, const float* charge_e,
                    double factor, double* out) {
  DoubleVector sum{};
  over_residuals(level, row, phi, charge_e, factor,
                 [&](int i, const auto& lanes, const auto&, DoubleVector residual) {
                   lanes.store(out + i, residual);
                   sum += residual * residual;  // zero in lanes without points
                 });
  return sum_of_lanes(sum);
}

void step_row(const PbLevel& level, std::int64_t row, const double* phi, const float* charge_e, double factor,
              double* out) {
  over_residuals(level, row, phi, charge_e, factor,
                 [&](int i, const auto& lanes, const PbRow<DoubleVector>& a, DoubleVector residual) {
                   lanes.store(out + i, residual / diagonal(a));
                 });
}

}  // namespace

extern const PbKernels IONWELL_OF_LEVEL(pb_kernels);
const PbKernels IONWELL_OF_LEVEL(pb_kernels){relax_from_zero, relax, relax_and_dot, residual_row, step_row};

}  // namespace ionwell
