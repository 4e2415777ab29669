#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>

#include "electrostatics/poisson_boltzmann/solver/host_workspace.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_solver.hpp"
#include "electrostatics/poisson_boltzmann/solver/shared_planes.hpp"
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
};
MessageWriter& operator<<(MessageWriter& message, const RankEquation& equation);
RankEquation read_rank_equation(MessageReader& message);

/// The planes of the lattice that each rank has; empty where they cannot be shared.
std::vector<LevelPlanes> planes_of_ranks(const LatticeGeometry& lattice, int ranks);

/// Whether to share them takes less time than one rank needs.
bool is_worth_sharing(const LatticeGeometry& lattice, int ranks);

/// The equations that a rank other than the first has planes of, and what it does with them.
class RankEquations {
 public:
  explicit RankEquations(RankGroup& group) : group_(group) {}

  /// Memory for one. Throws Error where there is not enough.
  void make(std::int64_t number, MessageReader message);

  /// A step with one of them, together with all other ranks.
  void follow(const RankOrder& order, std::span<const std::byte> payload);

  void clear();

 private:
  struct Equation {
    RankEquation of;
    LevelPlanes planes;
    std::unique_ptr<PbVectors> vectors;
  };
  void receive_coefficients(Equation& equation, const PlaneSpan& sent);

  RankGroup& group_;
  std::map<std::int64_t, Equation> equations_;
  std::shared_ptr<HostWorkspace> workspace_;  // of all: they are solved one after the other
};

}  // namespace ionwell
