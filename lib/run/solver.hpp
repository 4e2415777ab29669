#pragma once

#include <span>
#include <string>
#include <string_view>

#include "placement/host_field.hpp"

namespace ionwell {

/// How the potential of the solute is summed. The ions do not depend on it: fp64 sums decide.
enum class Method { automatic, direct, multilevel };

/// "auto", "direct", "msm": as the command line and the report call it.
std::string_view to_string(Method method);

struct SolverOptions {
  Method method = Method::automatic;
  MultilevelOptions multilevel;
};

/// Single-thread seconds that a potential is expected to take; fitted to `ionwell-bench crossover`.
double predicted_seconds(Method method, const LatticeGeometry& lattice, std::size_t charges,
                         const PairPotential& pair, SimdLevel simd);

/// The method that `options` stand for on this lattice: for `automatic` the faster one.
Method choose_method(const SolverOptions& options, const LatticeGeometry& lattice, std::size_t charges,
                     const PairPotential& pair, SimdLevel simd);

/// The sum over `charges` by a method that is no longer `automatic`.
SolutePotential sum_of(std::span<const PointCharge> charges, const SolverOptions& options);

}  // namespace ionwell
