#include "gpu/placement/split_field.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "parallel/on_threads.hpp"

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
  std::vector<Candidate> candidates;  // the same points
  std::vector<const Slab*> slab_of;
  for (const Slab& slab : slabs_)
    if (const std::optional<LowestPoint> point = slab.field->finish_search(charge_e)) {
      points.push_back({slab.first_index + point->index, point->potential_kT_e});
      candidates.push_back({charge_e * point->potential_kT_e, 0.0, points.back().index});
      slab_of.push_back(&slab);
    }
  if (points.empty()) return std::nullopt;
  const auto exact_tie_kT = [&](std::size_t n) {
    return tie_band_kT(charge_e, slab_of[n]->field->magnitude_at(points[n].index - slab_of[n]->first_index));
  };
  const auto loosest_tie_kT = [&](std::size_t n) {
    return slab_of[n]->field->loosest_tie_kT(charge_e) + tie_band_kT(1.0, candidates[n].energy_kT);
  };
  if (refine_) return points[choose_candidate(candidates, loosest_tie_kT, exact_tie_kT)];
  return points[std::size_t(std::min_element(candidates.begin(), candidates.end(), precedes) -
                            candidates.begin())];
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
