// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/at_points/computed_sum.hpp"

#include <algorithm>

#include "compute/cost_model.hpp"
#include "compute/hand_over.hpp"
#include "core/error.hpp"
#include "electrostatics/at_points/device_points.hpp"
#include "electrostatics/at_points/point_sum_cost.hpp"
#include "electrostatics/at_points/sampled_error.hpp"

namespace ionwell {
namespace {

bool is_partitioned(const PointSumOptions& options) {
  return options.method == PointMethod::hcp || options.partition.has_value();
}

/// Seconds that the CPU is likely to take.
double cpu_seconds(const SoluteParts& solute, std::span<const Vec3<double>> points_A,
                   const PointSumOptions& options) {
  const PointSumCosts costs(solute.charges, points_A, options);
  constexpr double exact_up_to_s = 0.1;  // which is not worth going on to the grid for
  const double direct_s = std::min(costs.exact_s(), costs.direct_s());
  if (options.method == PointMethod::direct || direct_s < exact_up_to_s) return direct_s;
  const double multilevel_s =
      costs.multilevel_s(options.multilevel ? *options.multilevel
                                            : multilevel_sets()[first_multilevel_set(options.error)].options);
  return options.method == PointMethod::multilevel ? multilevel_s : std::min(direct_s, multilevel_s);
}

BackendChoice chosen_device(const SoluteParts& solute, std::span<const Vec3<double>> points_A,
                            const PointSumOptions& options, const BackendOptions& backend,
                            const Backends& backends) {
  if (backend.backend == Backend::cpu) return {};
  if (is_partitioned(options)) return {};
  const bool is_nothing = points_A.empty() || solute.charges.empty();
  // Whether it fits is asked of the device: the points go through it in as many parts as it takes.
  return choose_backend(backend, is_nothing ? 0.0 : cpu_seconds(solute, points_A, options),
                        {.lattice = {{}, {1, 1, 1}, {1, 1, 1}}}, backends);
}

}  // namespace

void check_backend(const PointSumOptions& options, Backend backend) {
  if (is_partitioned(options) && backend != Backend::automatic && backend != Backend::cpu)
    fail<UsageError>("--method hcp runs on the CPU, but --backend ", to_string(backend),
                     " is given; use --method auto, direct or multilevel, or --backend cpu");
}

ComputedSum computed_sum(const SoluteParts& solute, std::span<const Vec3<double>> points_A,
                         const PairPotential& pair, const PointSumOptions& options,
                         const BackendOptions& backend, const Backends& backends, const Progress& progress,
                         const WorkSaving& saving) {
  validate(options);
  check_backend(options, backend.backend);
  const bool is_begun = saving.resumed != nullptr && has_point_sum(*saving.resumed);
  BackendChoice choice;
  if (is_begun)
    choice.reason = "the sum was started on the CPU";
  else
    choice = chosen_device(solute, points_A, options, backend, backends);
  ComputedSum result{.note = choice.reason};
  if (choice.owner != nullptr) {
    const Device& device = choice.devices.front();
    try {
      const std::unique_ptr<DevicePoints> on_device =
          choice.owner->make_points(device.number, device.free_bytes, solute.charges, pair);
      result.sum = sum_at_points(*on_device, solute.charges, points_A, options,
                                 choice.owner->point_rates(pair), progress);
      result.use = on_device->use();
      result.backend = choice.backend;
      result.device = device.name;
      result.start_up_s = choice.owner->start_up_s();
      return result;
    } catch (const DeviceFailure& failure) {
      result.warning = handed_over_text(failure, {});
      result.note = failure.reason;
    }
  }
  result.sum = sum_at_points(solute, points_A, pair, options, progress, saving);
  return result;
}

}  // namespace ionwell
