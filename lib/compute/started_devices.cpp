// SPDX-License-Identifier: BSD-3-Clause
#include "compute/started_devices.hpp"

#include <algorithm>
#include <future>
#include <span>

#include "core/error.hpp"

namespace ionwell {
namespace {

std::vector<Device> chosen(const DeviceList& list, const std::vector<int>& numbers) {
  const std::vector<Device>& known = list.devices;
  if (numbers.empty()) return {known.front()};
  std::vector<Device> devices;
  for (const int number : numbers) {
    if (std::count(list.hidden.begin(), list.hidden.end(), number) > 0) continue;
    const auto device =
        std::find_if(known.begin(), known.end(), [&](const Device& d) { return d.number == number; });
    if (device == known.end())
      fail<UsageError>("--devices names GPU ", number, ", but there ", known.size() == 1 ? "is" : "are",
                       " only ", known.size(), ", counted from 0; 'ionwell info' lists them");
    if (std::count(numbers.begin(), numbers.end(), number) > 1)
      fail<UsageError>("--devices names GPU ", number, " twice");
    devices.push_back(*device);
  }
  return devices;
}

/// Starts devices side by side, and sees what may be used of their memory.
void start(const DeviceBackend& backend, const BackendOptions& options, std::span<Device> devices) {
  std::vector<std::future<Device>> starting;
  for (const Device& device : devices)
    starting.push_back(std::async([&backend, &device] { return backend.started(device); }));
  for (std::size_t n = 0; n < devices.size(); ++n) {
    devices[n] = starting[n].get();
    if (options.memory_bytes > 0)
      devices[n].free_bytes = std::min(devices[n].free_bytes, options.memory_bytes);
  }
}

/// How many of `count` devices take the least time, if all has room on the first.
std::size_t devices_that_pay(const DeviceBackend& backend, const FieldDemand& demand, std::size_t count) {
  // Values that another device has summed are copied to the first one.
  constexpr double copied_bytes_per_s = 5e10;
  const double copy_s = double(demand.lattice.size()) * sizeof(float) / copied_bytes_per_s;
  std::size_t best = 1;
  double least_s = demand.sum_s;
  for (std::size_t n = 2; n <= count; ++n) {
    const double n_s = demand.sum_s / double(n) + copy_s * double(n - 1) / double(n) +
                       backend.further_start_s() * double(n - 1);
    if (n_s < least_s) {
      least_s = n_s;
      best = n;
    }
  }
  return best;
}

}  // namespace

const DeviceList& devices_for(const DeviceBackend& backend, const BackendOptions& options,
                              const FieldDemand& demand) {
  constexpr std::int64_t of_start = 1'000'000'000;  // that CUDA takes for itself, and more
  const std::int64_t bytes = device_field_bytes(demand, backend.memory());
  if (!options.devices.empty() && (options.memory_bytes == 0 || bytes <= options.memory_bytes)) {
    std::vector<int> pay = options.devices;
    pay.resize(devices_that_pay(backend, demand, pay.size()));
    backend.show_only(pay, bytes + of_start);
  }
  return backend.devices();
}

std::vector<Device> started_devices(const DeviceBackend& backend, const BackendOptions& options,
                                    const FieldDemand& demand) {
  std::vector<Device> devices = chosen(devices_for(backend, options, demand), options.devices);
  start(backend, options, std::span(devices).first(1));
  if (device_field_bytes(demand, backend.memory()) <= devices.front().free_bytes)
    devices.resize(devices_that_pay(backend, demand, devices.size()));
  start(backend, options, std::span(devices).subspan(1));
  return devices;
}

}  // namespace ionwell
