// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "placement/candidates.hpp"
#include "placement/exact_potential.hpp"
#include "placement/field.hpp"

namespace ionwell {

/// Chooses among candidates by their exact potential.
class ExactChoice {
 public:
  ExactChoice(const LatticeGeometry& lattice, const ExactTerms& terms, const DirectKernels& kernels,
              ThreadPool& pool)
      : exact_(lattice, terms, kernels, pool) {}

  /// Whether there is nothing to add up, and all points are the same.
  bool is_zero() const { return exact_.is_zero(); }

  /// The exact energies of all candidates that may have the lowest one; nearly always one or two.
  std::vector<Candidate> sum(double charge_e, std::vector<Candidate> candidates);

  /// The candidate of lowest exact energy; of energies that only rounding tells apart the lowest index.
  LowestPoint choose(double charge_e, std::vector<Candidate> candidates);

  /// Energies nearer than this to a candidate's may be ties: an upper bound on what tie_band_kT comes to
  /// there.
  double loosest_tie_kT(double charge_e, const Candidate& candidate) const;

  /// What that bounds; O(charges + ions).
  double exact_tie_kT(double charge_e, std::int64_t index) const;

  /// Writes what was done to `statistics`.
  void report(FieldStatistics& statistics) const;

 private:
  ExactPotential exact_;
  std::int64_t candidates_ = 0;
  double seconds_ = 0.0;
};

/// The candidate of lowest energy by the lattice; of equal ones the lowest index.
LowestPoint choose_by_lattice(double charge_e, const std::vector<Candidate>& candidates);

}  // namespace ionwell
