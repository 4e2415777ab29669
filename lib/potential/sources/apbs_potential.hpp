// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "potential/sources/pb_potential.hpp"
#include "programs/apbs.hpp"

namespace ionwell {

/// APBS's maps of a solute, from files.
class ApbsPotential final : public PbPotential {
 public:
  /// Throws what Apbs throws.
  ApbsPotential(const ApbsOptions& options, const ApbsCalculation& calculation, std::vector<Atom> solute);

  const LatticeGeometry& lattice() const override { return calculation_.fine; }
  PbCosts costs() const override;
  std::vector<std::string> warnings() const override { return apbs_.warnings(); }
  PbValues solve(std::span<const Atom> added, const PbSolve& solve, PoissonBoltzmann* solver) override;

  /// Each solve begins anew: the atoms are all that there is.
  void save(SavedState&) const override {}
  void restore(std::span<const std::vector<Atom>> added, const SavedState&, const PbSolve&) override;

 private:
  Apbs apbs_;
  ApbsCalculation calculation_;
  std::vector<Atom> atoms_;
  Map map_;  // the last one
};

}  // namespace ionwell
