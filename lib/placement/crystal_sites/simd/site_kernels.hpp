// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/block_frame.hpp"
#include "electrostatics/simd/simd_level.hpp"

/// The inner loops of site models; plain arrays, see simd_level.hpp.
namespace ionwell {

/// energy exp(-(r - centre)^2 / (2 width^2)) below the cutoff.
struct RadialGaussian {
  double energy_kT, centre_A, width_A;
};

constexpr int most_gaussians = 8;  // in one call

// Around a point: radial functions by bins of r^2 below site_reach_A.
constexpr int site_shells = 9, site_widths = 5;
constexpr int site_row = 16;  // of a table: the shells, the widths and one more
constexpr double site_reach_A = 10.0;
constexpr int site_screenings = 4;  // of charges
constexpr int site_moments = 10;    // rows of sums over charges, see around_charges
constexpr int site_bins_per_A2 = 64;
constexpr int site_bins = int(site_reach_A * site_reach_A) * site_bins_per_A2;
constexpr int site_pad = 16;        // arrays of atoms have a multiple of so many,
constexpr float site_far_A = 1e6f;  // those that are none being so far away

/// Atoms in fp32, relative to the same place as the point; `kinds` is SiteAtomClass.
struct AtomsAround {
  const float *x_A, *y_A, *z_A;
  const std::uint8_t* kinds;
  int count;
};

/// Trees as BoostedTrees keeps them.
struct TreeArrays {
  const std::uint32_t *first_branch, *first_leaf;
  int trees;
  const std::int32_t* features;
  const float* thresholds;
  const std::uint32_t* right;
  const double* leaves;
};

struct SiteKernels {
  /// values (a block's) += Sum over the atoms of Sum over the Gaussians, all of centre 0.
  void (*add_densities)(const BlockFrame& frame, const double* atoms_A, std::size_t atoms,
                        const RadialGaussian* gaussians, int count, double cutoff_A, float* values);

  /// The same of one Gaussian with a centre.
  void (*add_shell)(const BlockFrame& frame, const double* atoms_A, std::size_t atoms,
                    const RadialGaussian& gaussian, double cutoff_A, float* values);

  /// weights[p] = exp(-energies[p]) where bit p of `available` is set, otherwise 0; of 64 points. Energies
  /// count as -80 to 80.
  void (*boltzmann)(const float* energies_kT, std::uint64_t available, float* weights);

  /// to[i] = Sum over l of taps[l] from[i + l stride], for i in [0, count) and l in [0, taps).
  void (*weighted_sum)(const float* from, std::ptrdiff_t stride, const float* taps, int tap_count, int count,
                       float* to);

  /// sums[site_row kind + column] += table[site_row bin + column] for each atom within reach, 64-byte aligned
  /// both; nearest2[kind] is lowered to the smallest r^2.
  void (*around)(const AtomsAround& atoms, const float* point_A, const float* table, float* sums,
                 float* nearest2);

  /// With q, d the charge of each atom within reach and its vector to the point, and `row` the table's row of
  /// its bin times q: sums += row, d_x row, d_y row, d_z row, d_x d_x row, d_y d_y row, d_z d_z row, d_x d_y
  /// row, d_x d_z row, d_y d_z row, each site_row numbers; 64-byte aligned.
  void (*around_charges)(const AtomsAround& atoms, const float* charges_e, const float* point_A,
                         const float* table, float* sums);

  /// sums[p] += the leaf of each tree that point p comes to.
  void (*sum_trees)(const TreeArrays& trees, const float* features, std::size_t points, double* sums);
};

/// Throws UsageError when this processor lacks instructions that the level may use.
const SiteKernels& site_kernels(SimdLevel level);

}  // namespace ionwell
