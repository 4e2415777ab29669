// SPDX-License-Identifier: BSD-3-Clause
#include "ionwell/gpu_start.hpp"

#include <exception>
#include <system_error>

#include "compute/backend.hpp"
#include "compute/cost_model.hpp"
#include "gpu/backend.hpp"

namespace ionwell {
namespace {

/// The one that a run with these options takes in any case.
void start_first_device(const DeviceBackend& backend, const std::vector<int>& numbers) {
  for (const Device& device : backend.devices().devices)
    if (numbers.empty() || device.number == numbers.front()) {
      backend.started(device);
      return;
    }
}

}  // namespace

std::future<void> start_gpu_while_reading(const BackendOptions& options, const std::string& structure,
                                          int threads, Method method) {
  const DeviceBackend& backend = gpu_backend();
  const bool likely =
      options.backend == Backend::gpu || (options.backend == Backend::automatic &&
                                          is_worth_starting(backend, likely_cpu_seconds(structure, threads)));
  if (options.backend != Backend::cpu) use_only_gpus(options.devices);
  if (!likely) return {};
  // A second GPU takes half of a sum.
  const bool is_long_direct_sum =
      method == Method::direct &&
      likely_seconds(method, structure, backend.rates(pair_potential({}))) > 2.0 * backend.further_start_s();
  const bool may_hide_some = options.devices.size() > 1 && !is_long_direct_sum;
  const auto start = [&backend, numbers = options.devices, may_hide_some] {
    try {
      if (may_hide_some)
        least_free_gpu_bytes();
      else
        start_first_device(backend, numbers);
    } catch (const std::exception&) {
      // Whoever wants to use it is told.
    }
  };
  try {
    return std::async(std::launch::async, start);
  } catch (const std::system_error&) {
    return {};  // no thread to be had: it starts when it is needed
  }
}

}  // namespace ionwell
