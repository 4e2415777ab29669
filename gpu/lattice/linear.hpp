// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <span>

#include "gpu/electrostatics/device_blocks.hpp"

namespace ionwell::gpu {

/// Copies the values of blocks to host memory in the order of the lattice, through some 50 or 100 MB of
/// device memory; 0 where no block has any. `slot_of` is the slot of every block, -1 for none; null: its
/// number. For float and double.
template <typename T>
void copy_linear(const LatticeGeometry& lattice, const T* values, const std::int32_t* slot_of,
                 std::span<T> host, cudaStream_t stream);

/// All values of the lattice to `out`, device memory, in its order, each times `factor` in double precision;
/// 0 where no block has any. Does not wait for the device.
void put_in_order(const LatticeGeometry& lattice, const float* values, const std::int32_t* slot_of,
                  double factor, float* out, cudaStream_t stream);

/// The way back, for double and blocks that all have values; waits for the device.
void copy_from_linear(const LatticeGeometry& lattice, std::span<const double> host, double* values,
                      cudaStream_t stream);

}  // namespace ionwell::gpu
