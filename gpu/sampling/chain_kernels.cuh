// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "gpu/sampling/chain.cuh"

/// Replicas of moving ions, a thread block each, for many moves a launch. All threads draw the same numbers
/// and come to the same decisions; the first one writes.
namespace ionwell::gpu {

// Shares of the moves, as in sampling/monte_carlo.
constexpr float exchange_share = 0.25f, swap_share = 0.05f, jump_share = 0.1f;
constexpr float smallest_step_A = 0.02f, wanted_acceptance = 0.4f;

template <Kind kind, bool periodic>
struct MovingChain : Chain<kind, periodic> {
  using Base = Chain<kind, periodic>;
  using Base::count;
  using Base::ions;
  using Base::model;
  using Base::shared;
  using Trial = typename Base::Trial;

  int capacity;
  std::uint32_t replica;
  std::int64_t moves;  // so far, or steps
  double energy_kT, bath_kT;

  __device__ bool is_first() const { return threadIdx.x == 0; }

  __device__ void note(MoveKind move, bool accepted) {
    if (!is_first()) return;
    ++shared.state.tried[int(move)];
    if (accepted) ++shared.state.accepted[int(move)];
  }

  static __device__ bool accepts(double log_probability, std::uint32_t word) {
    return log_probability >= 0.0 || double(unit_of(word)) < exp(log_probability);
  }

  __device__ float3 random_place(const uint4& words) const {
    return {signed_unit_of(words.x) * model.half_A[0], signed_unit_of(words.y) * model.half_A[1],
            signed_unit_of(words.z) * model.half_A[2]};
  }

  __device__ static float4 ion_at(const float3& at, int species) {
    return {at.x, at.y, at.z, __int_as_float(species)};
  }

  __device__ int random_ion(std::uint32_t word) const { return int(__umulhi(word, std::uint32_t(count))); }

  /// One Monte Carlo move.
  __device__ void move() {
    const ChainRandom random(model, ChainRandom::monte_carlo, moves, replica);
    const uint4 words = random(0);
    float drawn = float(words.x >> 8) * 0x1p-24f;
    if (model.bath_count > 0) {
      if (drawn < exchange_share) {
        const BathOnDevice& bath = model.baths[__umulhi(words.y, std::uint32_t(model.bath_count))];
        if (drawn < 0.5f * exchange_share)
          insert(bath, words.z, random);
        else
          remove(bath, words.z, random);
        return;
      }
      drawn = (drawn - exchange_share) / (1.0f - exchange_share);
    }
    if (count == 0) return;
    if (model.species_count > 1 && drawn < swap_share)
      swap(random_ion(words.y), random_ion(words.z), words.w);
    else
      place(drawn < swap_share + jump_share ? MoveKind::jump : MoveKind::shift, random_ion(words.y),
            random(1), words.w);
  }

  __device__ void place(MoveKind move, int n, const uint4& words, std::uint32_t chance) {
    const float4 ion = ions[n];
    const int species = species_of(ion);
    float3 to;
    if (move == MoveKind::jump) {
      to = random_place(words);
    } else {
      const float step = shared.state.step_A[species];
      to = {ion.x + step * signed_unit_of(words.x), ion.y + step * signed_unit_of(words.y),
            ion.z + step * signed_unit_of(words.z)};
      if (is_first()) ++shared.state.shifts_tried[species];
    }
    if constexpr (periodic) {
      to = {in_box<true>(to.x, model.half_A[0]), in_box<true>(to.y, model.half_A[1]),
            in_box<true>(to.z, model.half_A[2])};
    } else if (!(fabsf(to.x) <= model.half_A[0] && fabsf(to.y) <= model.half_A[1] &&
                 fabsf(to.z) <= model.half_A[2])) {
      note(move, false);
      return;
    }
    bool overlaps = false;
    const Trial trial[2] = {{to, species, 1.0f}, {place_of(ion), species, -1.0f}};
    const double change_kT = this->change(trial, n, -1, &overlaps);
    const bool accepted = !overlaps && accepts(-change_kT, chance);
    note(move, accepted);
    if (!accepted) return;
    energy_kT += change_kT;
    if (is_first()) {
      ions[n] = ion_at(to, species);
      if (move == MoveKind::shift) ++shared.state.shifts_accepted[species];
    }
    __syncthreads();
  }

  __device__ void swap(int a, int b, std::uint32_t chance) {
    const float4 one = ions[a], two = ions[b];
    const int of_one = species_of(one), of_two = species_of(two);
    if (of_one == of_two) return;
    bool overlaps = false;
    const Trial trial[4] = {{place_of(two), of_one, 1.0f},
                            {place_of(one), of_two, 1.0f},
                            {place_of(one), of_one, -1.0f},
                            {place_of(two), of_two, -1.0f}};
    const double change_kT = this->change(trial, a, b, &overlaps);
    const bool accepted = !overlaps && accepts(-change_kT, chance);
    note(MoveKind::swap, accepted);
    if (!accepted) return;
    energy_kT += change_kT;
    if (is_first()) {
      ions[a] = ion_at(place_of(two), of_one);
      ions[b] = ion_at(place_of(one), of_two);
    }
    __syncthreads();
  }

  /// ln of prod_i (rho_i V)^n_i N_i! / (N_i + n_i)!, with N_i ions before an insertion.
  __device__ double log_ideal(const BathOnDevice& bath, int cations, int anions) const {
    double sum = bath.cations * bath.log_cations + bath.anions * bath.log_anions;
    for (int n = 1; n <= bath.cations; ++n) sum -= log(double(cations + n));
    for (int n = 1; n <= bath.anions; ++n) sum -= log(double(anions + n));
    return sum;
  }

  __device__ void insert(const BathOnDevice& bath, std::uint32_t chance, const ChainRandom& random) {
    const double log_weight = bath.excess_kT + log_ideal(bath, shared.state.count_of[bath.cation],
                                                         shared.state.count_of[bath.anion]);
    const int unit = bath.cations + bath.anions;
    if (count + unit > capacity) {
      note(MoveKind::insertion, false);
      if (is_first()) shared.state.is_full = true;
      return;
    }
    double change_kT = 0.0;
    bool overlaps = false;
    int added = 0;
    for (; added < unit && !overlaps; ++added) {
      const int species = added < bath.cations ? bath.cation : bath.anion;
      const float3 at = random_place(random(std::uint32_t(2 + added)));
      change_kT += this->energy_of(at, species, -1, &overlaps);
      if (is_first()) ions[count] = ion_at(at, species);
      ++count;
      __syncthreads();
    }
    const bool accepted = !overlaps && accepts(log_weight - change_kT, chance);
    note(MoveKind::insertion, accepted);
    if (!accepted) {
      count -= added;
      return;
    }
    energy_kT += change_kT;
    bath_kT += bath.excess_kT;
    if (is_first()) {
      shared.state.count_of[bath.cation] += bath.cations;
      shared.state.count_of[bath.anion] += bath.anions;
    }
    __syncthreads();
  }

  __device__ void remove(const BathOnDevice& bath, std::uint32_t chance, const ChainRandom& random) {
    const int cations = shared.state.count_of[bath.cation] - bath.cations,
              anions = shared.state.count_of[bath.anion] - bath.anions;
    if (cations < 0 || anions < 0) {
      note(MoveKind::deletion, false);
      return;
    }
    constexpr std::uint32_t first_block = 2 + most_device_unit;
    std::uint32_t block = first_block;
    const int unit = bath.cations + bath.anions;
    float4 removed[most_device_unit];
    double change_kT = 0.0;
    for (int n = 0; n < unit; ++n) {
      const int species = n < bath.cations ? bath.cation : bath.anion;
      int chosen = 0;
      do {
        chosen = random_ion(random(block++).x);
      } while (species_of(ions[chosen]) != species);
      const float4 ion = ions[chosen];
      bool overlaps = false;
      change_kT -= this->energy_of(place_of(ion), species, chosen, &overlaps);
      if (is_first()) ions[chosen] = ions[count - 1];
      --count;
      __syncthreads();
      removed[n] = ion;
    }
    const bool accepted = accepts(-bath.excess_kT - log_ideal(bath, cations, anions) - change_kT, chance);
    note(MoveKind::deletion, accepted);
    if (!accepted) {
      if (is_first())
        for (int n = 0; n < unit; ++n) ions[count + n] = removed[n];
      count += unit;
    } else {
      energy_kT += change_kT;
      bath_kT -= bath.excess_kT;
      if (is_first()) {
        shared.state.count_of[bath.cation] = cations;
        shared.state.count_of[bath.anion] = anions;
      }
    }
    __syncthreads();
  }

  /// MonteCarlo::adapt_steps.
  __device__ void adapt_steps() {
    __syncthreads();
    if (is_first()) {
      constexpr int enough = 50;
      const float longest = fminf(model.half_A[0], fminf(model.half_A[1], model.half_A[2]));
      ChainState& state = shared.state;
      for (int s = 0; s < model.species_count; ++s) {
        if (state.shifts_tried[s] < enough) continue;
        const float share = float(state.shifts_accepted[s]) / float(state.shifts_tried[s]);
        const float by = fminf(fmaxf(share / wanted_acceptance, 0.5f), 2.0f);
        state.step_A[s] = fminf(fmaxf(state.step_A[s] * by, smallest_step_A), longest);
        state.shifts_tried[s] = state.shifts_accepted[s] = 0;
      }
      for (int m = 0; m < int(move_kinds); ++m) state.tried[m] = state.accepted[m] = 0;
    }
    __syncthreads();
  }

  /// Sums the energy anew; how far it had drifted.
  __device__ double refresh() {
    const double before_kT = energy_kT;
    energy_kT = Base::energy_of_set();
    return fabs(before_kT - energy_kT);
  }

  /// A sample of number `to` among all of the launch.
  __device__ void save(const SamplesOnDevice& samples, std::int64_t to) const {
    for (int n = int(threadIdx.x); n < count; n += int(blockDim.x)) samples.ions[to * capacity + n] = ions[n];
    if (!is_first()) return;
    samples.counts[to] = count;
    samples.energies_kT[to] = {energy_kT, energy_kT - bath_kT};
  }
};

/// Where an ion is after a step of Brownian dynamics (BrownianDynamics).
template <bool periodic>
__device__ float4 stepped(const ModelOnDevice& model, const float4& ion, const float3& force,
                          const uint4& words, const SpeciesOnDevice* all_species, int* cut_moves) {
  constexpr float longest_A = 0.5f;
  const SpeciesOnDevice species = all_species[species_of(ion)];
  float drift = species.drift_A2;
  const float length = drift * sqrtf(force.x * force.x + force.y * force.y + force.z * force.z);
  if (length > longest_A) {
    drift *= longest_A / length;
    ++*cut_moves;
  }
  // Box and Muller.
  const float far_xy = sqrtf(-2.0f * logf(unit_of(words.x))), far_z = sqrtf(-2.0f * logf(unit_of(words.z)));
  float sine, cosine, sine_z, cosine_z;
  sincospif(2.0f * unit_of(words.y), &sine, &cosine);
  sincospif(2.0f * unit_of(words.w), &sine_z, &cosine_z);
  return {in_box<periodic>(ion.x + drift * force.x + species.noise_A * far_xy * cosine, model.half_A[0]),
          in_box<periodic>(ion.y + drift * force.y + species.noise_A * far_xy * sine, model.half_A[1]),
          in_box<periodic>(ion.z + drift * force.z + species.noise_A * far_z * cosine_z, model.half_A[2]),
          ion.w};
}

/// Copies a replica's state and ions to where they are worked on, and waits.
inline __device__ void begin_chain(const ModelOnDevice& model, const ChainState& state, const float4* from,
                                   float4* ions, ChainShared* shared) {
  if (threadIdx.x == 0) shared->state = state;
  if (int(threadIdx.x) < model.species_count) shared->species[threadIdx.x] = model.species[threadIdx.x];
  if (ions != from)
    for (int n = int(threadIdx.x); n < state.ions; n += int(blockDim.x)) ions[n] = from[n];
  __syncthreads();
}

template <typename AnyChain>
__device__ void end_chain(const AnyChain& chain, ChainState* state, float4* to) {
  __syncthreads();
  if (chain.ions != to)
    for (int n = int(threadIdx.x); n < chain.count; n += int(blockDim.x)) to[n] = chain.ions[n];
  if (threadIdx.x != 0) return;
  ChainState& last = chain.shared.state;
  last.ions = chain.count;
  last.moves = chain.moves;
  last.energy_kT = chain.energy_kT;
  last.bath_kT = chain.bath_kT;
  *state = last;
}

/// Monte Carlo. Dynamic shared memory: the ions, if they are to be there.
template <Kind kind, bool periodic>
__global__ void __launch_bounds__(most_monte_carlo_threads)
    run_monte_carlo(const __grid_constant__ ModelOnDevice model, const __grid_constant__ ChainPlan plan,
                    ChainState* states, float4* all_ions, const SamplesOnDevice samples) {
  extern __shared__ float4 shared_ions[];
  __shared__ ChainShared shared;
  const int replica = int(blockIdx.x);
  float4* const own = all_ions + std::int64_t(replica) * plan.capacity;
  float4* const ions = plan.in_shared ? shared_ions : own;
  begin_chain(model, states[replica], own, ions, &shared);
  MovingChain<kind, periodic> chain{{model, shared, ions, shared.state.ions},
                                    plan.capacity,
                                    std::uint32_t(replica),
                                    shared.state.moves,
                                    shared.state.energy_kT,
                                    shared.state.bath_kT};
  const std::int64_t sweep = shared.state.moves_a_sweep;
  for (int s = 0; s < plan.samples; ++s) {
    for (std::int64_t m = plan.each * sweep; m > 0; --m, ++chain.moves) chain.move();
    if (plan.adapts)
      chain.adapt_steps();
    else
      chain.save(samples, std::int64_t(s) * gridDim.x + replica);
  }
  const double drift_kT = chain.refresh();
  if (threadIdx.x == 0 && plan.samples > 0 && !plan.adapts)
    shared.state.drift_kT = fmax(shared.state.drift_kT, drift_kT);
  end_chain(chain, &states[replica], own);
}

/// Brownian dynamics (sampling/brownian). Dynamic shared memory: the ions twice, if they are to be there;
/// otherwise `next_ions` has room for them.
template <Kind kind, bool periodic>
__global__ void __launch_bounds__(most_chain_threads)
    run_dynamics(const __grid_constant__ ModelOnDevice model, const __grid_constant__ ChainPlan plan,
                 ChainState* states, float4* all_ions, float4* next_ions, const SamplesOnDevice samples) {
  extern __shared__ float4 shared_ions[];
  __shared__ ChainShared shared;
  const int replica = int(blockIdx.x);
  const std::int64_t offset = std::int64_t(replica) * plan.capacity;
  float4* const own = all_ions + offset;
  float4* const ions = plan.in_shared ? shared_ions : own;
  float4* next = plan.in_shared ? shared_ions + plan.capacity : next_ions + offset;
  begin_chain(model, states[replica], own, ions, &shared);
  MovingChain<kind, periodic> chain{{model, shared, ions, shared.state.ions},
                                    plan.capacity,
                                    std::uint32_t(replica),
                                    shared.state.moves,
                                    0.0,
                                    0.0};
  const int lane = int(threadIdx.x) % plan.lanes, group = int(threadIdx.x) / plan.lanes,
            groups = int(blockDim.x) / plan.lanes;
  int cut_moves = 0;
  for (int s = 0; s < plan.samples; ++s) {
    for (std::int64_t m = plan.each; m > 0; --m, ++chain.moves) {
      const ChainRandom random(model, ChainRandom::dynamics, chain.moves, std::uint32_t(replica));
      for (int first = 0; first < chain.count; first += groups) {
        const int i = first + group;
        const bool is_there = i < chain.count;
        float3 force{};
        if (is_there) force = chain.part_of_force(i, lane, plan.lanes);
        for (int other = plan.lanes / 2; other > 0; other /= 2) {
          force.x += __shfl_xor_sync(0xffffffffu, force.x, other);
          force.y += __shfl_xor_sync(0xffffffffu, force.y, other);
          force.z += __shfl_xor_sync(0xffffffffu, force.z, other);
        }
        if (is_there && lane == 0)
          next[i] = stepped<periodic>(model, chain.ions[i], force, random(std::uint32_t(i)), shared.species,
                                      &cut_moves);
      }
      __syncthreads();
      float4* const now = chain.ions;
      chain.ions = next;
      next = now;
    }
    chain.refresh();
    chain.save(samples, std::int64_t(s) * gridDim.x + replica);
  }
  bool any = false;
  const double cut = chain.total(double(cut_moves), &any);
  if (threadIdx.x == 0) shared.state.cut_moves += std::int64_t(cut);
  end_chain(chain, &states[replica], own);
}

}  // namespace ionwell::gpu
