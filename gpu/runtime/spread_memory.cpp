// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/runtime/spread_memory.hpp"

#include <cuda.h>
#include <cuda_runtime.h>
#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "core/error.hpp"
#include "gpu/runtime/check.hpp"
#include "gpu/runtime/gpu_numbers.hpp"

namespace ionwell::gpu {
namespace {

/// What is needed of the driver, which is there at run time only.
struct MemoryDriver {
  CUresult (*granularity)(std::size_t*, const CUmemAllocationProp*, CUmemAllocationGranularity_flags);
  CUresult (*reserve)(CUdeviceptr*, std::size_t, std::size_t, CUdeviceptr, unsigned long long);
  CUresult (*unreserve)(CUdeviceptr, std::size_t);
  CUresult (*create)(CUmemGenericAllocationHandle*, std::size_t, const CUmemAllocationProp*,
                     unsigned long long);
  CUresult (*destroy)(CUmemGenericAllocationHandle);
  CUresult (*map)(CUdeviceptr, std::size_t, std::size_t, CUmemGenericAllocationHandle, unsigned long long);
  CUresult (*unmap)(CUdeviceptr, std::size_t);
  CUresult (*allow)(CUdeviceptr, std::size_t, const CUmemAccessDesc*, std::size_t);
  bool is_whole = true;
};

template <typename Function>
void look_up(void* library, const char* name, Function& function, bool& is_whole) {
  function = library == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(library, name));
  is_whole = is_whole && function != nullptr;
}

MemoryDriver loaded_memory_driver() {
  void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);  // CUDA has loaded it already
  MemoryDriver driver{};
  look_up(library, "cuMemGetAllocationGranularity", driver.granularity, driver.is_whole);
  look_up(library, "cuMemAddressReserve", driver.reserve, driver.is_whole);
  look_up(library, "cuMemAddressFree", driver.unreserve, driver.is_whole);
  look_up(library, "cuMemCreate", driver.create, driver.is_whole);
  look_up(library, "cuMemRelease", driver.destroy, driver.is_whole);
  look_up(library, "cuMemMap", driver.map, driver.is_whole);
  look_up(library, "cuMemUnmap", driver.unmap, driver.is_whole);
  look_up(library, "cuMemSetAccess", driver.allow, driver.is_whole);
  return driver;
}

const MemoryDriver& memory_driver() {
  static const MemoryDriver loaded = loaded_memory_driver();
  return loaded;
}

/// One array: addresses that were reserved, and where each device's part of them ends.
struct Spread {
  std::size_t bytes = 0;
  std::vector<std::size_t> ends;
};

std::mutex spreads_mutex;
std::map<std::uintptr_t, Spread>& spreads() {
  static std::map<std::uintptr_t, Spread> all;
  return all;
}

thread_local const Spreading* spreading_in_use = nullptr;

CUmemAllocationProp memory_properties(int ordinal) {
  CUmemAllocationProp property{};
  property.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  property.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  property.location.id = ordinal;
  return property;
}

/// Takes apart what is mapped up to `mapped`.
void take_apart(CUdeviceptr address, const Spread& spread, std::size_t mapped) {
  std::size_t begin = 0;
  for (const std::size_t end : spread.ends) {
    if (begin < std::min(end, mapped)) memory_driver().unmap(address + begin, end - begin);
    begin = end;
  }
  memory_driver().unreserve(address, spread.bytes);
}

}  // namespace

SpreadScope::SpreadScope(Spreading spreading) : spreading_(std::move(spreading)), before_(spreading_in_use) {
  spreading_in_use = spreading_.ordinals.size() > 1 ? &spreading_ : nullptr;
}

SpreadScope::~SpreadScope() {
  spreading_in_use = before_;
}

const Spreading* current_spread() {
  return spreading_in_use;
}

bool can_spread(const std::vector<int>& ordinals) {
  if (!memory_driver().is_whole) return false;
  for (const int one : ordinals) {
    int has_addresses = 0;
    if (cudaDeviceGetAttribute(&has_addresses,
                               cudaDeviceAttr(CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED),
                               one) != cudaSuccess ||
        has_addresses == 0)
      return false;
    for (const int other : ordinals) {
      int reaches = 0;
      if (one != other && (cudaDeviceCanAccessPeer(&reaches, one, other) != cudaSuccess || reaches == 0))
        return false;
    }
  }
  return true;
}

void* allocate_spread(std::size_t bytes, const Spreading& spreading, std::string_view what) {
  const std::vector<int>& ordinals = spreading.ordinals;
  std::size_t granularity = 1;
  for (const int ordinal : ordinals) {
    const CUmemAllocationProp property = memory_properties(ordinal);
    std::size_t of_device = 1;
    if (memory_driver().granularity(&of_device, &property, CU_MEM_ALLOC_GRANULARITY_MINIMUM) != CUDA_SUCCESS)
      fail_device("run again, or use --backend cpu", "the GPU failed at asking for the size of its pages");
    granularity = std::max(granularity, of_device);
  }
  const auto whole_pages = [&](std::size_t size) {
    return (size + granularity - 1) / granularity * granularity;
  };
  Spread spread{whole_pages(bytes), {}};
  for (const double end : spreading.ends)
    spread.ends.push_back(std::size_t(std::llround(end * double(bytes) / double(granularity))) * granularity);
  spread.ends.back() = spread.bytes;
  CUdeviceptr address = 0;
  if (memory_driver().reserve(&address, spread.bytes, 0, 0, 0) != CUDA_SUCCESS)
    fail_device("run again, or use --backend cpu", "the GPU failed at reserving addresses for ", what);
  std::size_t begin = 0;
  for (std::size_t n = 0; n < ordinals.size(); begin = spread.ends[n], ++n) {
    const std::size_t size = spread.ends[n] - begin;
    if (size == 0) continue;
    const CUmemAllocationProp property = memory_properties(ordinals[n]);
    CUmemGenericAllocationHandle handle = 0;
    const bool is_there = memory_driver().create(&handle, size, &property, 0) == CUDA_SUCCESS;
    const bool is_mapped =
        is_there && memory_driver().map(address + begin, size, 0, handle, 0) == CUDA_SUCCESS;
    if (is_there) memory_driver().destroy(handle);  // it lasts as long as it is mapped
    if (is_mapped) continue;
    take_apart(address, spread, begin);
    std::ostringstream reason;
    reason << "GPU " << number_of(ordinals[n]) << " is out of memory: " << what << " need "
           << double(size) / 1e9 << " GB of it";
    throw DeviceFailure(
        reason.str(),
        "use a larger --spacing, a smaller --border, another device (--devices) or --backend cpu",
        number_of(ordinals[n]));
  }
  std::vector<CUmemAccessDesc> access;
  for (const int ordinal : std::set(ordinals.begin(), ordinals.end()))
    access.push_back({.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = ordinal},
                      .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE});
  if (memory_driver().allow(address, spread.bytes, access.data(), access.size()) != CUDA_SUCCESS) {
    take_apart(address, spread, spread.bytes);
    fail_device("run again with one of --devices", "the GPU failed at sharing ", what, " among devices");
  }
  const std::scoped_lock lock(spreads_mutex);
  spreads().emplace(std::uintptr_t(address), std::move(spread));
  return reinterpret_cast<void*>(address);
}

bool release_spread(void* memory) noexcept {
  const std::scoped_lock lock(spreads_mutex);
  const auto found = spreads().find(reinterpret_cast<std::uintptr_t>(memory));
  if (found == spreads().end()) return false;
  cudaDeviceSynchronize();  // as cudaFree does: a kernel may still use it
  take_apart(CUdeviceptr(found->first), found->second, found->second.bytes);
  spreads().erase(found);
  return true;
}

std::vector<std::size_t> ends_of_parts(const void* memory, std::size_t bytes) {
  const std::scoped_lock lock(spreads_mutex);
  const auto at = reinterpret_cast<std::uintptr_t>(memory);
  auto found = spreads().upper_bound(at);
  if (found == spreads().begin()) return {bytes};
  --found;
  if (at >= found->first + found->second.bytes) return {bytes};
  const std::size_t offset = at - found->first;
  std::vector<std::size_t> ends;
  for (const std::size_t end : found->second.ends)
    if (end > offset) ends.push_back(std::min(end - offset, bytes));
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  return ends;
}

}  // namespace ionwell::gpu
