// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "compute/backend.hpp"
#include "compute/poisson_boltzmann/focused_pb.hpp"
#include "compute/ranks/rank_messages.hpp"
#include "compute/ranks/rank_shares.hpp"
#include "core/large_array.hpp"
#include "electrostatics/poisson_boltzmann/solver/host_workspace.hpp"

namespace ionwell {

/// What ranks do with a solute's equation that they share, each with the SolutePb of its own: an order's rank
/// is one of these, and its index says which equation it is of.
enum class EquationStep : std::int32_t {
  make,        // payload: RankEquation
  add,         // payload: atoms
  solve,       // and tell_to_go_on of the first at each progress
  values,      // payload: PbArray; to the first
  solutions,   // to the first
  start_from,  // from the first
  charge_energy,
  values_in_slabs,  // each keeps those of its slab of the lattice (rank_slabs)
  drop,
};

/// What each rank makes its part of an equation from.
struct RankEquation {
  OwnPbCalculation calculation;
  std::vector<Atom> atoms;
  BackendOptions backend;  // Backend::cpu, or that of the first's device; each takes its own of the devices
};
template <typename Message>
void transfer(Message& message, RankEquation& equation) {
  OwnPbCalculation& calculation = equation.calculation;
  PbModelOptions& model = calculation.model;
  message(calculation.lattice, calculation.outer, model.dielectric, model.accessibility, model.charges,
          model.boundary, model.ions, model.temperature_K, calculation.solver, equation.atoms,
          equation.backend);
}

/// How ranks share the planes of a lattice: on a device each, of `owner`, or where that is null on
/// processors.
PlaneShares shares_of_ranks(const LatticeGeometry& lattice, int ranks, const DeviceBackend* owner);

/// The planes of the lattice that each rank has then; empty where they cannot be shared.
std::vector<LevelPlanes> planes_of_ranks(const PlaneShares& shares, const LatticeGeometry& lattice);

/// Whether ranks share both lattices: processors where that takes less time than one needs, devices wherever
/// they can, for they are asked only where one lacks the memory.
bool are_to_be_shared(const OwnPbCalculation& calculation, int ranks, const DeviceBackend* owner);

/// Memory of a rank's host for its part of both lattices, and what its device holds, in points of an
/// equation: its planes, and the first level that all have.
std::int64_t host_bytes_of_rank(const OwnPbCalculation& calculation, int ranks, int rank,
                                const DeviceBackend* owner);
std::int64_t device_points_of_rank(const OwnPbCalculation& calculation, int ranks, int rank,
                                   const DeviceBackend* owner);

/// A rank's part, on a device of `owner` or on this host. `workspace`: of all equations, which are solved one
/// after the other. All ranks call it together. Throws as FocusedPb does.
std::unique_ptr<FocusedPb> make_part(RankGroup& group, const RankEquation& equation,
                                     const DeviceBackend* owner, int device,
                                     const std::shared_ptr<HostWorkspace>& workspace);

/// At each progress of a solve the first tells the others whether to continue; they ask.
void tell_to_go_on(RankGroup& group, bool goes_on);
bool is_to_go_on(RankGroup& group);

/// The equations that a rank other than the first has parts of, and what it does with them.
class RankEquations {
 public:
  RankEquations(RankGroup& group, const Backends& backends) : group_(group), backends_(backends) {}

  /// A step with one of them, together with all other ranks. Throws AgreedFailure where one cannot do it, or
  /// not begin; and something else where the others then wait for it in vain.
  void follow(const RankOrder& order, std::span<const std::byte> payload);

  /// What it has kept of values_in_slabs.
  std::span<const double> values_kT_e() const { return {values_kT_e_.data(), values_kT_e_.size()}; }

  void clear();

 private:
  void make(std::int64_t number, RankEquation equation);
  void solve(FocusedPb& equation) const;

  RankGroup& group_;
  const Backends& backends_;
  std::map<std::int64_t, std::unique_ptr<FocusedPb>> equations_;
  std::shared_ptr<HostWorkspace> workspace_;
  LargeArray<double> values_kT_e_;
};

}  // namespace ionwell
