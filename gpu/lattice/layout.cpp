#include "gpu/lattice/layout.hpp"

#include <algorithm>
#include <numeric>
#include <sstream>

#include "core/block.hpp"
#include "gpu/gpu_field.hpp"

namespace ionwell {
namespace {

/// For every block of the lattice, whether it has values or not: its mask, number and slot.
constexpr std::int64_t bytes_per_listed_block = block_points / 8 + 3 * 4;
constexpr std::int64_t charge_bytes = sizeof(PointCharge);
constexpr std::int64_t sorting_bytes = 64;  // of a charge: integers, cells and what sorting takes
constexpr std::int64_t working_bytes =
    48'000'000;  // whatever the lattice: candidates, the map on its way out

std::int64_t all_bytes(std::int64_t blocks, const GpuDemand& demand) {
  const std::int64_t charges = std::int64_t(demand.charges);
  const std::int64_t sum = demand.grid_bytes > 0 ? demand.grid_bytes + sorting_bytes * charges : 0;
  const std::int64_t map = demand.imported ? blocks * block_points * std::int64_t{sizeof(double)} : 0;
  return map + blocks * (value_bytes_per_block + bytes_per_listed_block) + charge_bytes * charges +
         working_bytes + std::max(sum, blocks * search_bytes_per_block);
}

std::string gigabytes(std::int64_t bytes) {
  std::ostringstream text;
  text.precision(3);
  text << double(bytes) / 1e9 << " GB";
  return text.str();
}

/// Block planes for each device, in proportion to what it has room for; empty when there is too little.
std::vector<std::int64_t> shares(const GpuDemand& demand, const std::vector<GpuDevice>& devices) {
  const BlockGrid grid(demand.lattice);
  const std::int64_t plane_blocks = grid.counts.x * grid.counts.y, planes = grid.counts.z;
  std::vector<std::int64_t> room;
  for (const GpuDevice& device : devices) {
    std::int64_t fit = 0;
    // all_bytes grows with the blocks: bisect.
    for (std::int64_t low = 0, high = planes + 1; high - low > 1; fit = low) {
      const std::int64_t middle = low + (high - low) / 2;
      (all_bytes(middle * plane_blocks, demand) <= device.free_bytes ? low : high) = middle;
    }
    room.push_back(fit);
  }
  const std::int64_t all = std::accumulate(room.begin(), room.end(), std::int64_t{0});
  if (all < planes) return {};
  std::vector<std::int64_t> result;
  std::int64_t given = 0, room_before = 0;
  for (const std::int64_t fit : room) {
    room_before += fit;
    const std::int64_t upto = planes * room_before / all;  // rounds down, so no device gets more than it has
    result.push_back(std::min(fit, upto - given));
    given += result.back();
  }
  // What rounding has left over goes wherever there is room.
  for (std::size_t d = 0; given < planes; d = (d + 1) % room.size())
    if (result[d] < room[d]) {
      ++result[d];
      ++given;
    }
  return result;
}

}  // namespace

std::string_view to_string(LatticeOn place) {
  switch (place) {
    case LatticeOn::device:
      return "device";
    case LatticeOn::devices:
      return "devices";
    case LatticeOn::host:
      return "host";
  }
  return "unknown";
}

GpuLayout gpu_layout(const GpuDemand& demand, const std::vector<GpuDevice>& devices) {
  GpuLayout layout;
  for (const GpuDevice& device : devices) layout.devices.push_back(device.number);
  if (gpu_field_bytes(demand) <= devices.front().free_bytes) return layout;
  if (devices.size() > 1) {
    layout.planes = shares(demand, devices);
    layout.lattice_on = LatticeOn::devices;
    if (!layout.planes.empty()) return layout;
  }
  if (demand.imported) {
    layout.problem = "the lattice and its map need " + gigabytes(gpu_field_bytes(demand)) +
                     " of GPU memory, and GPU " + std::to_string(devices.front().number) + " has " +
                     gigabytes(devices.front().free_bytes) + " free or allowed";
    return layout;
  }
  layout.lattice_on = LatticeOn::host;
  const auto least = std::min_element(devices.begin(), devices.end(), [](const auto& a, const auto& b) {
    return a.free_bytes < b.free_bytes;
  });
  const bool multilevel = demand.grid_bytes > 0;
  const std::int64_t lane_bytes = block_lanes * (value_bytes_per_block + 4);
  const std::int64_t per_charge = charge_bytes + (multilevel ? sorting_bytes : 0);
  // Half of what the grids leave is for charges, the rest for blocks; sums of parts of the charges are
  // rounded once for each part, for which the error bounds have room up to this number.
  constexpr std::int64_t most_parts = 16, fewest_blocks = 64;
  const std::int64_t room = least->free_bytes - demand.grid_bytes;
  const std::int64_t charges = std::max<std::int64_t>(1, std::int64_t(demand.charges));
  layout.charges_at_once = std::min(charges, room / 2 / per_charge);
  layout.blocks_at_once = std::min((room - layout.charges_at_once * per_charge) / lane_bytes,
                                   multilevel ? usual_multilevel_blocks : usual_direct_blocks);
  if (layout.blocks_at_once >= fewest_blocks && layout.charges_at_once * most_parts >= charges) return layout;
  const std::int64_t needed =
      demand.grid_bytes +
      std::max((charges + most_parts - 1) / most_parts * per_charge, fewest_blocks * lane_bytes) * 2;
  layout.problem = "even in parts the " + std::string(multilevel ? "multilevel" : "direct") + " sum of " +
                   std::to_string(demand.charges) + " charges needs " + gigabytes(needed) +
                   " of GPU memory, and GPU " + std::to_string(least->number) + " has " +
                   gigabytes(least->free_bytes) + " free or allowed";
  return layout;
}

std::int64_t gpu_field_bytes(const GpuDemand& demand) {
  return all_bytes(BlockGrid(demand.lattice).size(), demand);
}

std::int64_t gpu_grid_bytes(const LatticeGeometry& lattice, std::span<const PointCharge> charges,
                            const MultilevelOptions& options) {
  const LatticeGeometry grid = finest_grid(lattice, charges, options);
  // Charges and potential on all levels, two working arrays, cells; a coarse grid has a margin that the
  // smallest ones mostly consist of.
  constexpr double arrays = 2 * 1.25 + 2 + 1;
  constexpr std::int64_t small_grids = 8'000'000, axis_bytes = 4 * 32;
  return std::int64_t(arrays * double(sizeof(float)) * double(grid.size())) + small_grids +
         axis_bytes * (lattice.counts.x + lattice.counts.y + lattice.counts.z);
}

}  // namespace ionwell
