#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/block.hpp"
#include "placement/field.hpp"
#include "placement/simd/bound_kernels.hpp"

/// Where the parts of a field go when GPUs compute it, and how much memory that takes. Plain C++.
namespace ionwell {

struct GpuDevice;

/// Who holds the lattice: the first GPU; several, a slab each; or the host, and slabs go through the GPUs.
enum class LatticeOn { device, devices, host };

/// "device", "devices", "host": as the report calls it.
std::string_view to_string(LatticeOn place);

/// What a field is to hold.
struct GpuDemand {
  LatticeGeometry lattice;
  std::size_t charges = 0;
  std::int64_t grid_bytes = 0;  // of multilevel summation, on each device; 0 for the direct sum
  bool imported = false;        // a map in double precision stands for the charges
};

struct GpuLayout {
  LatticeOn lattice_on = LatticeOn::device;
  std::vector<int> devices;          // by number, the first one holds the lattice if one does
  std::vector<std::int64_t> planes;  // LatticeOn::devices: of blocks along z, for each device
  std::int64_t charges_at_once = 0;  // LatticeOn::host: that are on a device together; 0: all
  std::int64_t blocks_at_once = 0;   // that go through a device together; 0: the usual number
  std::string problem;               // why nothing fits; otherwise empty
};

/// The first of device, devices and host that fits in the devices' free memory; not host for a map, of which
/// nothing is left to sum.
GpuLayout gpu_layout(const GpuDemand& demand, const std::vector<GpuDevice>& devices);

/// Memory of a device that holds the whole lattice, at most.
std::int64_t gpu_field_bytes(const GpuDemand& demand);

/// Memory for the grids of multilevel summation on a device, at most.
std::int64_t gpu_grid_bytes(const LatticeGeometry& lattice, std::span<const PointCharge> charges,
                            const MultilevelOptions& options);

/// What a block takes on the device that holds it: its values, and what a search keeps of it.
constexpr std::int64_t value_bytes_per_block = std::int64_t{sizeof(float)} * block_points;
constexpr std::int64_t kept_bound_members =
    std::int64_t(CubeMember::count) - std::int64_t(CubeMember::range_lowest);  // centres are not kept
constexpr std::int64_t search_bytes_per_block =
    std::int64_t{sizeof(float)} * (kept_bound_members + 3) + 4 * 4 + 1 + 4;

/// Blocks that go through a device together: enough to fill it, few enough that all devices end together.
constexpr std::int64_t usual_direct_blocks = 2048, usual_multilevel_blocks = 8192;
/// So many times over, so that copies and sums overlap.
constexpr int block_lanes = 4;

}  // namespace ionwell
