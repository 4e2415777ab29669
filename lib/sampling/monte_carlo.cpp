// SPDX-License-Identifier: BSD-3-Clause
#include "sampling/monte_carlo.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/error.hpp"
#include "core/text/count_text.hpp"

namespace ionwell {
namespace {

// Shares of the moves; a shift where it is none of these.
constexpr double exchange_share = 0.25, swap_share = 0.05, jump_share = 0.1;
constexpr double first_step_A = 2.0, smallest_step_A = 0.02, wanted_acceptance = 0.4;

double shortest_edge_A(const IonModel& model) {
  const Vec3<double> edge_A = model.box.highest_A - model.box.lowest_A;
  return std::min({edge_A.x, edge_A.y, edge_A.z});
}

bool is_inside(const Box& box, const Vec3<double>& p) {
  return p.x >= box.lowest_A.x && p.x <= box.highest_A.x && p.y >= box.lowest_A.y && p.y <= box.highest_A.y &&
         p.z >= box.lowest_A.z && p.z <= box.highest_A.z;
}

Vec3<double> place_in(const Box& box, RandomStream& random) {
  const Vec3<double> edge_A = box.highest_A - box.lowest_A;
  const double x = random.uniform(), y = random.uniform(), z = random.uniform();
  return box.lowest_A + Vec3<double>{x * edge_A.x, y * edge_A.y, z * edge_A.z};
}

/// ln of prod_i (rho_i V)^n_i N_i! / (N_i + n_i)!, with N_i the ions that are there before an insertion.
double log_ideal(const SaltBath& bath, const IonSet& ions) {
  const double volume_A3 = ions.model().volume_A3();
  double sum = bath.cations * std::log(bath.cation_per_A3 * volume_A3) +
               bath.anions * std::log(bath.anion_per_A3 * volume_A3);
  for (int n = 1; n <= bath.cations; ++n) sum -= std::log(double(ions.count_of(bath.cation) + n));
  for (int n = 1; n <= bath.anions; ++n) sum -= std::log(double(ions.count_of(bath.anion) + n));
  return sum;
}

}  // namespace

std::string_view to_string(MoveKind kind) {
  constexpr std::string_view names[] = {"shift", "jump", "swap", "insertion", "deletion"};
  return names[std::size_t(kind)];
}

MonteCarlo::MonteCarlo(IonSet ions, std::vector<SaltBath> baths, RandomStream random)
    : ions_(std::move(ions)),
      baths_(std::move(baths)),
      random_(random),
      energy_kT_(ions_.energy_kT()),
      steps_A_(ions_.model().species.size(), std::min(first_step_A, 0.5 * shortest_edge_A(ions_.model()))),
      shifts_(steps_A_.size()) {}

void MonteCarlo::run(std::int64_t moves) {
  const bool swaps = ions_.model().species.size() > 1;
  for (std::int64_t n = 0; n < moves; ++n) {
    double drawn = random_.uniform();
    if (!baths_.empty()) {
      if (drawn < exchange_share) {
        const SaltBath& bath = baths_[random_.below(std::uint32_t(baths_.size()))];
        if (drawn < 0.5 * exchange_share)
          try_insertion(bath);
        else
          try_deletion(bath);
        continue;
      }
      drawn = (drawn - exchange_share) / (1.0 - exchange_share);
    }
    if (ions_.size() == 0) continue;
    if (swaps && drawn < swap_share)
      try_swap();
    else
      try_place(drawn < swap_share + jump_share ? MoveKind::jump : MoveKind::shift);
  }
}

void MonteCarlo::adapt_steps() {
  constexpr std::int64_t enough = 50;
  const double longest_A = 0.5 * shortest_edge_A(ions_.model());
  for (std::size_t s = 0; s < steps_A_.size(); ++s) {
    if (shifts_[s].tried < enough) continue;
    steps_A_[s] = std::clamp(steps_A_[s] * std::clamp(shifts_[s].share() / wanted_acceptance, 0.5, 2.0),
                             smallest_step_A, longest_A);
    shifts_[s] = {};
  }
  tallies_ = {};
}

void save(StateWriter& state, std::span<const MoveTally> tallies) {
  for (const MoveTally& tally : tallies) {
    state.put(tally.tried);
    state.put(tally.accepted);
  }
}

void restore(StateReader& state, std::span<MoveTally> tallies) {
  for (MoveTally& tally : tallies) {
    tally.tried = state.count();
    tally.accepted = state.whole(0, tally.tried);
  }
}

void MonteCarlo::save(StateWriter& state) const {
  ionwell::save(state, ions_.ions());
  random_.save(state);
  state.put(energy_kT_);
  state.put(bath_kT_);
  state.put(steps_A_);
  ionwell::save(state, shifts_);
  ionwell::save(state, tallies_);
}

void MonteCarlo::restore(StateReader& state) {
  ions_ = IonSet(ions_.model(), restored_ions(state, steps_A_.size()));
  random_.restore(state);
  energy_kT_ = state.number();
  bath_kT_ = state.number();
  steps_A_ = state.numbers(steps_A_.size());
  ionwell::restore(state, shifts_);
  ionwell::restore(state, tallies_);
}

double MonteCarlo::refresh() {
  return std::exchange(energy_kT_, ions_.energy_kT()) - energy_kT_;
}

bool MonteCarlo::accept(double log_probability) {
  return log_probability >= 0.0 || random_.uniform() < std::exp(log_probability);
}

Vec3<double> MonteCarlo::random_place() {
  return place_in(ions_.model().box, random_);
}

/// One of a species, of which there must be some.
std::size_t MonteCarlo::random_ion(std::uint32_t species) {
  for (;;) {
    const std::size_t n = random_.below(std::uint32_t(ions_.size()));
    if (ions_.ions()[n].species == species) return n;
  }
}

void MonteCarlo::try_place(MoveKind kind) {
  const std::size_t n = random_.below(std::uint32_t(ions_.size()));
  const std::uint32_t species = ions_.ions()[n].species;
  Vec3<double> to_A;
  if (kind == MoveKind::jump) {
    to_A = random_place();
  } else {
    const double step_A = steps_A_[species];
    const double x = random_.uniform(), y = random_.uniform(), z = random_.uniform();
    to_A = ions_.ions()[n].position_A + step_A * Vec3<double>{2.0 * x - 1.0, 2.0 * y - 1.0, 2.0 * z - 1.0};
    ++shifts_[species].tried;
  }
  ++tally(kind).tried;
  if (ions_.model().boundary == SampleBoundary::periodic)
    to_A = ions_.in_box(to_A);
  else if (!is_inside(ions_.model().box, to_A))
    return;
  const double after_kT = ions_.energy_at(n, to_A);
  if (after_kT >= overlap_kT) return;
  const double change_kT = after_kT - ions_.energy_of(n);
  if (!accept(-change_kT)) return;
  ions_.move(n, to_A);
  energy_kT_ += change_kT;
  ++tally(kind).accepted;
  if (kind == MoveKind::shift) ++shifts_[species].accepted;
}

void MonteCarlo::try_swap() {
  const std::size_t a = random_.below(std::uint32_t(ions_.size())),
                    b = random_.below(std::uint32_t(ions_.size()));
  if (ions_.ions()[a].species == ions_.ions()[b].species) return;
  ++tally(MoveKind::swap).tried;
  const Vec3<double> at_a_A = ions_.ions()[a].position_A, at_b_A = ions_.ions()[b].position_A;
  // What the two do to each other is in both sums, and is the same before and after.
  const double before_kT = ions_.energy_of(a) + ions_.energy_of(b);
  ions_.move(a, at_b_A);
  ions_.move(b, at_a_A);
  const double change_kT = ions_.energy_of(a) + ions_.energy_of(b) - before_kT;
  if (change_kT < overlap_kT && accept(-change_kT)) {
    energy_kT_ += change_kT;
    ++tally(MoveKind::swap).accepted;
    return;
  }
  ions_.move(a, at_a_A);
  ions_.move(b, at_b_A);
}

void MonteCarlo::try_insertion(const SaltBath& bath) {
  ++tally(MoveKind::insertion).tried;
  const double log_weight = bath.excess_kT + log_ideal(bath, ions_);
  double change_kT = 0.0;
  int added = 0;
  for (; added < bath.cations + bath.anions && change_kT < overlap_kT; ++added) {
    const MovingIon ion{added < bath.cations ? bath.cation : bath.anion, random_place()};
    change_kT += ions_.energy_of(ion);
    ions_.add(ion);
  }
  if (change_kT < overlap_kT && accept(log_weight - change_kT)) {
    energy_kT_ += change_kT;
    bath_kT_ += bath.excess_kT;
    ++tally(MoveKind::insertion).accepted;
    return;
  }
  for (; added > 0; --added) ions_.remove(ions_.size() - 1);
}

void MonteCarlo::try_deletion(const SaltBath& bath) {
  ++tally(MoveKind::deletion).tried;
  if (ions_.count_of(bath.cation) < bath.cations || ions_.count_of(bath.anion) < bath.anions) return;
  std::vector<MovingIon> removed;
  double change_kT = 0.0;
  for (int n = 0; n < bath.cations + bath.anions; ++n) {
    const std::size_t ion = random_ion(n < bath.cations ? bath.cation : bath.anion);
    change_kT -= ions_.energy_of(ion);
    removed.push_back(ions_.ions()[ion]);
    ions_.remove(ion);
  }
  if (accept(-bath.excess_kT - log_ideal(bath, ions_) - change_kT)) {
    energy_kT_ += change_kT;
    bath_kT_ -= bath.excess_kT;
    ++tally(MoveKind::deletion).accepted;
    return;
  }
  for (const MovingIon& ion : removed) ions_.add(ion);
}

void add_random_ions(IonSet& ions, std::uint32_t species, std::int64_t count, RandomStream& random) {
  constexpr int tries = 20'000;
  constexpr double touching_kT = 5.0;
  const IonModel& model = ions.model();
  for (std::int64_t n = 0; n < count; ++n) {
    bool is_placed = false;
    for (int t = 0; t < tries && !is_placed; ++t) {
      const MovingIon ion{species, place_in(model.box, random)};
      if (ions.repulsion_of(ion) > touching_kT) continue;
      ions.add(ion);
      is_placed = true;
    }
    if (!is_placed)
      fail("no room was found for ", model.species[species].ion.name, " number ", n + 1, " of ",
           grouped(count), " in the box ", model.box, " A, in ", grouped(tries),
           " trials; give a larger box, or request fewer ions");
  }
}

IonSet random_ions(const IonModel& model, const std::vector<std::int64_t>& count, RandomStream& random) {
  IonSet ions(model, {});
  for (std::size_t s = 0; s < count.size(); ++s) add_random_ions(ions, std::uint32_t(s), count[s], random);
  return ions;
}

}  // namespace ionwell
