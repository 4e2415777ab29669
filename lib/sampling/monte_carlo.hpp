// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sampling/ion_set.hpp"
#include "sampling/random_stream.hpp"

namespace ionwell {

/// A salt that ions of a bath come from and go to, a neutral formula unit at a time.
struct SaltBath {
  std::uint32_t cation = 0, anion = 0;             // species
  int cations = 1, anions = 1;                     // of a formula unit
  double cation_per_A3 = 0.0, anion_per_A3 = 0.0;  // in the bath, of all salts that share the ion
  double excess_kT = 0.0;  // chemical potential of a formula unit in the bath, in excess of an ideal gas
};

/// What a Monte Carlo step tries.
enum class MoveKind { shift, jump, swap, insertion, deletion };

constexpr std::size_t move_kinds = 5;

/// "shift", "jump", ...: as the report calls it.
std::string_view to_string(MoveKind kind);

struct MoveTally {
  std::int64_t tried = 0, accepted = 0;

  double share() const { return tried > 0 ? double(accepted) / double(tried) : 0.0; }
};

/// Metropolis Monte Carlo of ions, with a bath of salts or without:
///   shift      one ion by up to a step along each axis, its species' own
///   jump       one ion to anywhere in the box
///   swap       two ions of different species change places
///   insertion  a formula unit of a salt at random places, accepted with probability
///              min(1, e^(mu_ex - dU) prod_i (rho_i V)^n_i N_i! / (N_i + n_i)!)
///   deletion   of ions chosen at random, the reverse
/// with rho_i and mu_ex of the bath (Valleau and Cohen, J. Chem. Phys. 72:5935, 1980, eqs. 7 and 8). Which is
/// tried is drawn with shares that never change, so that each keeps detailed balance.
class MonteCarlo {
 public:
  MonteCarlo(IonSet ions, std::vector<SaltBath> baths, RandomStream random);

  /// Tries so many moves.
  void run(std::int64_t moves);

  /// Brings each species' step nearer to 40 % of accepted shifts, by those since the last call, which it then
  /// forgets with all other tallies; for equilibration alone.
  void adapt_steps();

  const IonSet& ions() const { return ions_; }

  /// The energy of the set, kept up to date from move to move, and made anew by `refresh`.
  double energy_kT() const { return energy_kT_; }

  /// Sums the energy anew; how far it had drifted.
  double refresh();

  /// The energy less what the formula units that came since the start, fewer those that went, have in the
  /// bath on average [kT]: what arrangements of different numbers of ions can be compared by.
  double energy_beyond_bath_kT() const { return energy_kT_ - bath_kT_; }

  /// All that its next moves, and what it tells, depend on.
  void save(StateWriter& state) const;
  void restore(StateReader& state);

  const std::array<MoveTally, move_kinds>& tallies() const { return tallies_; }
  const std::vector<double>& steps_A() const { return steps_A_; }

 private:
  void try_place(MoveKind kind);
  void try_swap();
  void try_insertion(const SaltBath& bath);
  void try_deletion(const SaltBath& bath);
  bool accept(double log_probability);
  MoveTally& tally(MoveKind kind) { return tallies_[std::size_t(kind)]; }
  std::size_t random_ion(std::uint32_t species);
  Vec3<double> random_place();

  IonSet ions_;
  std::vector<SaltBath> baths_;
  RandomStream random_;
  double energy_kT_, bath_kT_ = 0.0;
  std::vector<double> steps_A_;
  std::vector<MoveTally> shifts_;  // by species, since the steps were adapted
  std::array<MoveTally, move_kinds> tallies_{};
};

void save(StateWriter& state, std::span<const MoveTally> tallies);
void restore(StateReader& state, std::span<MoveTally> tallies);

/// Ions at random places of a model's box, none of which is pushed by the spheres of others with
/// more than 5 kT when it comes; `count`
/// of each species, in the model's order. Throws Error when there is no room for one.
IonSet random_ions(const IonModel& model, const std::vector<std::int64_t>& count, RandomStream& random);

/// Adds ions to a set in the same way.
void add_random_ions(IonSet& ions, std::uint32_t species, std::int64_t count, RandomStream& random);

}  // namespace ionwell
