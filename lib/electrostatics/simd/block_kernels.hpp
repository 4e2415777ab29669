#pragma once

#include <cstddef>
#include <cstdint>

#include "electrostatics/pair_potential.hpp"
#include "placement/cpu_field.hpp"

/// The inner loops of the CPU field. They are compiled once for each instruction set, from one source, and
/// chosen at run time. Plain arrays only: a source compiled for AVX-512 must not leave inline library code
/// behind that the linker could give to the rest of the program.
namespace ionwell {

/// Charges in fp64, one array per member, `count` of each; fastest when each 64 are neighbours in space, the
/// positive ones in front.
struct ChargeArrays {
  const double* x_A;
  const double* y_A;
  const double* z_A;
  const double* charge_e;
  const double* length_scale;  // see length_scale()
  std::size_t count;
};

/// Factor on all lengths that lets a charge's potential be computed without multiplying by the charge:
/// |K q| / r = 2 / sqrt(s^2 r^2) with s = 2 / |K q|, and |K q| / r^2 = 1 / (s^2 r^2) with s = |K q|^(-1/2).
inline double length_scale(const PairPotential& pair, double charge_e) {
  const double magnitude = pair.prefactor * std::abs(charge_e);
  if (pair.kind == PairPotential::Kind::coulomb) return 2.0 / magnitude;
  if (pair.kind == PairPotential::Kind::distance_dependent) return 1.0 / std::sqrt(magnitude);
  return 1.0;
}

/// Position of one block of 8 x 8 x 8 points.
struct BlockFrame {
  double first_A[3];   // position of its first point
  double centre_A[3];  // midway between its first and last point
  double spacing_A[3];
  // The points whose values are wanted have j and k in these ranges; the others' may be left.
  int first_row = 0, last_row = 7, first_plane = 0, last_plane = 7;
};

constexpr int longest_column = 4;  // blocks whose charges are prepared together

/// Lowest and highest value over the available points; lowest > highest when there is none.
struct ValueRange {
  float lowest, highest;
};

/// One fp32 array per member, an entry for each cube of CubeBounds.
enum class CubeMember {
  x,
  y,
  z,  // centre
  range_lowest,
  range_highest,  // of the values
  plane_lowest,
  plane_highest,  // of the values less a plane through the centre
  plane_slope_x,
  plane_slope_y,
  plane_slope_z,
  shift_lowest,
  shift_highest,  // by the ions added: at the centre, and all of an ion that is near
  slope_x,
  slope_y,
  slope_z,  // of the others' potential at the centre
  xx,
  yy,
  zz,
  xy,
  xz,
  yz,         // its second derivatives
  remainder,  // what is left of them, at most
  lowest,
  highest,  // result
  count
};

struct InflationFrame;

struct CubeArrays {
  float* member[std::size_t(CubeMember::count)];
};

struct BlockKernels {
  /// values[p] += potential of all charges, for the 512 points of each of `blocks` blocks (64-byte aligned)
  /// in a column along z, at most `longest_column`. fp32 terms, summed in fp32 over at most 64 charges and
  /// then in fp64; see `rounding_of_direct_sum`. A block's values do not depend on its company.
  void (*add_charges)(const BlockFrame* frames, int blocks, const ChargeArrays& charges,
                      const PairPotential& pair, float* values);

  /// Bound on the sum of |potential| over all charges at points within `slack_A` of `centre_A` and at least
  /// `clearance_A` from every charge.
  double (*magnitude)(const double* centre_A, double slack_A, double clearance_A, const ChargeArrays& charges,
                      const PairPotential& pair);

  /// The fp64 potential at one point: terms in fp64, in eight partial sums, then added in a fixed order.
  double (*exact)(const double* position_A, const ChargeArrays& charges, const PairPotential& pair);

  /// The plane that fits the available values best, axis by axis: its rise from one point to the next along
  /// x, y, z.
  void (*slope)(const float* values, const std::uint64_t* available, float* slope);

  /// Range over the available points (bits of `available`, 512 of them) of `values` less the plane through
  /// the block's centre with this slope.
  ValueRange (*range)(const float* values, const std::uint64_t* available, const float* slope);

  /// Adds ions to the bounds of the cubes [first, last); positions relative to `origin_A`. See CubeBounds.
  void (*inflate)(const CubeArrays& cubes, std::size_t first, std::size_t last, const double* origin_A,
                  const InflationFrame& frame, const ChargeArrays& ions, const double* clearance_A);

  /// Clears the bits of the points with d^2 <= `limit_A2` from any of `count` centres (x, y, z in turn), in
  /// fp64; returns false when no point is left. Fastest with the nearest centres first.
  bool (*exclude)(const BlockFrame& frame, const double* centres_A, std::size_t count, double limit_A2,
                  std::uint64_t* available);

  /// SimdFeature bits: what these functions, and the grid kernels of the same level, were compiled for.
  std::uint32_t features;
};

/// Throws UsageError when this processor lacks instructions that the level may use.
const BlockKernels& block_kernels(SimdLevel level);

/// Whether the kernels of a level are in this build and a processor with these SimdFeature bits runs them.
bool runs_on(SimdLevel level, std::uint32_t features);

/// Rounding of `add_charges`, relative to the sum of the terms' magnitudes: 64 + 16 fp32 additions of 2^-24
/// each and 2e-6 at most for a term (coordinates to 2^-24 of their size, one Newton step on an estimate of 12
/// bits or on the mean of two).
constexpr double rounding_of_direct_sum = 80 * 0x1p-24 + 2e-6;

}  // namespace ionwell
