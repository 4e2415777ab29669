#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "electrostatics/poisson_boltzmann/solver/host_workspace.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_solver.hpp"
#include "electrostatics/poisson_boltzmann/solver/shared_planes.hpp"
#include "run/backend.hpp"
#include "run/ranks/rank_messages.hpp"

namespace ionwell {

/// What ranks do with an equation whose planes they share: its order's rank is one of these, and its index
/// says which equation it is of. Those of the names of PbVectors' functions are these.
enum class EquationStep : std::int32_t {
  receive_coefficients,  // payload: PlaneSpan, of the whole lattice, of the planes that the first sends
  make_vectors,
  update,  // payload: PointBox
  load,    // what the first sends
  compute_residual,
  linearise,
  start_gradients,
  iterate,
  add_correction,
  add_newton_step,
  points_beyond_cap,
  store,  // and send it
  drop,
};

/// What each rank makes its part of an equation from: a system without arrays.
struct RankEquation {
  PbSystem system;
  PbSolverOptions solver;
  BackendOptions backend;  // Backend::cpu, or that of the first's device; each takes its own of the devices
};
MessageWriter& operator<<(MessageWriter& message, const RankEquation& equation);
RankEquation read_rank_equation(MessageReader& message);

/// How ranks share the planes of a lattice: on a device each, of `owner`, or where that is null on
/// processors.
PlaneShares shares_of_ranks(const LatticeGeometry& lattice, int ranks, const DeviceBackend* owner);

/// Whether they do: processors where that takes less time than one needs, devices wherever they can, for they
/// are asked only where one lacks the memory.
bool are_to_be_shared(const PlaneShares& shares, const DeviceBackend* owner);

/// The planes of the lattice that each rank has then; empty where they cannot be shared.
std::vector<LevelPlanes> planes_of_ranks(const PlaneShares& shares, const LatticeGeometry& lattice);

/// What a device of a rank holds, in points of an equation: its planes, and the first level that all have.
std::int64_t points_of_rank(const PlaneShares& shares, const LatticeGeometry& lattice, int rank);

/// The potential in fp64 of a rank's own planes, of vectors on a device.
void copy_own_planes(const DeviceBackend& owner, const PbVectors& vectors, const LevelPlanes& planes,
                     std::span<double> to_kT_e);

/// The equations that a rank other than the first has planes of, and what it does with them.
class RankEquations {
 public:
  RankEquations(RankGroup& group, const Backends& backends) : group_(group), backends_(backends) {}

  /// Memory for one, and its device. Throws Error where there is not enough, or none.
  void make(std::int64_t number, MessageReader message);

  /// A step with one of them, together with all other ranks.
  void follow(const RankOrder& order, std::span<const std::byte> payload);

  void clear();

 private:
  struct Equation {
    RankEquation of;
    LevelPlanes planes;
    BackendChoice backend;
    std::unique_ptr<PbVectors> vectors;
  };
  BackendChoice device_for(const RankEquation& equation) const;
  void make_vectors(Equation& equation);
  void receive_coefficients(Equation& equation, const PlaneSpan& sent);
  void send_solution(Equation& equation);

  RankGroup& group_;
  const Backends& backends_;
  std::map<std::int64_t, Equation> equations_;
  std::shared_ptr<HostWorkspace> workspace_;  // of all: they are solved one after the other
};

}  // namespace ionwell
