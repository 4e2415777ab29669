// SPDX-License-Identifier: BSD-3-Clause
#include "compute/sums/frame_sums.hpp"

#include "compute/backend_lattice.hpp"
#include "compute/periodic_potential.hpp"
#include "core/text/text_stream.hpp"

namespace ionwell {

std::string periodic_method(const std::optional<double>& ewald_factor_per_A) {
  if (!ewald_factor_per_A) return "ewald";
  TextStream text;
  text << "smooth part of ewald (factor " << *ewald_factor_per_A << "/A)";
  return text.str();
}

std::span<float> FrameSums::of(std::span<const PointCharge> charges, const std::optional<CellVectors>& cell,
                               const Progress& progress) {
  if (values_.size() == 0) values_ = LargeArray<float>(std::size_t(plan_.lattice.size()));
  if (options_.boundary == Boundary::periodic) {
    sum_periodic(charges, cell.value(), progress);
  } else {
    sum_open(charges, progress);
  }
  return {values_.data(), values_.size()};
}

void FrameSums::sum_open(std::span<const PointCharge> charges, const Progress& progress) {
  auto lattice = make_lattice(plan_.backend, plan_.lattice, plan_.pair, options_.field);
  SolutePotential potential = DirectSum{charges};
  if (plan_.summation.method == Method::multilevel)
    potential = MultilevelSum{charges, plan_.summation.multilevel};
  const auto field = fill(std::move(lattice), potential, progress);
  field->copy_values({values_.data(), values_.size()});
  if (plan_.backend.owner != nullptr) device_use_.add(field->statistics().device);
}

void FrameSums::sum_periodic(std::span<const PointCharge> charges, const CellVectors& cell,
                             const Progress& progress) {
  if (points_A_.empty()) {
    points_A_.reserve(values_.size());
    for (std::int64_t p = 0; p < plan_.lattice.size(); ++p) points_A_.push_back(plan_.lattice.position_A(p));
  }
  const PeriodicPotential potential =
      periodic_potential(plan_.backend, PeriodicCell(cell), plan_.pair, charges, points_A_,
                         {.tolerance = periodic_tolerance,
                          .threads = options_.field.threads,
                          .simd = options_.field.simd,
                          .smooth_per_A = options_.ewald_factor_per_A},
                         progress);
  for (std::size_t p = 0; p < values_.size(); ++p) values_[p] = float(potential.values_kT_e[p]);
}

}  // namespace ionwell
