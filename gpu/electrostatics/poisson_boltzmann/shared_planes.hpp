// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "core/lattice.hpp"
#include "electrostatics/poisson_boltzmann/solver/shared_planes.hpp"
#include "gpu/runtime/pinned_buffer.hpp"
#include "parallel/rank_group.hpp"

namespace ionwell::gpu {

struct March;

/// Planes that a device has copies of on each side of its own: a V-cycle's sweeps and the residual read one
/// after the other (v_cycle.cu), and a face's plane after them.
constexpr int plane_ghosts = 8;

/// How so many processes with a device each share the planes of a lattice: in columns of its kernels' blocks
/// (March), so that all sums are those of one device. Nothing where there are not planes enough for two.
PlaneShares share_device_planes(const LatticeGeometry& lattice, int processes);

/// SharedPlanes (lib's) of arrays in device memory: what others get and send goes through pinned memory. An
/// array of a level is given by where its plane 0 would be, so that kernels count planes as one process does.
class SharedPlanes {
 public:
  /// `group`: null for a process that is alone; else it must stay, and share_device_planes share the lattice.
  /// All is done in order with what `stream` has.
  SharedPlanes(const LatticeGeometry& lattice, const std::vector<std::array<AxisCoarsening, 3>>& coarsenings,
               RankGroup* group, cudaStream_t stream);

  bool are_shared() const { return shares_.shared_levels() > 0; }
  bool is_shared(std::size_t level) const { return level < shares_.shared_levels(); }

  /// Planes of a level in this process's memory.
  PlaneSpan here(std::size_t level) const {
    return {here_[level].first, here_[level].first + here_[level].count};
  }

  /// Those of them that it works at; and, where they are made from a finer level, makes.
  PlaneSpan own(std::size_t level) const {
    return is_shared(level) ? shares_.own[level][rank()] : here(level);
  }
  PlaneSpan made(std::size_t level) const {
    return are_shared() && level <= shares_.shared_levels() ? shares_.own[level][rank()] : here(level);
  }

  /// Where plane 0 would be of an array whose first plane here is at `first`.
  template <typename T>
  T* from_plane_0(std::size_t level, T* first) const {
    return first - here_[level].first * plane_points_[level];
  }
  std::size_t size(std::size_t level) const {
    return std::size_t(here_[level].count) * std::size_t(plane_points_[level]);
  }

  /// Gets so many ghosts on each side from the neighbours; of a level that is not shared nothing.
  template <typename T>
  void fill_ghosts(std::size_t level, T* values, int ghosts) const {
    static_assert(std::is_trivially_copyable_v<T>);
    if (is_shared(level))
      exchange(level, reinterpret_cast<std::byte*>(values), std::size_t(plane_points_[level]) * sizeof(T),
               ghosts);
  }

  /// Gets what the others have made of the first level that all have; of others nothing.
  void gather_made(std::size_t level, float* values) const;

  /// Gets the sums that blocks of a March over the finest level have made elsewhere.
  void gather_sums(const March& march, double* sums) const;

  /// Gets those of each plane of the finest level, so many, that were made elsewhere.
  void gather_sums(int of_plane, double* sums) const;

 private:
  std::size_t rank() const { return std::size_t(group_->rank()); }
  void exchange(std::size_t level, std::byte* values, std::size_t plane_bytes, int ghosts) const;
  /// Each has so many bytes of what is at `values`, one after the other in the order of ranks.
  void gather(std::byte* values, const std::vector<std::size_t>& sizes) const;
  std::byte* staging(std::size_t bytes) const;

  RankGroup* group_;
  cudaStream_t stream_;
  PlaneShares shares_;
  std::vector<LevelPlanes> here_;
  std::vector<std::int64_t> plane_points_;
  mutable PinnedBuffer<std::byte> staging_;
};

}  // namespace ionwell::gpu
