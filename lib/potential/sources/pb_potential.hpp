// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compute/backend.hpp"
#include "core/state/saved_state.hpp"
#include "parallel/rank_group.hpp"
#include "potential/request/potential_record.hpp"
#include "programs/child_process.hpp"

namespace ionwell {

class PbArrays;
class RankOrders;

/// One solve, as a run asks for it.
struct PbSolve {
  std::string name;               // "solve 2 of 5", for messages
  const BackendChoice& backend;   // of the run
  const BackendOptions& options;  // that it was chosen by
  RankGroup* group = nullptr;     // that shares it; null: this process solves it
  int threads = 1;
  const SignalNotes& notes;
  const Progress& progress;
  const std::function<void(double)>& residual;  // see RunObserver
};

/// What a solve gives, until the next one.
struct PbValues {
  LatticeGeometry lattice;
  ImportedMap map;
  std::shared_ptr<RankOrders> ranks;  // who have it in parts; null otherwise
};

/// What a solver takes for one solve.
struct PbCosts {
  std::int64_t host_bytes = 0;     // at most, with its result
  std::int64_t device_points = 0;  // of the equations that a device would hold; 0: it uses none
  std::int64_t saved_bytes = 0;    // more of host memory, where its state is saved
  double cpu_s = 0.0;              // of what a device can do, on one thread
};

/// A solver of the Poisson-Boltzmann equation for one solute, which ions join between the solves.
class PbPotential {
 public:
  virtual ~PbPotential() = default;

  /// Of the solution, as requested; what a solve gives may have another.
  virtual const LatticeGeometry& lattice() const = 0;

  virtual PbCosts costs() const = 0;

  /// Where the ranks of the group share a solve: the memory that those of this machine take together for the
  /// equations, and the points of these that this one's device would hold. Nothing where this process solves
  /// alone.
  struct Shared {
    std::int64_t host_bytes = 0;
    std::int64_t device_points = 0;
  };
  /// On a device each, of `owner`, or where that is null on processors.
  virtual std::optional<Shared> shared_with(const RankGroup&, const DeviceBackend* /*owner*/) const {
    return {};
  }

  /// What there is to tell the user of the options.
  virtual std::vector<std::string> warnings() const { return {}; }

  /// Solves with `added` joining the solute and what was added before. Throws Error, with the solve's name,
  /// when there is no solution; Interrupted when a signal was noted. What it took goes into `solver`.
  virtual PbValues solve(std::span<const Atom> added, const PbSolve& solve, PoissonBoltzmann* solver) = 0;

  /// Puts what the next solve starts from into a state, for `restore`; may be nothing.
  virtual void save(SavedState& state) const = 0;

  /// In place of the first solves: `added` joined the solute between them, and the last one left `state`.
  virtual void restore(std::span<const std::vector<Atom>> added, const SavedState& state,
                       const PbSolve& solve) = 0;

  /// The equation of the last solve on `lattice`; null when it is another program's.
  virtual PbArrays* equation() { return nullptr; }

  /// The energy [kJ/mol] of all charges in the last solution, less that in a medium of the solute's
  /// dielectric without salt; nothing from a solver that does not tell. Throws as `solve` does, and
  /// UsageError where charges are not on the lattice.
  virtual std::optional<double> solvation_energy_kJ_mol(const PbSolve&, PoissonBoltzmann*) { return {}; }
};

}  // namespace ionwell
