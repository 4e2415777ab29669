// SPDX-License-Identifier: BSD-3-Clause
#include "maps/map_slabs.hpp"

#include <algorithm>

#include "maps/map_header.hpp"
#include "maps/map_order.hpp"

namespace ionwell {
namespace {

/// The values of a part, which go to `memory`.
std::span<const float> fetched(const LatticeGeometry& lattice, const MapValues& values,
                               const LatticePart& part, const std::string& path, LargeArray<float>& memory) {
  const std::span<float> all(memory.data(), std::size_t(part.size()));
  values.elsewhere()->copy(part, all);
  check_writable_part(lattice, part, all, path);
  return all;
}

}  // namespace

std::int64_t z_planes_at_a_time(const LatticeGeometry& lattice) {
  constexpr std::int64_t slab_values = 1 << 22;
  const std::int64_t plane = lattice.counts.x * lattice.counts.y;
  return std::clamp<std::int64_t>(slab_values / plane, 1, lattice.counts.z);
}

std::int64_t slab_bytes(const LatticeGeometry& lattice) {
  constexpr std::int64_t packed_planes = 32;  // of z, that HDF5 packs together
  const auto& [nx, ny, nz] = lattice.counts;
  constexpr auto single = std::int64_t{sizeof(float)}, both = single + std::int64_t{sizeof(double)};
  const std::int64_t z_planes = std::max(std::min(packed_planes, nz), z_planes_at_a_time(lattice));
  return std::max(planes_at_a_time(lattice) * ny * nz * both, z_planes * nx * ny * 2 * single);
}

void for_each_x_slab(
    const LatticeGeometry& lattice, const MapValues& values, const std::string& path,
    const std::function<void(std::int64_t, const LatticeGeometry&, const MapValues&)>& write) {
  if (values.elsewhere() == nullptr) return write(0, lattice, values);
  const auto& [nx, ny, nz] = lattice.counts;
  const std::int64_t most = planes_at_a_time(lattice);
  LargeArray<float> memory(std::size_t(most * ny * nz));
  for (std::int64_t i = 0; i < nx; i += most) {
    LatticeGeometry slab = lattice;
    slab.counts.x = std::min(most, nx - i);
    write(i, slab, fetched(lattice, values, {{i, 0, 0}, slab.counts}, path, memory));
  }
}

void for_each_z_slab(const LatticeGeometry& lattice, const MapValues& values, std::int64_t planes,
                     const std::string& path,
                     const std::function<void(std::int64_t, const MapValues&)>& write) {
  if (values.elsewhere() == nullptr) return write(0, values);
  const auto& [nx, ny, nz] = lattice.counts;
  LargeArray<float> memory(std::size_t(nx * ny * std::min(planes, nz)));
  for (std::int64_t k = 0; k < nz; k += planes)
    write(k, fetched(lattice, values, {{0, 0, k}, {nx, ny, std::min(planes, nz - k)}}, path, memory));
}

}  // namespace ionwell
