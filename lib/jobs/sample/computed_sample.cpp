// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/sample/computed_sample.hpp"

#include <algorithm>

#include "compute/cost_model.hpp"
#include "compute/hand_over.hpp"
#include "compute/ranks/ranked_replicas.hpp"
#include "core/error.hpp"
#include "core/text/count_text.hpp"

namespace ionwell {
namespace {

/// Seconds that the host is likely to take: fitted to `ionwell-bench sample`, a thread with AVX-512.
double host_seconds(const SampleJob& job, double ions, int ranks) {
  const SampleOptions& options = job.options;
  const double images = job.model.images ? 5.0 : 1.0;
  const double move_s = images * 1.7e-9 * (ions + 200.0), step_s = images * 1e-9 * ions * (ions + 200.0);
  const double sweeps_s = move_s * std::max(ions, 1.0);
  const double all_s =
      double(options.equilibration) * sweeps_s +
      double(options.length) * (options.method == SampleMethod::brownian ? step_s : sweeps_s);
  return all_s * options.replicas / std::min(ranks * options.threads, options.replicas);
}

double device_seconds(const SampleJob& job, double ions, const DeviceChainRates& rates) {
  const SampleOptions& options = job.options;
  const double replicas = options.replicas;
  const bool has_images = job.model.images != nullptr;
  const double sweep_s = std::max(ions, 1.0) * (has_images ? rates.move_images : 1.0) *
                         std::max(rates.move_s + ions * rates.move_ion_s,
                                  replicas * (rates.full_move_s + ions * rates.full_move_ion_s));
  const double pairs = ions * ions;
  const double step_s = (has_images ? rates.step_images : 1.0) *
                        std::max(rates.step_s + ions * rates.step_ion_s + pairs * rates.step_pair_s,
                                 replicas * pairs * rates.full_pair_s);
  return double(options.equilibration) * sweep_s +
         double(options.length) * (options.method == SampleMethod::brownian ? step_s : sweep_s);
}

/// By all ranks, where there is a group.
void sample_on_hosts(SampleJob job, const FirstIons& first, RankGroup* group, const Progress& progress,
                     ComputedSample& result) {
  if (group != nullptr) {
    job.make_mover = [&, group](const SampleJob& all, const Measurements& measurements) {
      return ranked_replicas(*group, all, measurements, first);
    };
    result.ranks = group->count();
  }
  result.sample = sample(job, progress);
}

}  // namespace

BackendChoice choose_sampler(const SampleJob& job, std::int64_t ions, const BackendOptions& backend,
                             const Backends& backends, int ranks) {
  if (backend.backend == Backend::cpu) return {};
  const double host_s = host_seconds(job, double(ions), ranks);
  // Whether it fits is asked of the device.
  BackendChoice choice = choose_backend(backend, host_s, {.lattice = {{}, {1, 1, 1}, {1, 1, 1}}}, backends);
  if (choice.owner == nullptr || backend.backend != Backend::automatic) return choice;
  if (device_seconds(job, double(ions), choice.owner->chain_rates()) < host_s) return choice;
  BackendChoice host;
  host.reason = count_of(job.options.replicas, "replica") + " do not fill a GPU";
  return host;
}

ComputedSample computed_sample(const SampleJob& job, const FirstIons& first, const BackendOptions& backend,
                               const Backends& backends, const Progress& progress) {
  RankGroup* const group = can_be_shared(job) ? backends.free_ranks() : nullptr;
  const BackendChoice choice =
      choose_sampler(job, first.total(), backend, backends, group != nullptr ? group->count() : 1);
  ComputedSample result;
  result.note = choice.reason;
  if (choice.owner != nullptr) {
    const Device& device = choice.devices.front();
    SampleJob on_device = job;
    on_device.make_chains = [&](ChainProblem problem) {
      return choice.owner->make_chains(device.number, std::move(problem));
    };
    on_device.note_use = [&](const DeviceUse& use) { result.use = use; };
    try {
      result.sample = sample(on_device, progress);
      result.backend = choice.backend;
      result.device = device.name;
      result.start_up_s = choice.owner->start_up_s();
      return result;
    } catch (const DeviceFailure& failure) {
      result.warning =
          handed_over_text(failure, {}) + ", from the beginning and with the random numbers of the CPU";
      result.note = failure.reason;
      result.use.reset();
      SampleJob anew = job;
      anew.resumed = nullptr;  // by the device
      sample_on_hosts(anew, first, group, progress, result);
      return result;
    }
  }
  sample_on_hosts(job, first, group, progress, result);
  return result;
}

}  // namespace ionwell
