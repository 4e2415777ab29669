// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "electrostatics/multilevel/multilevel_plan.hpp"
#include "gpu/electrostatics/charge_cells.hpp"
#include "gpu/electrostatics/device_blocks.hpp"
#include "gpu/runtime/cell_sort.hpp"
#include "gpu/runtime/device_buffer.hpp"

/// The launches of multilevel summation, one source each; all return before the device is done.
namespace ionwell::gpu {

/// A cell has 2^result grid spacings along each edge.
int cell_edge_bits(double spacing_A, double cutoff_A);

/// Sorts charges into cells, always in the same order.
class CellSorter {
 public:
  /// `reach_A`: how far beyond the grid a position may lie. Throws Error for a grid with too many points
  /// along an axis, and for too many charges.
  CellSorter(const LatticeGeometry& grid, double cutoff_A, double reach_A, std::int64_t most_charges);

  /// Also sums the charges up; the sum [e] stays on the device.
  void sort(std::span<const PointCharge> charges_d, cudaStream_t stream);

  const ChargeCells& cells() const { return cells_; }
  const double* total_charge_d() const { return partial_sums_.data(); }

 private:
  LatticeGeometry grid_;
  ChargeCells cells_;
  DeviceBuffer<int4> unsorted_, sorted_;
  std::optional<CellSort> cell_sort_;
  DeviceBuffer<double> partial_sums_;  // the whole sum first, then those of the thread blocks
};

/// Charge assignment (anterpolation): values = the charges on the points of the grid, the adjoint of
/// interpolation.
void assign_charges(const ChargeCells& cells, MultilevelBasis basis, Vec3<std::int64_t> counts, float* values,
                    cudaStream_t stream);

/// Working space for the functions below: two arrays.
struct GridWork {
  float *first, *second;
  std::int64_t size;  // of each
};
std::int64_t grid_work_size(const MultilevelPlan& plan);

/// coarse = Sum_t weights[t] fine[2 i + first + t - radius], along each axis.
void restrict_to(const LatticeGeometry& coarse, const LatticeGeometry& fine, const float* fine_values,
                 const std::vector<float>& weights, GridWork work, float* coarse_values, cudaStream_t stream);

/// fine += the adjoint of that.
void prolong(const LatticeGeometry& coarse, const float* coarse_values, const LatticeGeometry& fine,
             const std::vector<float>& weights, GridWork work, float* fine_values, cudaStream_t stream);

/// Taps of a Gaussian on the device, with zeros up to a multiple of 8.
struct DeviceGaussian {
  DeviceBuffer<float> taps;
  int radius;
  float weight;
};
DeviceGaussian to_device(const GaussianTerm& term, cudaStream_t stream);

/// potential (+)= weight (taps x taps x taps) * charges.
void convolve(Vec3<std::int64_t> counts, const float* charges, const DeviceGaussian& term, bool accumulate,
              GridWork work, float* potential, cudaStream_t stream);

/// A stencil on the device: rows along x, each begun at a multiple of 4 of its points and padded with zeros.
struct DeviceStencil {
  DeviceBuffer<float> weights;  // [2 radius + 1][2 radius + 1][row]
  DeviceBuffer<int2> used;      // of each row: first and last point that is not 0, rounded to multiples of 4
  int radius, row;
};
DeviceStencil to_device(const Stencil& stencil, cudaStream_t stream);

/// potential = stencil * charges.
void convolve(Vec3<std::int64_t> counts, const float* charges, const DeviceStencil& stencil, GridWork work,
              float* potential, cudaStream_t stream);

/// Weights for interpolation along the three axes, for all blocks of a lattice.
struct DeviceAxisWeights {
  DeviceBuffer<float> weights;  // [block][longest][block_edge]
  DeviceBuffer<int2> reach;     // of each block: first grid point, number of grid points
  int longest;                  // number of grid points
};
DeviceAxisWeights axis_weights_to_device(const MultilevelPlan& plan, const LatticeGeometry& lattice, int axis,
                                         cudaStream_t stream);

/// values += interpolated grid + constant * total charge.
void interpolate(const DeviceBlocks& blocks, const DeviceAxisWeights (&axes)[3], Vec3<std::int64_t> counts,
                 const float* grid, double constant_kT_e, const double* total_charge_d, cudaStream_t stream);

/// values += short-range part.
void add_short_range(const DeviceBlocks& blocks, const ChargeCells& cells, const MultilevelPlan& plan,
                     cudaStream_t stream);

}  // namespace ionwell::gpu
