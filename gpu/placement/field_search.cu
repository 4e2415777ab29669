// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>

#include "core/error.hpp"
#include "electrostatics/multilevel/error_samples.hpp"
#include "gpu/electrostatics/direct.hpp"
#include "gpu/placement/field_on_gpu.hpp"
#include "gpu/runtime/stage_timer.hpp"

namespace ionwell::gpu {

std::optional<LowestPoint> GpuField::lowest_energy_point(double charge_e) {
  start_search(charge_e);
  return finish_search(charge_e);
}

void GpuField::start_search(double charge_e) {
  if (!(std::isfinite(charge_e) && charge_e != 0.0))
    fail("an ion of charge ", charge_e, " e has no point of lowest energy");
  const DeviceScope scope = store_->enter();
  if (!is_prepared_) prepare_search();
  launch(charge_e);
}

std::optional<LowestPoint> GpuField::finish_search(double charge_e) {
  const DeviceScope scope = store_->enter();
  for (;; launch(charge_e)) {
    const SearchResult& result = await_result();
    switch (result.status) {
      case SearchStatus::found:
        statistics_.candidates += result.exact_sums;
        statistics_.exact_sums += result.exact_sums;
        return LowestPoint{result.index, result.potential_kT_e};
      case SearchStatus::nothing_available:
        return std::nullopt;
      case SearchStatus::near_degenerate:
        sum_directly(result.near_degenerate);
        break;
      case SearchStatus::host_chooses:
        statistics_.exact_sums += result.exact_sums;
        if (result.candidates <= arrays_.candidate_room) return choose(charge_e, result.candidates);
        candidates_ = {};
        candidates_ = DeviceBuffer<Candidate>(result.candidates + result.candidates / 4, "candidates");
        arrays_.candidates = candidates_.data();
        arrays_.candidate_room = std::uint32_t(candidates_.size());
    }
  }
}

void GpuField::make_search_arrays() {
  if (arrays_.parts > 0) return;
  const std::int64_t count = arrays_.blocks.count;
  arrays_.parts = search_parts(pair_.kind);
  constexpr std::int64_t whole = 32;  // cubes that a warp reads together
  arrays_.cubes_per_part = ((count + arrays_.parts - 1) / arrays_.parts + whole - 1) / whole * whole;
  const std::size_t cubes = std::size_t(arrays_.cubes_per_part * arrays_.parts);
  cubes_ = DeviceBuffer<float>(cubes * kept_members, "the bounds");
  for (std::size_t m = 0; m < kept_members; ++m)
    arrays_.cubes.member[first_member + m] = cubes_.data() + m * cubes;
  block_of_cube_ = DeviceBuffer<std::uint32_t>(cubes, "the bounds");
  bounds_contain_ = DeviceBuffer<std::uint32_t>(cubes, "the bounds");
  bound_ = DeviceBuffer<float>(cubes, "the bounds");
  expanded_ = DeviceBuffer<std::uint32_t>(cubes, "the bounds");
  error_ = DeviceBuffer<float>(std::size_t(count), "the bounds");
  ions_in_ = DeviceBuffer<std::uint32_t>(std::size_t(count), "the bounds");
  direct_ = DeviceBuffer<std::uint8_t>(std::size_t(count), "the bounds");
  near_degenerate_ = DeviceBuffer<std::int32_t>(std::size_t(count), "the bounds");
  constexpr std::size_t usual_candidates = 65536;
  candidates_ = DeviceBuffer<Candidate>(usual_candidates, "candidates");
  part_bounds_ = DeviceBuffer<PartBounds>(std::size_t(2 * arrays_.parts));
  partial_ = DeviceBuffer<double>(std::size_t(2 * exact_parts * exact_at_once));
  control_ = DeviceBuffer<SearchControl>(1);
  for (DeviceBuffer<float>* buffer : {&cubes_, &bound_, &error_}) buffer->zero(stream_);
  for (DeviceBuffer<std::uint32_t>* buffer : {&block_of_cube_, &bounds_contain_, &ions_in_})
    buffer->zero(stream_);
  direct_.zero(stream_);
  control_.zero(stream_);
  const Vec3<double>& h = store_->grid().lattice.spacing_A;
  const Vec3<std::int64_t>& blocks = store_->grid().counts;
  const double extent_A =
      double(block_edge) * std::max({double(blocks.x) * h.x, double(blocks.y) * h.y, double(blocks.z) * h.z});
  arrays_.frame = inflation_frame(pair_, (0.5 * double(block_edge - 1)) * h, extent_A);
  const auto low = [](double x) { return float(x - double(float(x))); };
  arrays_.spacing_high_A = {float(h.x), float(h.y), float(h.z)};
  arrays_.spacing_low_A = {low(h.x), low(h.y), low(h.z)};
  arrays_.block_of_cube = block_of_cube_.data();
  arrays_.bounded = bounds_contain_.data();
  arrays_.bound_kT = bound_.data();
  arrays_.expanded = expanded_.data();
  arrays_.error_kT_e = error_.data();
  arrays_.ions_in = ions_in_.data();
  arrays_.direct = direct_.data();
  arrays_.candidates = candidates_.data();
  arrays_.candidate_room = std::uint32_t(candidates_.size());
  arrays_.near_degenerate_slots = near_degenerate_.data();
  arrays_.part_bounds = part_bounds_.data();
  arrays_.partial = partial_.data();
  arrays_.control = control_.data();
  place_cubes(arrays_, stream_);
}

void GpuField::catch_up() {
  make_search_arrays();
  upload_ion();
  exclude_ions(arrays_, masked_, ions_, stream_);
  masked_ = ions_;
}

void GpuField::prepare_search() {
  catch_up();
  StageTimer timer("bounds", stream_);
  bring_all_up_to_date(arrays_, ions_, stream_);
  if (arrays_.multilevel) measure_error_of_solute();
  if (!arrays_.multilevel || clearance_A_ < beside_a_charge_A)
    add_rounding_errors(arrays_, nullptr, arrays_.blocks.count, clearance_A_, stream_);
  recompute_all_bounds(arrays_, ions_, stream_);
  timer.stop();
  bounded_.fill(ions_);
  is_prepared_ = true;
  statistics_.available_points = store_->mask().available_points(stream_);
  const std::vector<std::uint16_t> counts = available_counts();
  statistics_.blocks = std::count_if(counts.begin(), counts.end(), [](std::uint16_t n) { return n > 0; });
}

std::vector<std::uint16_t> GpuField::available_counts() {
  DeviceBuffer<std::uint16_t> counts(std::size_t(arrays_.blocks.count));
  count_available(arrays_, counts.data(), stream_);
  return counts.to_host(stream_);
}

void GpuField::measure_error_of_solute() {
  const std::vector<std::uint16_t> counts = available_counts();
  std::vector<std::size_t> beside, all;
  for (std::size_t slot = 0; slot < counts.size(); ++slot) {
    if (counts[slot] == 0) continue;
    all.push_back(slot);
    if (counts[slot] < block_points) beside.push_back(slot);
  }
  std::vector<Sample> samples;
  for (const ErrorSample& s : error_samples(charges_.size(), beside, all))
    samples.push_back({std::int32_t(s.slot), s.point});
  if (samples.empty()) return;
  DeviceBuffer<Sample> samples_d(samples, stream_);
  DeviceBuffer<std::int64_t> index(samples.size());
  DeviceBuffer<float> values(samples.size());
  DeviceBuffer<double> exact(samples.size());
  look_at_samples(arrays_, samples_d.data(), std::ssize(samples), index.data(), values.data(), stream_);
  sum_exactly(arrays_, index.data(), std::ssize(samples), ions_, Summand::potential, exact.data(), stream_);
  const std::vector<float> value = values.to_host(stream_);
  const std::vector<double> reference = exact.to_host(stream_);
  double largest = 0.0;
  for (std::size_t n = 0; n < value.size(); ++n)
    largest = std::max(largest, std::abs(reference[n] - double(value[n])));
  statistics_.measured_error_kT_e = largest;
  add_error(arrays_, float(room_for_unseen_errors * largest), stream_);
}

void GpuField::launch(double charge_e) {
  const std::uint32_t bounded = *std::min_element(bounded_.begin(), bounded_.end());
  const std::uint32_t phases = ions_ - bounded <= most_pending ? inflation_phases : 1;
  SearchTask task{.charge_e = charge_e,
                  .masked = masked_,
                  .bounded = bounded,
                  .ions = ions_,
                  .new_ion = new_ion_ ? ions_ - 1 : ions_,
                  .ion = new_ion_.value_or(IonOnDevice{}),
                  .tie_kT = loosest_tie_kT(charge_e),
                  .phases = phases,
                  .phase = sequence_ % phases,
                  .sequence = sequence_ + 1};
  ++sequence_;
  launch_search(arrays_, task, result_.on_device(), stream_);
  masked_ = ions_;
  if (phases == 1)
    bounded_.fill(ions_);
  else
    bounded_[task.phase] = ions_;
  new_ion_.reset();
}

const SearchResult& GpuField::await_result() {
  // The result arrives in host memory; now and then look whether it can still come.
  constexpr std::int64_t patience = 200000;
  for (std::int64_t looks = 1; (*result_).sequence != sequence_; ++looks) {
    if (looks % patience != 0) continue;
    const cudaError_t status = cudaStreamQuery(stream_);
    if (status == cudaErrorNotReady) continue;
    check(status, "the search for the lowest point");
    if ((*result_).sequence != sequence_)
      fail_device("use --backend cpu", "the GPU's search ended without a result");
  }
  std::atomic_thread_fence(std::memory_order_acquire);
  const SearchResult& result = *result_;
  statistics_.blocks_updated += result.blocks_updated;
  statistics_.refinement_s += result.refinement_s;
  note_stage_time("placement", result.device_s);
  return result;
}

void GpuField::sum_directly(std::uint32_t count) {
  forget_values(arrays_, near_degenerate_.data(), count, stream_);
  gpu::add_direct(arrays_.blocks, near_degenerate_.data(), count, charges_.data(), arrays_.charge_count,
                  pair_, direct_parts(count, arrays_.charge_count), stream_);
  add_rounding_errors(arrays_, near_degenerate_.data(), count, clearance_A_, stream_);
  gpu::bring_up_to_date(arrays_, near_degenerate_.data(), count, ions_, stream_);
  statistics_.blocks_updated += count;
}

double GpuField::loosest_tie_kT(double charge_e) const {
  constexpr double with_map = 2.0;  // whose value is no larger than the energy and what the ions make of it
  return with_map * tie_band_kT(charge_e, solute_size_e_ * pair_.at(clearance_A_ * clearance_A_) +
                                              ions_size_e_ * pair_.at(ion_clearance_A_ * ion_clearance_A_));
}

double GpuField::magnitude_at(std::int64_t index) {
  const DeviceScope scope = store_->enter();
  const DeviceBuffer<std::int64_t> index_d(std::span<const std::int64_t>(&index, 1), stream_);
  DeviceBuffer<double> magnitude_d(1);
  sum_exactly(arrays_, index_d.data(), 1, ions_, Summand::magnitude, magnitude_d.data(), stream_);
  return magnitude_d.to_host(stream_).front();
}

LowestPoint GpuField::choose(double charge_e, std::uint32_t count) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<Candidate> candidates(count);
  candidates_.copy_to(candidates, stream_);
  std::sort(candidates.begin(), candidates.end(), precedes);
  if (!options_.refine) return {candidates.front().index, candidates.front().energy_kT / charge_e};
  constexpr std::size_t at_once = 8192;
  DeviceBuffer<std::int64_t> index_d(std::min<std::size_t>(count, at_once));
  DeviceBuffer<double> exact_d(index_d.size());
  LowestEnergy lowest;
  std::int64_t lowest_index = 0;
  std::vector<Candidate> summed;
  for (std::size_t next = 0; next < candidates.size();) {
    std::vector<std::int64_t> index;
    for (; next < candidates.size() && index.size() < index_d.size(); ++next)
      if (candidates[next].may_reach(lowest.limit_kT())) index.push_back(candidates[next].index);
    if (index.empty()) break;
    index_d.copy_from(index, stream_);
    sum_exactly(arrays_, index_d.data(), std::ssize(index), ions_, Summand::potential, exact_d.data(),
                stream_);
    std::vector<double> exact(index.size());
    exact_d.copy_to(exact, stream_);
    for (std::size_t n = 0; n < index.size(); ++n) {
      summed.push_back({charge_e * exact[n], 0.0, index[n]});
      if (lowest.include(summed.back().energy_kT)) lowest_index = index[n];
    }
    lowest.tie_kT = tie_band_kT(charge_e, magnitude_at(lowest_index));
  }
  const auto tie_kT = [&](std::size_t) { return lowest.tie_kT; };
  const Candidate& best = summed[choose_candidate(summed, tie_kT, tie_kT)];
  statistics_.refinement_s += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  statistics_.candidates += std::ssize(summed);
  statistics_.exact_sums += std::ssize(summed);
  return {best.index, best.energy_kT / charge_e};
}

}  // namespace ionwell::gpu
