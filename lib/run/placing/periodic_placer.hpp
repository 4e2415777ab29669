#pragma once

#include <string>
#include <vector>

#include "run/placing/placer.hpp"

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

/// Whether the images of a job's cell act on ions that go to a lattice. With --boundary periodic they do,
/// which throws UsageError where it cannot be: without a simulation's cell, or with what takes no account of
/// images (maps, solvers, models of sites, shells of water). Without an option they do in a simulation's cell
/// that a solvent fills, and wherever ions on the lattice can come near to an image of an atom or of each
/// other.
bool repeats(const Job& job);

/// What to say of a cell whose images do not act, though ions are placed and nothing says that this is meant.
std::vector<std::string> boundary_warnings(const Job& job);

}  // namespace ionwell
