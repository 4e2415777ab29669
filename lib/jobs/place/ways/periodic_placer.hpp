// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "jobs/place/ways/placer.hpp"

namespace ionwell {

/// The solute's charges with all their images, in the simulation's cell that the structure has: potential and
/// distances of the ions, too, follow every image. Ions go to the points of the usual lattice that lie in one
/// cell, decided by sums in double precision; there is no field, so no map can be made.
class PeriodicPlacer final : public Placer {
 public:
  explicit PeriodicPlacer(const Job& job) : job_(job) {}

  Plan plan(const Backends& backends) const override;
  void describe(const Plan& plan, Result& result) const override;
  void place(const Plan& plan, Result& result, Stages& stages) override;

 private:
  const Job& job_;
};

}  // namespace ionwell
