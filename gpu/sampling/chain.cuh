// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "gpu/electrostatics/pair_term.cuh"
#include "gpu/sampling/chain_model.hpp"
#include "sampling/random_stream.hpp"

/// Energies and forces of the ions of one replica, by one thread block.
namespace ionwell::gpu {

constexpr int most_chain_threads = 512, most_monte_carlo_threads = 256;

/// What a thread block shares, besides its ions.
struct ChainShared {
  ChainState state;
  SpeciesOnDevice species[most_device_species];
  double parts[2][most_chain_threads / 32];
};

/// Random numbers of one move, or of one ion's step: no other has the same counter, nor has the host's stream
/// of this seed, whose second word is 0 for its first 2^34 numbers.
struct ChainRandom {
  enum Purpose : std::uint32_t { monte_carlo = 1, dynamics = 2 };

  Philox philox;
  std::uint32_t low, high, replica;

  __device__ ChainRandom(const ModelOnDevice& model, Purpose purpose, std::int64_t move,
                         std::uint32_t replica_number)
      : philox{{model.seed[0], model.seed[1]}},
        low(std::uint32_t(move)),
        high((purpose << 24) | (std::uint32_t(std::uint64_t(move) >> 32) & 0xffffffu)),
        replica(replica_number) {}

  __device__ uint4 operator()(std::uint32_t block) const {
    std::uint32_t words[4] = {low, high, replica, block};
    philox(words);
    return {words[0], words[1], words[2], words[3]};
  }
};

/// In (0, 1].
inline __device__ float unit_of(std::uint32_t word) {
  return float(word) * 0x1p-32f + 0x1p-33f;
}

/// In [-1, 1].
inline __device__ float signed_unit_of(std::uint32_t word) {
  return float(int(word)) * 0x1p-31f;
}

inline __device__ float3 place_of(const float4& ion) {
  return {ion.x, ion.y, ion.z};
}
inline __device__ int species_of(const float4& ion) {
  return __float_as_int(ion.w);
}

template <Kind kind, bool periodic>
struct Chain {
  const ModelOnDevice& model;
  ChainShared& shared;
  float4* ions;
  int count;
  int turn = 0;  // of shared.parts, so that one barrier is enough for a sum

  /// What one ion does to another: its energy [kT] and, along the difference of places, the force [kT/A^2].
  struct PairResult {
    float energy_kT, along;
    float3 d_A, by_images;  // by_images: the images' force [kT/A]
    bool overlaps;
  };

  template <bool with_force>
  __device__ PairResult pair(const float3& at, const SpeciesOnDevice& one, const float4& other) const {
    const SpeciesOnDevice two = shared.species[species_of(other)];
    PairResult result{};
    float3& d = result.d_A;
    d = {at.x - other.x, at.y - other.y, at.z - other.z};
    if constexpr (periodic) {
      d.x = nearest(d.x, model.half_A[0]);
      d.y = nearest(d.y, model.half_A[1]);
      d.z = nearest(d.z, model.half_A[2]);
    }
    constexpr float smallest2 = float(smallest_distance_A * smallest_distance_A);
    const float r2 = fmaxf(d.x * d.x + d.y * d.y + d.z * d.z, smallest2);
    const float charges = one.charge_e * two.charge_e;
    const float term = model.prefactor * charges * pair_term<kind>(r2, model.kappa_per_A);
    result.energy_kT = term;
    const float sigma = one.radius_A + two.radius_A;
    repel(sigma * sigma, r2, &result);
    if constexpr (with_force) {
      const float inverse2 = fast_inverse(r2);
      if constexpr (kind == Kind::coulomb) result.along += term * inverse2;
      if constexpr (kind == Kind::distance_dependent) result.along += 2.0f * term * inverse2;
      if constexpr (kind == Kind::debye_hueckel)
        result.along += term * (inverse2 + model.kappa_per_A * fast_inverse_sqrt(r2));
    }
    if constexpr (periodic) {
      const InterpolatedPotential images = of_images(d);
      result.energy_kT += charges * images.value;
      if constexpr (with_force)
        result.by_images = {image_force(charges, d.x, images.by_x, model.image_points_per_A[0]),
                            image_force(charges, d.y, images.by_y, model.image_points_per_A[1]),
                            image_force(charges, d.z, images.by_z, model.image_points_per_A[2])};
    }
    return result;
  }

  /// SoftRepulsion, or a step.
  __device__ void repel(float sigma2, float r2, PairResult* result) const {
    if (!model.is_soft) {
      if (r2 < sigma2) {
        result->energy_kT += float(overlap_kT);
        result->overlaps = true;
      }
      return;
    }
    constexpr float reach2 = 1.2599210498948732f, epsilon = float(soft_epsilon_kT),
                    core2 = float(soft_core * soft_core);
    if (!(r2 < reach2 * sigma2)) return;
    const float far2 = fmaxf(r2, core2 * sigma2), s2 = sigma2 / far2, s6 = s2 * s2 * s2;
    result->energy_kT += epsilon * (4.0f * s6 * (s6 - 1.0f) + 1.0f);
    result->along += 24.0f * epsilon * s6 * (2.0f * s6 - 1.0f) / far2;
  }

  static __device__ float nearest(float d, float half) { return d - 2.0f * half * rintf(d * (0.5f / half)); }

  static __device__ float image_force(float charges, float d, float slope, float points_per_A) {
    const float force = charges * slope * points_per_A;
    return d < 0.0f ? force : -force;
  }

  /// The image table, and its slopes by the absolute value of each coordinate, in steps.
  __device__ InterpolatedPotential of_images(const float3& d) const {
    constexpr float last = float(image_points - 1) - 1e-3f;
    const float u[3] = {fminf(fabsf(d.x) * model.image_points_per_A[0], last),
                        fminf(fabsf(d.y) * model.image_points_per_A[1], last),
                        fminf(fabsf(d.z) * model.image_points_per_A[2], last)};
    const int i = int(u[0]), j = int(u[1]), k = int(u[2]);
    return TrilinearOnDevice::at(model.images,
                                 CellPlace{i, j, k, u[0] - float(i), u[1] - float(j), u[2] - float(k)});
  }

  /// The field's potential, and its derivatives in spacings; a place beyond the lattice is on its face.
  __device__ InterpolatedPotential field_at(const float3& at) const {
    const double at_A[3] = {model.middle_A[0] + double(at.x), model.middle_A[1] + double(at.y),
                            model.middle_A[2] + double(at.z)};
    int cell[3];
    float t[3];
#pragma unroll
    for (int axis = 0; axis < 3; ++axis) {
      const double u =
          fmin(fmax((at_A[axis] - model.frame.origin_A[axis]) * model.frame.points_per_A[axis], 0.0),
               model.frame.last_point[axis]);
      cell[axis] = min(int(u), model.frame.last_cell[axis]);
      t[axis] = float(u - double(cell[axis]));
    }
    const CellPlace place{cell[0], cell[1], cell[2], t[0], t[1], t[2]};
    return model.is_cubic ? CubicSplineOnDevice::at(model.field, place)
                          : TrilinearOnDevice::at(model.field, place);
  }

  /// The solute's spheres that may act on an ion, every `stride`-th from `from` on: visit(sphere).
  template <typename Visit>
  __device__ void for_spheres(const float3& at, int from, int stride, const Visit& visit) const {
    if (model.first == nullptr) return;
    const int i = __float2int_rd((at.x - model.spheres_low_A[0]) * model.cells_per_A[0]),
              j = __float2int_rd((at.y - model.spheres_low_A[1]) * model.cells_per_A[1]),
              k = __float2int_rd((at.z - model.spheres_low_A[2]) * model.cells_per_A[2]);
    if (i < 0 || j < 0 || k < 0 || i >= model.cells[0] || j >= model.cells[1] || k >= model.cells[2]) return;
    const std::int64_t cell = i + std::int64_t(model.cells[0]) * (j + std::int64_t(model.cells[1]) * k);
    const std::uint32_t end = model.first[cell + 1];
    for (std::uint32_t n = model.first[cell] + std::uint32_t(from); n < end; n += std::uint32_t(stride))
      visit(__ldg(model.spheres + n));
  }

  __device__ PairResult by_sphere(const float3& at, float radius_A, const float4& sphere) const {
    PairResult result{};
    result.d_A = {at.x - sphere.x, at.y - sphere.y, at.z - sphere.z};
    const float3& d = result.d_A;
    const float sigma = radius_A + sphere.w;
    repel(sigma * sigma, d.x * d.x + d.y * d.y + d.z * d.z, &result);
    return result;
  }

  /// This thread's part of what solute and field do to an ion; `owner` asks the field.
  __device__ float part_alone(const float3& at, const SpeciesOnDevice& ion, int owner, bool* overlaps) const {
    float sum = 0.0f;
    if (model.field.quads != nullptr && int(threadIdx.x) == owner) sum += ion.charge_e * field_at(at).value;
    for_spheres(at, int(threadIdx.x), int(blockDim.x), [&](const float4& sphere) {
      const PairResult result = by_sphere(at, ion.radius_A, sphere);
      sum += result.energy_kT;
      *overlaps = *overlaps || result.overlaps;
    });
    return sum;
  }

  /// The sum over the thread block, and whether any thread says `*any`; the same for all threads.
  __device__ double total(double part, bool* any) {
#pragma unroll
    for (int step = 16; step > 0; step /= 2) part += __shfl_xor_sync(0xffffffffu, part, step);
    const int warps = int(blockDim.x) / 32;
    if (threadIdx.x % 32 == 0) shared.parts[turn][threadIdx.x / 32] = part;
    *any = __syncthreads_or(*any);
    double sum = 0.0;
    for (int w = 0; w < warps; ++w) sum += shared.parts[turn][w];
    turn ^= 1;
    return sum;
  }

  /// An ion at a place: its energy counts with this sign.
  struct Trial {
    float3 at;
    int species;
    float sign;
  };

  /// The energies of trials with all ions but two (-1: none) and with field and solute. `*overlaps`: one that
  /// counts as positive touches a hard sphere.
  template <int trials>
  __device__ double change(const Trial (&trial)[trials], int skip_a, int skip_b, bool* overlaps) {
    float sum = 0.0f;
    bool touches = false;
    SpeciesOnDevice ion[trials];
#pragma unroll
    for (int t = 0; t < trials; ++t) {
      ion[t] = shared.species[trial[t].species];
      bool touches_solute = false;
      sum += trial[t].sign * part_alone(trial[t].at, ion[t], t, &touches_solute);
      touches = touches || (touches_solute && trial[t].sign > 0.0f);
    }
    for (int j = int(threadIdx.x); j < count; j += int(blockDim.x)) {
      if (j == skip_a || j == skip_b) continue;
      const float4 other = ions[j];
#pragma unroll
      for (int t = 0; t < trials; ++t) {
        const PairResult result = pair<false>(trial[t].at, ion[t], other);
        sum += trial[t].sign * result.energy_kT;
        touches = touches || (result.overlaps && trial[t].sign > 0.0f);
      }
    }
    const double all = total(double(sum), &touches);
    *overlaps = touches;
    return all;
  }

  /// Of one ion that is to come, or goes, with what its own images do to it.
  __device__ double energy_of(const float3& at, int species, int skip, bool* overlaps) {
    const float charge_e = model.species[species].charge_e;
    const Trial trial[1] = {{at, species, 1.0f}};
    return change(trial, skip, -1, overlaps) + double(0.5f * charge_e * charge_e * model.own_images_kT_e);
  }

  /// Of the set [kT].
  __device__ double energy_of_set() {
    double part = 0.0;
    bool overlaps = false;
    for (int i = int(threadIdx.x); i < count; i += int(blockDim.x)) {
      const float4 ion = ions[i];
      const float3 at = place_of(ion);
      const SpeciesOnDevice one = shared.species[species_of(ion)];
      float alone = 0.5f * one.charge_e * one.charge_e * model.own_images_kT_e, pairs = 0.0f;
      if (model.field.quads != nullptr) alone += one.charge_e * field_at(at).value;
      for_spheres(at, 0, 1,
                  [&](const float4& sphere) { alone += by_sphere(at, one.radius_A, sphere).energy_kT; });
      for (int j = 0; j < count; ++j)
        if (j != i) pairs += pair<false>(at, one, ions[j]).energy_kT;
      part += double(alone) + 0.5 * double(pairs);
    }
    return total(part, &overlaps);
  }

  /// The force on an ion [kT/A] by every `lanes`-th of all that act on it, from `lane` on.
  __device__ float3 part_of_force(int i, int lane, int lanes) const {
    const float4 ion = ions[i];
    const float3 at = place_of(ion);
    const SpeciesOnDevice one = shared.species[species_of(ion)];
    float3 force{};
    const auto add = [&force](const PairResult& by) {
      force.x += by.along * by.d_A.x + by.by_images.x;
      force.y += by.along * by.d_A.y + by.by_images.y;
      force.z += by.along * by.d_A.z + by.by_images.z;
    };
    for (int j = lane; j < count; j += lanes)
      if (j != i) add(pair<true>(at, one, ions[j]));
    for_spheres(at, lane, lanes, [&](const float4& sphere) { add(by_sphere(at, one.radius_A, sphere)); });
    if (lane == 0 && model.field.quads != nullptr) {
      const InterpolatedPotential potential = field_at(at);
      force.x -= one.charge_e * model.frame.slope_per_A[0] * potential.by_x;
      force.y -= one.charge_e * model.frame.slope_per_A[1] * potential.by_y;
      force.z -= one.charge_e * model.frame.slope_per_A[2] * potential.by_z;
    }
    return force;
  }
};

/// A coordinate as the box has it (IonSet::in_box).
template <bool periodic>
__device__ float in_box(float x, float half) {
  if (x >= -half && x <= half && !(periodic && x == half)) return x;
  const float length = 2.0f * half;
  if constexpr (periodic) {
    const float at = x - length * floorf((x + half) / length);
    return at < half && at >= -half ? at : -half;
  }
  float r = fmodf(fabsf(x + half), 2.0f * length);
  if (r > length) r = 2.0f * length - r;
  return fminf(fmaxf(r - half, -half), half);
}

}  // namespace ionwell::gpu
