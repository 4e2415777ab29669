// SPDX-License-Identifier: BSD-3-Clause
#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <cstdint>
#include <thread>
#include <vector>

#include "gpu/runtime/device_buffer.hpp"
#include "gpu/runtime/memory_arena.hpp"
#include "support/backends.hpp"

namespace ionwell::test {

TEST_CASE("gpu: arrays lie in an arena as long as there is room") {
  if (!have_gpu()) return;
  using gpu::DeviceBuffer;
  gpu::MemoryArena arena(10'000), none(0);
  DeviceBuffer<char> before(100);
  CHECK(!gpu::is_in_arena(before.data()));
  {
    const gpu::MemoryArena::Scope in_arena(arena);
    const DeviceBuffer<char> odd(1), second(5000), too_large(5000), last(4000);
    for (const DeviceBuffer<char>* const one : {&odd, &second, &last}) {
      CHECK(gpu::is_in_arena(one->data()));
      CHECK(reinterpret_cast<std::uintptr_t>(one->data()) % 256 == 0);
    }
    CHECK(second.data() >= odd.data() + 1);
    CHECK(last.data() >= second.data() + 5000);
    CHECK(!gpu::is_in_arena(too_large.data()));
    {
      const gpu::MemoryArena::Scope in_none(none);
      CHECK(!gpu::is_in_arena(DeviceBuffer<char>(1).data()));
    }
    CHECK(gpu::is_in_arena(DeviceBuffer<char>(1).data()));
    std::thread([] { CHECK(!gpu::is_in_arena(DeviceBuffer<char>(1).data())); }).join();

    DeviceBuffer<int> numbers(10);
    const std::vector<int> host = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    numbers.copy_from(host, nullptr);
    CHECK(numbers.to_host(nullptr) == host);
  }
  CHECK(!gpu::is_in_arena(DeviceBuffer<char>(1).data()));
  CHECK(!gpu::is_in_arena(nullptr));
}

}  // namespace ionwell::test
