// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/placement/field_on_gpu.hpp"

#include <algorithm>
#include <cmath>

#include "gpu/electrostatics/distribute.hpp"
#include "gpu/runtime/stage_timer.hpp"
#include "placement/placement_rules.hpp"

namespace ionwell::gpu {

void GpuField::fill(const DeviceSolute& solute, const Progress& progress) {
  const DeviceScope scope = store_->enter();
  clearance_A_ = solute.clearance_A;
  if (std::holds_alternative<ImportedMap>(solute.potential))
    add_map(std::get<ImportedMap>(solute.potential));
  else
    add_charges(charges_of(solute.potential), solute.plan, progress);
  if (!options_.every_point) prepare_search();
}

void GpuField::add_charges(std::span<const PointCharge> charges, const MultilevelPlan* plan,
                           const Progress& progress) {
  make_blocks();
  const std::vector<PointCharge> kept = counted(pair_, charges);
  charges_ = DeviceBuffer<PointCharge>(kept, stream_, "the charges");
  for (const PointCharge& charge : kept) solute_size_e_ += std::abs(charge.charge_e);
  arrays_.charges = charges_.data();
  arrays_.charge_count = std::ssize(kept);
  arrays_.multilevel = plan != nullptr;
  const bool short_range = plan == nullptr || options_.every_point || clearance_A_ < plan->options.cutoff_A;
  StageTimer timer("potential", stream_);
  check(cudaStreamSynchronize(stream_), "filling the lattice");  // others read it, too
  constexpr bool untouched = true;
  distribute(arrays_.blocks, untouched, devices_,
             {.pair = pair_, .charges = kept, .plan = plan, .short_range = short_range}, charges_.data(),
             progress);
  timer.stop();
}

void GpuField::add_map(const ImportedMap& map) {
  StageTimer timer("potential", stream_);
  const double* values = nullptr;
  if (map.on_device && map.on_device->ordinal == devices_.front()) {
    values = map.on_device->values;
  } else {
    imported_ = DeviceBuffer<double>(map.values_kT_e, stream_, "the imported map");
    values = imported_.data();
  }
  store_->keep_known_points(values);
  make_blocks();
  store_->set_values(values);
  timer.stop();
  arrays_.imported = values;
}

void GpuField::add_ion(const PointCharge& ion, double distance_A) {
  const DeviceScope scope = store_->enter();
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
  const DeviceScope scope = store_->enter();
  bring_values_up_to_date();
  store_->copy_values(values);
}

std::unique_ptr<MapOnDevice> GpuField::map_on_device(double factor) {
  const DeviceScope scope = store_->enter();
  bring_values_up_to_date();
  return store_->map_in_order(factor);
}

void GpuField::bring_values_up_to_date() {
  catch_up();
  bring_all_up_to_date(arrays_, ions_, stream_);
  if (is_prepared_) bounded_.fill(ions_);
}

void GpuField::make_blocks() {
  store_->make_blocks(search_bytes_per_block);
  arrays_.blocks = store_->blocks();
  arrays_.pair = pair_;
  arrays_.block_counts = store_->grid().counts;
  arrays_.slot_of = store_->slot_of();
  arrays_.mask = store_->mask().words();
  arrays_.refine = options_.refine;
  make_ion_room();
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
