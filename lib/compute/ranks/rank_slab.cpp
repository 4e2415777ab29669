// SPDX-License-Identifier: BSD-3-Clause
#include "compute/ranks/rank_slab.hpp"

#include "compute/backend_lattice.hpp"
#include "core/text/count_text.hpp"
#include "parallel/thread_count.hpp"

namespace ionwell {
namespace {

std::string name_of(const BackendChoice& backend, const FieldOptions& options) {
  std::string text;
  for (const Device& device : backend.devices) text += (text.empty() ? "" : ", ") + device.name;
  if (backend.owner != nullptr) return text;
  const SimdLevel simd = options.simd == SimdLevel::automatic ? best_simd_level() : options.simd;
  return count_of(thread_count(options.threads), "CPU thread") + " with " + std::string(to_string(simd)) +
         " instructions";
}

}  // namespace

RankSlab::RankSlab(const BackendChoice& backend, const LatticeGeometry& slab, const PairPotential& pair,
                   const FieldOptions& options)
    : slab_(slab), computed_on_(name_of(backend, options)) {
  if (slab.counts.z > 0) masked_ = make_lattice(backend, slab, pair, options);
}

void RankSlab::exclude(std::span<const Vec3<double>> centres, double distance_A) {
  if (masked_) masked_->exclude(centres, distance_A);
}

void RankSlab::fill(const SolutePotential& potential, const Progress& progress) {
  if (masked_) field_ = ionwell::fill(std::move(masked_), potential, progress);
}

RankReply RankSlab::search(double charge_e) {
  RankReply reply;
  if (!field_) return reply;
  const std::optional<LowestPoint> point = field_->lowest_energy_point(charge_e);
  if (!point) return reply;
  reply.found = 1;
  reply.point = {point->index + first_index(), point->potential_kT_e};
  reply.tie_kT = field_->loosest_tie_kT(charge_e, *point);
  return reply;
}

double RankSlab::exact_tie_kT(double charge_e, std::int64_t index) {
  return field_->exact_tie_kT(charge_e, index - first_index());
}

void RankSlab::add_ion(const PointCharge& ion, double distance_A) {
  if (field_) field_->add_ion(ion, distance_A);
}

void RankSlab::copy_values(std::span<float> values) {
  if (field_) field_->copy_values(values);
}

FieldStatistics RankSlab::statistics() const {
  return field_ ? field_->statistics() : FieldStatistics{};
}

}  // namespace ionwell
