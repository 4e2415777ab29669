// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/electrostatics/poisson_boltzmann/shared_planes.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "electrostatics/poisson_boltzmann/solver/pb_levels.hpp"
#include "gpu/electrostatics/poisson_boltzmann/march.cuh"

namespace ionwell::gpu {
namespace {

using Coarsenings = std::vector<std::array<AxisCoarsening, 3>>;

// In points that a device works at meanwhile, when an H100 did 8e9 a second in a V-cycle with all that an
// iteration has (now 1.6e10, by two sweeps in one pass). Of two processes of one machine: an exchange takes
// 30 microseconds, and values come by the two host memories at 1.4e9 to 3.2e9 bytes a second.
constexpr double exchange_points = 2.5e5, value_points = 15.0;

/// Of a level in a cycle: of right side and correction, or direction.
constexpr int exchanges_a_level = 2, planes_exchanged = plane_ghosts + 3;
constexpr int exchanges_beside = 5;  // sums, orders, the level that all have

std::vector<PbLevel> level_sizes(const LatticeGeometry& lattice, const Coarsenings& coarsenings) {
  const Vec3<std::int64_t>& n = lattice.counts;
  std::vector<PbLevel> levels{{.nx = int(n.x), .ny = int(n.y), .nz = int(n.z)}};
  for (const auto& axes : coarsenings)
    levels.push_back({.nx = axes[0].coarse, .ny = axes[1].coarse, .nz = axes[2].coarse});
  return levels;
}

/// The finest `shared` levels among `sharing` processes; empty where one has fewer planes than ghosts.
PlaneShares share_levels(const std::vector<PbLevel>& levels, const Coarsenings& coarsenings,
                         std::size_t shared, int sharing, int processes) {
  PlaneShares shares{.finest_ghosts = plane_ghosts, .coarse_ghosts = plane_ghosts};
  PlaneBorders borders = finest_borders(levels[0], sharing);
  const int neighbours = std::min(sharing - 1, 2);
  for (std::size_t n = 0; n <= shared; ++n) {
    if (n > 0) borders = coarse_borders(borders, coarsenings[n - 1][2]);
    std::vector<PlaneSpan>& own = shares.own.emplace_back(std::size_t(processes));
    int most = 0;
    for (std::size_t process = 0; process < std::size_t(sharing); ++process) {
      own[process] = {borders.first[process], borders.first[process + 1]};
      if (n < shared && own[process].count() < plane_ghosts) return {};
      most = std::max(most, own[process].count());
    }
    if (n == shared) break;
    const double plane = double(levels[n].plane_stride());
    shares.work += plane * (most + plane_ghosts + value_points * neighbours * planes_exchanged) +
                   exchanges_a_level * exchange_points;
  }
  for (std::size_t n = shared; n < levels.size(); ++n) shares.work += double(levels[n].size());
  shares.work += value_points * double(levels[shared].size()) + exchanges_beside * exchange_points;
  return shares;
}

}  // namespace

PlaneShares share_device_planes(const LatticeGeometry& lattice, int processes) {
  const Coarsenings coarsenings = plan_coarsening(lattice.counts, lattice.spacing_A);
  const std::vector<PbLevel> levels = level_sizes(lattice, coarsenings);
  constexpr std::size_t most_shared = 4;  // levels: of what is left one has a 4096th of the points
  PlaneShares best;
  for (int sharing = processes; sharing > 1 && best.own.empty(); --sharing)
    for (std::size_t shared = 1; shared <= std::min(most_shared, coarsenings.size()); ++shared) {
      PlaneShares shares = share_levels(levels, coarsenings, shared, sharing, processes);
      if (shares.own.empty()) break;
      if (best.own.empty() || shares.work < best.work) best = std::move(shares);
    }
  return best;
}

SharedPlanes::SharedPlanes(const LatticeGeometry& lattice, const Coarsenings& coarsenings, RankGroup* group,
                           cudaStream_t stream)
    : group_(group), stream_(stream) {
  if (group != nullptr) shares_ = share_device_planes(lattice, group->count());
  for (const PbLevel& level : level_sizes(lattice, coarsenings)) {
    here_.push_back(planes_of(shares_, here_.size(), group == nullptr ? 0 : group->rank(), level.nz));
    plane_points_.push_back(level.plane_stride());
  }
}

void SharedPlanes::exchange(std::size_t level, std::byte* values, std::size_t plane_bytes, int ghosts) const {
  const LevelPlanes& here = here_[level];
  if (here.count == 0) return;
  const PlaneSpan own = this->own(level);
  const std::size_t bytes = std::size_t(ghosts) * plane_bytes;
  std::byte* const room = staging(4 * bytes);
  struct Side {
    int rank, sent, ghosts;  // first planes
  };
  std::vector<Side> sides;
  if (!here.is_lowest()) sides.push_back({group_->rank() - 1, own.begin, own.begin - ghosts});
  if (!here.is_highest()) sides.push_back({group_->rank() + 1, own.end - ghosts, own.end});
  std::vector<RankMessage> sent, received;
  for (const Side& side : sides) {
    sent.push_back({side.rank, {room + 2 * sent.size() * bytes, bytes}});
    received.push_back({side.rank, {sent.back().bytes.data() + bytes, bytes}});
    check(cudaMemcpyAsync(sent.back().bytes.data(), values + std::size_t(side.sent) * plane_bytes, bytes,
                          cudaMemcpyDeviceToHost, stream_),
          "reading planes for other ranks");
  }
  check(cudaStreamSynchronize(stream_), "reading planes for other ranks");
  group_->exchange(sent, received);
  for (std::size_t n = 0; n < sides.size(); ++n)
    check(cudaMemcpyAsync(values + std::size_t(sides[n].ghosts) * plane_bytes, received[n].bytes.data(),
                          bytes, cudaMemcpyHostToDevice, stream_),
          "taking planes of other ranks");
}

void SharedPlanes::gather(std::byte* values, const std::vector<std::size_t>& sizes) const {
  const std::size_t all = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}),
                    begin = std::accumulate(sizes.begin(), sizes.begin() + std::ptrdiff_t(rank()),
                                            std::size_t{0});
  std::byte* const room = staging(all);
  if (sizes[rank()] > 0)
    check(cudaMemcpyAsync(room + begin, values + begin, sizes[rank()], cudaMemcpyDeviceToHost, stream_),
          "reading what other ranks need");
  check(cudaStreamSynchronize(stream_), "reading what other ranks need");
  group_->all_gather({room, all}, sizes);
  check(cudaMemcpyAsync(values, room, all, cudaMemcpyHostToDevice, stream_), "taking what other ranks have");
}

void SharedPlanes::gather_made(std::size_t level, float* values) const {
  if (!are_shared() || level != shares_.shared_levels()) return;
  std::vector<std::size_t> sizes;
  for (const PlaneSpan& own : shares_.own[level])
    sizes.push_back(std::size_t(own.count() * plane_points_[level]) * sizeof(float));
  gather(reinterpret_cast<std::byte*>(values), sizes);
}

void SharedPlanes::gather_sums(const March& march, double* sums) const {
  if (!are_shared()) return;
  const int planes = here_[0].whole;
  const auto first_column = [&](int plane) {
    return plane == planes ? int(march.columns_z) : std::max(plane - 1, 0) / march.planes;
  };
  std::vector<std::size_t> sizes;
  for (const PlaneSpan& own : shares_.own[0])
    sizes.push_back(std::size_t(first_column(own.end) - first_column(own.begin)) * march.columns_x *
                    march.columns_y * sizeof(double));
  gather(reinterpret_cast<std::byte*>(sums), sizes);
}

void SharedPlanes::gather_sums(int of_plane, double* sums) const {
  if (!are_shared()) return;
  std::vector<std::size_t> sizes;
  for (const PlaneSpan& own : shares_.own[0])
    sizes.push_back(std::size_t(own.count()) * std::size_t(of_plane) * sizeof(double));
  gather(reinterpret_cast<std::byte*>(sums), sizes);
}

/// What was sent to the device from it may still be read: that is waited for where it is made larger, and
/// elsewhere before others write to it.
std::byte* SharedPlanes::staging(std::size_t bytes) const {
  if (staging_.size() < bytes) {
    check(cudaStreamSynchronize(stream_), "making room for planes of other ranks");
    staging_ = PinnedBuffer<std::byte>(bytes);
  }
  return staging_.data();
}

}  // namespace ionwell::gpu
