// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/lattice/map_on_gpu.hpp"

#include <utility>

namespace ionwell::gpu {

MapOnGpu::MapOnGpu(std::size_t points, int device, std::shared_ptr<FieldMeter> meter)
    : scope_(device, std::move(meter)), values_(points, "the values of the map") {
  scope_.close();
}

std::unique_ptr<MapOnDevice> MapOnGpu::copy() const {
  auto copied = std::make_unique<MapOnGpu>(values_.size(), scope_.device(), scope_.meter());
  const DeviceScope scope = scope_.enter();
  check(cudaMemcpy(copied->values_.data(), values_.data(), values_.size() * sizeof(float),
                   cudaMemcpyDeviceToDevice),
        "copying the map");
  check(cudaStreamSynchronize(nullptr), "copying the map");
  return copied;
}

void MapOnGpu::copy_to(std::span<float> host) const {
  const DeviceScope scope = scope_.enter();
  check(cudaMemcpy(host.data(), values_.data(), host.size_bytes(), cudaMemcpyDeviceToHost),
        "a copy from the device");
}

}  // namespace ionwell::gpu
