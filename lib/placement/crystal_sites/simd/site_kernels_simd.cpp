// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for each instruction set (simd_level.hpp).
#include "placement/crystal_sites/simd/site_kernels.hpp"

#include "electrostatics/simd/simd.hpp"

namespace ionwell {
namespace {

using RowMask = int __attribute__((vector_size(4 * edge)));

/// Along the axes of a block, from one atom.
struct FromAtom {
  double dx[edge], dy[edge], dz[edge];

  FromAtom(const BlockFrame& frame, const double* atom_A) {
    for (int i = 0; i < edge; ++i) {
      dx[i] = frame.first_A[0] + frame.spacing_A[0] * i - atom_A[0];
      dy[i] = frame.first_A[1] + frame.spacing_A[1] * i - atom_A[1];
      dz[i] = frame.first_A[2] + frame.spacing_A[2] * i - atom_A[2];
    }
  }
};

void add_densities(const BlockFrame& frame, const double* atoms_A, std::size_t atoms,
                   const RadialGaussian* gaussians, int count, double cutoff_A, float* values) {
  const float limit_A2 = float(cutoff_A * cutoff_A);
  for (std::size_t a = 0; a < atoms; ++a) {
    const FromAtom from(frame, atoms_A + 3 * a);
    Row x2{}, along_x[most_gaussians];
    float y2[edge], z2[edge], along_y[most_gaussians][edge], along_z[most_gaussians][edge];
    for (int i = 0; i < edge; ++i) {
      x2[i] = float(from.dx[i] * from.dx[i]);
      y2[i] = float(from.dy[i] * from.dy[i]);
      z2[i] = float(from.dz[i] * from.dz[i]);
    }
    // A Gaussian is a product over the axes.
    for (int g = 0; g < count; ++g) {
      const float scale = float(-0.5 / (gaussians[g].width_A * gaussians[g].width_A));
      float squares[4 * edge], factors[4 * edge];
      for (int i = 0; i < edge; ++i) {
        squares[i] = scale * x2[i];
        squares[edge + i] = scale * y2[i];
        squares[2 * edge + i] = squares[3 * edge + i] = scale * z2[i];
      }
      for (int v = 0; v < 4 * edge; v += width)
        store_unaligned(factors + v, exp_of_negative(load_unaligned(squares + v)));
      for (int i = 0; i < edge; ++i) {
        along_x[g][i] = factors[i];
        along_y[g][i] = factors[edge + i];
        along_z[g][i] = float(gaussians[g].energy_kT) * factors[2 * edge + i];
      }
    }
    for (int k = frame.first_plane; k <= frame.last_plane; ++k)
      for (int j = frame.first_row; j <= frame.last_row; ++j) {
        const float yz2 = y2[j] + z2[k];
        if (yz2 >= limit_A2) continue;
        Row sum{};
        for (int g = 0; g < count; ++g) sum += along_x[g] * (along_y[g][j] * along_z[g][k]);
        Row* const row = reinterpret_cast<Row*>(values + edge * (j + edge * k));
        const RowMask inside = x2 + yz2 < limit_A2;
        *row += (Row)((RowMask)sum & inside);
      }
  }
}

void add_shell(const BlockFrame& frame, const double* atoms_A, std::size_t atoms,
               const RadialGaussian& gaussian, double cutoff_A, float* values) {
  const float limit_A2 = float(cutoff_A * cutoff_A), centre_A = float(gaussian.centre_A);
  const float scale = float(-0.5 / (gaussian.width_A * gaussian.width_A)), energy = float(gaussian.energy_kT);
  for (std::size_t a = 0; a < atoms; ++a) {
    const FromAtom from(frame, atoms_A + 3 * a);
    float x2[edge];
    for (int i = 0; i < edge; ++i) x2[i] = float(from.dx[i] * from.dx[i]);
    for (int k = frame.first_plane; k <= frame.last_plane; ++k) {
      float yz2[edge], squares[edge * edge];
      for (int j = 0; j < edge; ++j) {
        yz2[j] = float(from.dy[j] * from.dy[j] + from.dz[k] * from.dz[k]);
        for (int i = 0; i < edge; ++i) squares[edge * j + i] = x2[i] + yz2[j];
      }
      for (int v = 0; v < edge * edge; v += width) {
        const FloatVector r2 = larger(load_unaligned(squares + v), broadcast(1e-6f));
        const FloatVector away = r2 * inverse_sqrt(r2) - centre_A;
        const FloatVector value = energy * exp_of_negative(scale * (away * away));
        float* const to = values + edge * edge * k + v;
        store_unaligned(to,
                        load_unaligned(to) + (FloatVector)((IntVector)value & (IntVector)(r2 < limit_A2)));
      }
    }
  }
}

/// exp(x) for x from -80 to 80.
inline FloatVector exponential(FloatVector x) {
  const FloatVector half = exp_of_negative(-0.5f * absolute(x)), all = half * half;
  return x < 0.0f ? all : 1.0f / all;
}

void boltzmann(const float* energies_kT, std::uint64_t available, float* weights) {
  for (int v = 0; v < 64; v += width) {
    const IntVector mask = lanes_of_bits(unsigned(available >> v));
    const FloatVector x =
        smaller(larger(-load_unaligned(energies_kT + v), broadcast(-80.0f)), broadcast(80.0f));
    store_unaligned(weights + v, (FloatVector)((IntVector)exponential(x) & mask));
  }
}

void weighted_sum(const float* from, std::ptrdiff_t stride, const float* taps, int tap_count, int count,
                  float* to) {
  constexpr int together = 4;  // vectors, so that additions need not wait for each other
  int i = 0;
  for (; i + together * width <= count; i += together * width) {
    FloatVector sum[together] = {};
    for (int l = 0; l < tap_count; ++l)
      for (int v = 0; v < together; ++v)
        sum[v] += taps[l] * load_unaligned(from + i + v * width + l * stride);
    for (int v = 0; v < together; ++v) store_unaligned(to + i + v * width, sum[v]);
  }
  for (; i < count; ++i) {
    float sum = 0.0f;
    for (int l = 0; l < tap_count; ++l) sum += taps[l] * from[i + l * stride];
    to[i] = sum;
  }
}

using TableRow = float __attribute__((vector_size(4 * site_row)));

void around(const AtomsAround& atoms, const float* point_A, const float* table, float* sums,
            float* nearest2) {
  constexpr float limit_A2 = float(site_reach_A * site_reach_A);
  for (int first = 0; first < atoms.count; first += width) {
    const FloatVector dx = load_unaligned(atoms.x_A + first) - point_A[0],
                      dy = load_unaligned(atoms.y_A + first) - point_A[1],
                      dz = load_unaligned(atoms.z_A + first) - point_A[2];
    const FloatVector r2 = dx * dx + dy * dy + dz * dz;
    const IntVector near = r2 < limit_A2;
    if (!any_lane(near)) continue;
    int lanes[2 * width];
    const int count = append_lanes(near, 0, lanes);
    for (int n = 0; n < count; ++n) {
      const float square = r2[lanes[n]];
      const int kind = atoms.kinds[first + lanes[n]];
      TableRow* const sum = reinterpret_cast<TableRow*>(sums + site_row * kind);
      *sum += *reinterpret_cast<const TableRow*>(table + site_row * int(square * site_bins_per_A2));
      if (square < nearest2[kind]) nearest2[kind] = square;
    }
  }
}

void around_charges(const AtomsAround& atoms, const float* charges_e, const float* point_A,
                    const float* table, float* sums) {
  constexpr float limit_A2 = float(site_reach_A * site_reach_A);
  TableRow sum[site_moments] = {};
  for (int first = 0; first < atoms.count; first += width) {
    const FloatVector dx = point_A[0] - load_unaligned(atoms.x_A + first),
                      dy = point_A[1] - load_unaligned(atoms.y_A + first),
                      dz = point_A[2] - load_unaligned(atoms.z_A + first);
    const FloatVector r2 = dx * dx + dy * dy + dz * dz;
    const IntVector near = r2 < limit_A2;
    if (!any_lane(near)) continue;
    int lanes[2 * width];
    const int count = append_lanes(near, 0, lanes);
    for (int n = 0; n < count; ++n) {
      const int l = lanes[n];
      const float x = dx[l], y = dy[l], z = dz[l];
      const TableRow row = charges_e[first + l] * *reinterpret_cast<const TableRow*>(
                                                      table + site_row * int(r2[l] * site_bins_per_A2));
      const TableRow along_x = x * row, along_y = y * row, along_z = z * row;
      sum[0] += row;
      sum[1] += along_x;
      sum[2] += along_y;
      sum[3] += along_z;
      sum[4] += x * along_x;
      sum[5] += y * along_y;
      sum[6] += z * along_z;
      sum[7] += x * along_y;
      sum[8] += x * along_z;
      sum[9] += y * along_z;
    }
  }
  for (int m = 0; m < site_moments; ++m) *reinterpret_cast<TableRow*>(sums + site_row * m) = sum[m];
}

void sum_trees(const TreeArrays& trees, const float* features, std::size_t points, double* sums) {
  for (std::size_t first = 0; first < points; first += width) {
    const int lanes = points - first < std::size_t(width) ? int(points - first) : width;
    for (int t = 0; t < trees.trees; ++t) {
      IntVector left = ~IntVector{};
      for (std::uint32_t b = trees.first_branch[t]; b < trees.first_branch[t + 1]; ++b) {
        const float* const from = features + std::size_t(trees.features[b]) * points + first;
        FloatVector x{};
        if (lanes == width)
          x = load_unaligned(from);
        else
          for (int l = 0; l < lanes; ++l) x[l] = from[l];
        const IntVector above = x > trees.thresholds[b];
        left &= int(trees.right[b]) | ~above;
      }
      const double* const leaves = trees.leaves + trees.first_leaf[t];
      for (int l = 0; l < lanes; ++l) sums[first + l] += leaves[__builtin_ctz(unsigned(left[l]))];
    }
  }
}

}  // namespace

extern const SiteKernels IONWELL_OF_LEVEL(site_kernels);
const SiteKernels IONWELL_OF_LEVEL(site_kernels){add_densities, add_shell,      boltzmann, weighted_sum,
                                                 around,        around_charges, sum_trees};

}  // namespace ionwell
