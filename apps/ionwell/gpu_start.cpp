#include "ionwell/gpu_start.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <system_error>

namespace ionwell {
namespace {

// Of PQR files of nucleic acids and proteins at the default lattice; a guess that is wrong costs a start for
// nothing, or the tenth of a second that the start could have been earlier.
constexpr double bytes_per_atom = 75.0, zipped_bytes_per_atom = 15.0, points_per_atom = 600.0;

double likely_cpu_s(const std::string& structure, int threads) {
  std::error_code no_such_file;
  const auto bytes = std::filesystem::file_size(structure, no_such_file);
  if (no_such_file) return 0.0;
  const double atoms = double(bytes) / (structure.ends_with(".gz") ? zipped_bytes_per_atom : bytes_per_atom);
  const auto points = std::int64_t(points_per_atom * atoms);
  return predicted_seconds(Method::multilevel, {{}, {1, 1, 1}, {points, 1, 1}}, std::size_t(atoms),
                           pair_potential({}), SimdLevel::automatic) /
         double(threads);
}

}  // namespace

std::future<void> start_gpu_while_reading(const BackendOptions& options, const std::string& structure,
                                          int threads) {
  const bool likely = options.backend == Backend::gpu || (options.backend == Backend::automatic &&
                                                          likely_cpu_s(structure, threads) >= worth_a_gpu_s);
  if (options.backend != Backend::cpu) use_only_gpus(options.devices);
  if (!likely) return {};
  const auto start = [numbers = options.devices] {
    try {
      for (const GpuDevice& device : gpu_devices().devices) {
        const bool is_first = device.number == gpu_devices().devices.front().number;
        if (numbers.empty() ? is_first : std::count(numbers.begin(), numbers.end(), device.number) > 0)
          started_gpu(device);
      }
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
