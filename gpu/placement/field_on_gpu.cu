#include "gpu/placement/field_on_gpu.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "electrostatics/multilevel/error_samples.hpp"
#include "gpu/electrostatics/direct.hpp"
#include "gpu/electrostatics/distribute.hpp"
#include "gpu/lattice/linear.hpp"
#include "gpu/runtime/stage_timer.hpp"
#include "placement/placement_rules.hpp"

namespace ionwell::gpu {

void GpuField::exclude(std::span<const Vec3<double>> centres, double distance_A) {
  const DeviceScope scope = scope_.enter();
  StageTimer timer("exclusion", stream_);
  mask_.exclude(centres, solute_limit_A2(distance_A), stream_);
  timer.stop();
  excluded_centres_.assign(centres.begin(), centres.end());
  exclusion_A_ = distance_A;
  searchable_ = false;
}

void GpuField::add_direct(std::span<const PointCharge> charges, const Progress& progress) {
  const DeviceScope scope = scope_.enter();
  make_blocks();
  const std::vector<PointCharge> added = add_solute(charges);
  add_potential({.pair = pair_, .charges = added}, progress);
}

void GpuField::add_multilevel(std::span<const PointCharge> charges, const MultilevelOptions& options,
                              const Progress& progress) {
  add_multilevel(charges, multilevel_plan(grid_.lattice, charges, pair_, options), progress);
}

void GpuField::add_multilevel(std::span<const PointCharge> charges, const MultilevelPlan& plan,
                              const Progress& progress) {
  const DeviceScope scope = scope_.enter();
  make_blocks();
  const std::vector<PointCharge> added = add_solute(charges);
  const bool short_range = options_.every_point || clearance_A_ < plan.options.cutoff_A;
  arrays_.multilevel = true;
  add_potential({.pair = pair_, .charges = added, .plan = &plan, .short_range = short_range}, progress);
}

void GpuField::add_potential(const SolutePotential& potential, const Progress& progress) {
  StageTimer timer("potential", stream_);
  check(cudaStreamSynchronize(stream_), "filling the lattice");  // others read it, too
  distribute(arrays_.blocks, untouched_, devices_, potential,
             charges_.data() + (charge_count_ - potential.charges.size()), progress);
  timer.stop();
  untouched_ = false;
  if (!options_.every_point) prepare_search();
}

void GpuField::add_ion(const PointCharge& ion, double distance_A) {
  const DeviceScope scope = scope_.enter();
  make_ion_room();
  const double limit_A2 = ion_limit_A2(distance_A);
  new_ion_ = {ion, limit_A2, limit_A2 > 0.0 ? float(std::sqrt(limit_A2) * (1 - 1e-6)) : 0.0f};
  if (!(pair_.prefactor * std::abs(ion.charge_e) >= smallest_potential_kT_e)) {
    new_ion_->charge.charge_e = 0.0;
  } else {
    ions_size_e_ += std::abs(ion.charge_e);
    ion_clearance_A_ = std::min(ion_clearance_A_, std::sqrt(limit_A2));
  }
  ++ions_;
}

void GpuField::copy_values(std::span<float> values) {
  const DeviceScope scope = scope_.enter();
  make_blocks();
  catch_up();
  bring_all_up_to_date(arrays_, ions_, stream_);
  if (searchable_) bounded_.fill(ions_);
  StageTimer timer("map to host", stream_);
  copy_linear(arrays_.blocks, slot_of_.data(), values, stream_);
  timer.stop();
}

void GpuField::make_blocks() {
  if (made_) return;
  made_ = true;
  numbers_ = mask_.list_blocks(options_.every_point, slot_of_, stream_);
  const std::int64_t count = std::int64_t(numbers_.size());
  require_device_memory(count);
  values_ = DeviceBuffer<float>(std::size_t(block_points * count), "the lattice's values");
  values_.zero(stream_);
  arrays_.blocks = {grid_.lattice, numbers_.data(), count, values_.data()};
  arrays_.pair = pair_;
  arrays_.block_counts = grid_.counts;
  arrays_.slot_of = slot_of_.data();
  arrays_.mask = mask_.words();
  arrays_.refine = options_.refine;
  make_ion_room();
}

void GpuField::require_device_memory(std::int64_t blocks) const {
  std::size_t free_bytes = 0, total_bytes = 0;
  check(cudaMemGetInfo(&free_bytes, &total_bytes), "looking at the device's memory");
  const double needed = double(blocks) * double(value_bytes_per_block + search_bytes_per_block);
  if (needed <= double(free_bytes)) return;
  fail("a lattice with ", double(blocks) * block_points, " points to compute needs ", needed / 1e9,
       " GB on the GPU, but only ", double(free_bytes) / 1e9, " of ", double(total_bytes) / 1e9,
       " GB are free; use a larger --spacing, a smaller --border, another device (--devices) or --backend "
       "cpu");
}

std::vector<PointCharge> GpuField::add_solute(std::span<const PointCharge> charges) {
  std::vector<PointCharge> kept = counted(pair_, charges);
  if (charge_count_ + kept.size() > charges_.size()) {
    DeviceBuffer<PointCharge> larger(charge_count_ + kept.size(), "the charges");
    if (charge_count_ > 0)
      check(cudaMemcpyAsync(larger.data(), charges_.data(), charge_count_ * sizeof(PointCharge),
                            cudaMemcpyDeviceToDevice, stream_),
            "moving charges");
    check(cudaStreamSynchronize(stream_), "moving charges");
    charges_ = std::move(larger);
  }
  charges_.copy_from(kept, stream_, charge_count_);
  check(cudaStreamSynchronize(stream_), "copying charges");
  charge_count_ += kept.size();
  for (const PointCharge& charge : kept) solute_size_e_ += std::abs(charge.charge_e);
  arrays_.charges = charges_.data();
  arrays_.charge_count = std::int64_t(charge_count_);
  clearance_A_ = std::min(clearance_A_, clearance_A(charges, excluded_centres_, exclusion_A_));
  if (direct_.size() > 0) direct_.zero(stream_);
  solute_error_known_ = searchable_ = false;
  return kept;
}

void GpuField::make_ion_room() {
  upload_ion();
  if (ions_ < ion_charges_.size()) return;
  const std::size_t room = std::max<std::size_t>(4096, 2 * ion_charges_.size());
  const auto grow = [&](auto& buffer) {
    auto larger = std::remove_reference_t<decltype(buffer)>(room, "the ions");
    if (ions_ > 0)
      check(cudaMemcpyAsync(larger.data(), buffer.data(), ions_ * sizeof(*buffer.data()),
                            cudaMemcpyDeviceToDevice, stream_),
            "moving ions");
    check(cudaStreamSynchronize(stream_), "moving ions");
    buffer = std::move(larger);
  };
  grow(ion_charges_);
  grow(ion_limits_);
  grow(ion_clearances_);
  arrays_.ions = ion_charges_.data();
  arrays_.ion_limit_A2 = ion_limits_.data();
  arrays_.ion_clearance_A = ion_clearances_.data();
}

void GpuField::upload_ion() {
  if (!new_ion_) return;
  ion_charges_.copy_from({&new_ion_->charge, 1}, stream_, ions_ - 1);
  ion_limits_.copy_from({&new_ion_->limit_A2, 1}, stream_, ions_ - 1);
  ion_clearances_.copy_from({&new_ion_->clearance_A, 1}, stream_, ions_ - 1);
  check(cudaStreamSynchronize(stream_), "copying an ion");
  new_ion_.reset();
}

}  // namespace ionwell::gpu
