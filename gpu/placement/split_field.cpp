// SPDX-License-Identifier: BSD-3-Clause
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
  const auto tie_kT = [&](std::size_t n) {
    return slab_of[n]->field->exact_tie_kT(charge_e, points[n].index - slab_of[n]->first_index);
  };
  const auto loosest = [&](std::size_t n) { return slab_of[n]->field->loosest_tie_kT(charge_e, points[n]); };
  if (refine_) return points[choose_candidate(candidates, loosest, tie_kT)];
  return points[std::size_t(std::min_element(candidates.begin(), candidates.end(), precedes) -
                            candidates.begin())];
}

const SplitField::Slab& SplitField::slab_at(std::int64_t index) const {
  const auto is_behind = [](std::int64_t i, const Slab& slab) { return i < slab.first_index; };
  return *(std::upper_bound(slabs_.begin(), slabs_.end(), index, is_behind) - 1);
}

double SplitField::loosest_tie_kT(double charge_e, const LowestPoint& point) {
  return slab_at(point.index).field->loosest_tie_kT(charge_e, point);
}

double SplitField::exact_tie_kT(double charge_e, std::int64_t index) {
  const Slab& slab = slab_at(index);
  return slab.field->exact_tie_kT(charge_e, index - slab.first_index);
}

void SplitField::add_ion(const PointCharge& ion, double distance_A) {
  for (const Slab& slab : slabs_) slab.field->add_ion(ion, distance_A);
}

void SplitField::copy_values(std::span<float> values) {
  on_threads(slabs_.size(), [&](std::size_t n) { slabs_[n].field->copy_values(part_of(values, slabs_[n])); });
}

FieldStatistics SplitField::statistics() const {
  FieldStatistics sum;
  for (const Slab& slab : slabs_) sum.add_part(slab.field->statistics());
  return sum;
}

}  // namespace ionwell::gpu
