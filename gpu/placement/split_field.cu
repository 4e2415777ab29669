#include "gpu/placement/split_field.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "gpu/runtime/on_threads.hpp"

namespace ionwell::gpu {

void SplitField::fill(const DeviceSolute& solute, const Progress& progress) {
  std::mutex mutex;
  std::vector<double> done(slabs_.size(), 0.0);
  on_threads(slabs_.size(), [&](std::size_t n) {
    const Slab& slab = slabs_[n];
    SolutePotential potential = solute.potential;
    if (auto* map = std::get_if<ImportedMap>(&potential)) map->values_kT_e = part_of(map->values_kT_e, slab);
    slab.field->fill({potential, solute.plan, solute.clearance_A}, [&, n](double part) {
      const std::lock_guard lock(mutex);
      done[n] = part * double(slab.field->lattice().counts.z) / double(lattice_.counts.z);
      double sum = 0.0;
      for (const double d : done) sum += d;
      if (progress) progress(std::min(sum, 1.0));
    });
  });
}

std::optional<LowestPoint> SplitField::lowest_energy_point(double charge_e) {
  for (const Slab& slab : slabs_) slab.field->start_search(charge_e);
  std::vector<LowestPoint> points;
  const Slab* lowest = nullptr;
  double lowest_kT = infinity;
  for (const Slab& slab : slabs_)
    if (const std::optional<LowestPoint> point = slab.field->finish_search(charge_e)) {
      points.push_back({slab.first_index + point->index, point->potential_kT_e});
      if (charge_e * point->potential_kT_e < lowest_kT) lowest = &slab;
      lowest_kT = std::min(lowest_kT, charge_e * point->potential_kT_e);
    }
  const auto first_within = [&](double band_kT) {
    return std::find_if(points.begin(), points.end(), [&](const LowestPoint& point) {
      return charge_e * point.potential_kT_e <= lowest_kT + band_kT;
    });
  };
  if (points.empty()) return std::nullopt;
  // Slabs are in the order of the lattice: the first of equal ones has the lowest index.
  auto best = first_within(0.0);
  if (refine_ && first_within(lowest->field->loosest_tie_kT(charge_e) + tie_band_kT(1.0, lowest_kT)) != best)
    best =
        first_within(tie_band_kT(charge_e, lowest->field->magnitude_at(best->index - lowest->first_index)));
  return *best;
}

void SplitField::add_ion(const PointCharge& ion, double distance_A) {
  for (const Slab& slab : slabs_) slab.field->add_ion(ion, distance_A);
}

void SplitField::copy_values(std::span<float> values) {
  on_threads(slabs_.size(), [&](std::size_t n) { slabs_[n].field->copy_values(part_of(values, slabs_[n])); });
}

FieldStatistics SplitField::statistics() const {
  FieldStatistics sum;
  for (const Slab& slab : slabs_) {
    const FieldStatistics s = slab.field->statistics();
    sum.available_points += s.available_points;
    sum.blocks += s.blocks;
    sum.blocks_updated += s.blocks_updated;
    sum.candidates += s.candidates;
    sum.exact_sums += s.exact_sums;
    sum.refinement_s += s.refinement_s;
    sum.measured_error_kT_e = std::max(sum.measured_error_kT_e, s.measured_error_kT_e);
    const DeviceUse before = sum.device;
    sum.device.add(s.device);
    sum.device.peak_bytes = before.peak_bytes + s.device.peak_bytes;  // they are there at the same time
  }
  return sum;
}

}  // namespace ionwell::gpu
