#include "search.hpp"

#include <cooperative_groups.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "device_buffer.hpp"
#include "launch.hpp"
#include "tighten.cuh"

namespace ionwell::gpu {
namespace {

namespace groups = cooperative_groups;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::uint32_t no_cube = 0xffffffffu;
constexpr std::int64_t no_index = std::numeric_limits<std::int64_t>::max();

/// Single cubes, for widen.hpp.
struct ScalarMath {
  using Real = float;
  using Mask = bool;

  __device__ static float broadcast(float x) { return x; }
  __device__ static float absolute(float x) { return fabsf(x); }
  __device__ static float smaller(float a, float b) { return fminf(a, b); }
  __device__ static float larger(float a, float b) { return fmaxf(a, b); }
  __device__ static float inverse_sqrt(float x) { return fast_inverse_sqrt(x); }
  __device__ static float exp_of_negative(float x) { return fast_exp2(fmaxf(x * 1.44269504f, -126.0f)); }
  __device__ static bool any(bool mask) { return mask; }
};

/// Energies this near to each other count as equal and the lower index wins, as on the CPU.
__device__ inline double tie_tolerance_kT(double energy_kT) {
  return 1e-11 * fabs(energy_kT);
}

struct Best {
  float bound_kT;
  std::uint32_t cube;
};

__device__ inline Best better(Best a, Best b) {
  if (a.bound_kT != b.bound_kT) return a.bound_kT < b.bound_kT ? a : b;
  return a.cube < b.cube ? a : b;
}

struct SumWorkspace {
  WarpWorkspace warp[search_warps];
  float magnitude[search_warps];
};

struct ExactWorkspace {
  Candidate candidate[most_sorted];
  double exact_kT[most_sorted];
  std::uint16_t order[most_sorted];
  Vec3<double> position_A[exact_at_once];
  double sum[search_warps][exact_at_once];
  double total[exact_at_once];
  std::uint16_t chosen[exact_at_once];
  int chosen_count, next;
  double lowest_kT;
};

struct SearchWorkspace {
  union {
    SumWorkspace sum;
    ExactWorkspace exact;
  };
  Best best[search_warps];
  Best mine;  // the best cube of this thread block
  double upper[search_warps];
  float lowest[search_warps];
  int before[search_warps];
  double upper_kT;      // of all thread blocks, at the last meeting
  double own_upper_kT;  // of this one
  float lowest_kT;
  int rank;
  std::uint32_t opened;  // cubes opened by this thread block
  LowestHere here;
};

/// Adds ions [ions_in, ions) to a slot's values and tightens its bounds; by a thread block, which gets
/// `here`.
template <Kind kind>
__device__ void bring_up_to_date(const SearchArrays& arrays, std::int64_t slot, std::uint32_t ions,
                                 bool changed, SumWorkspace& workspace, LowestHere& here) {
  const int warp = int(threadIdx.x) / warp_size, lane = int(threadIdx.x) % warp_size;
  const std::uint32_t first = arrays.ions_in[slot];
  const std::int64_t number = arrays.blocks.numbers[slot];
  float magnitude = 0.0f;
  if (first < ions) {
    const LatticeGeometry& lattice = arrays.blocks.lattice;
    sum_any_block<kind>(lattice, number, arrays.ions, std::int64_t(first) + warp * warp_size, ions,
                        search_threads, arrays.pair, workspace.warp[warp], [](int, double) {});
    const BlockFrameD frame = frame_of_block(lattice, number);
    const Vec3<double> centre = block_centre_A(frame, lattice.spacing_A);
    const float slack = block_slack_A(lattice.spacing_A);
    for (std::uint32_t i = first + threadIdx.x; i < ions; i += search_threads)
      magnitude += magnitude_term(arrays.pair, centre, slack, arrays.ion_clearance_A[i], arrays.ions[i]);
    magnitude = warp_sum(magnitude);
    if (lane == 0) workspace.magnitude[warp] = magnitude;
    __syncthreads();
    // Lanes keep their points in the order of the layout.
    const BlockLayout layout = BlockLayout::of(lattice, frame.first_point);
    const int length = layout.along > 4 ? 8 : (layout.along > 2 ? 4 : layout.along);
    float* values = arrays.blocks.values + block_points * slot;
    for (int n = int(threadIdx.x); n < columns * length * warp_size; n += search_threads) {
      double sum = 0.0;
      for (int w = 0; w < search_warps; ++w) {
        const TwoFloat total = workspace.warp[w].total[n];
        sum += double(total.high) + double(total.low);
      }
      const int of_lane = n % warp_size, column = n / warp_size / length;
      const int p = layout.point(n / warp_size % length, of_lane % block_edge,
                                 of_lane / block_edge + block_edge / columns * column);
      values[p] = float(double(values[p]) + sum);
    }
    __syncthreads();
  }
  if (warp == 0) {
    float added = 0.0f;
    if (first < ions) {
      for (int w = 0; w < search_warps; ++w) added += workspace.magnitude[w];
      added *= float(rounding_of_direct_sum * (1 + 1e-5));
    }
    const LowestHere found = tighten(arrays, slot, added, changed || first < ions);
    if (lane == 0) {
      here = found;
      arrays.ions_in[slot] = ions;
    }
  }
  __syncthreads();
}

/// Where the points within the reach of an ion begin and how many blocks of them there are, by axis.
__device__ inline void blocks_around(double origin, double spacing, std::int64_t blocks, double x,
                                     double reach, std::int64_t& first, int& count) {
  const double edge = block_edge * spacing, most = double(blocks - 1);
  const double from = fmin(fmax(floor((x - reach - origin) / edge) - 1, 0.0), most);
  const double to = fmin(fmax(floor((x + reach - origin) / edge) + 1, 0.0), most);
  first = std::int64_t(from);
  count = int(to - from) + 1;
}

/// A warp to a block near the ion; `warp` of `warps` in the grid.
__device__ void exclude_ion(const SearchArrays& arrays, const Vec3<double>& ion_A, double limit_A2,
                            std::int64_t warp, std::int64_t warps) {
  if (!(limit_A2 >= 0.0)) return;
  const int lane = int(threadIdx.x) % warp_size;
  const LatticeGeometry& lattice = arrays.blocks.lattice;
  const double reach = sqrt(limit_A2) * (1 + 1e-12);
  Vec3<std::int64_t> first;
  int nx, ny, nz;
  blocks_around(lattice.origin_A.x, lattice.spacing_A.x, arrays.block_counts.x, ion_A.x, reach, first.x, nx);
  blocks_around(lattice.origin_A.y, lattice.spacing_A.y, arrays.block_counts.y, ion_A.y, reach, first.y, ny);
  blocks_around(lattice.origin_A.z, lattice.spacing_A.z, arrays.block_counts.z, ion_A.z, reach, first.z, nz);
  for (std::int64_t n = warp; n < std::int64_t(nx) * ny * nz; n += warps) {
    const std::int64_t number =
        first.x + n % nx +
        arrays.block_counts.x *
            (first.y + n / nx % ny + arrays.block_counts.y * (first.z + n / (std::int64_t(nx) * ny)));
    std::uint64_t* words = arrays.mask + mask_words * number;
    const BlockFrameD frame = frame_of_block(lattice, number);
    const std::uint32_t before = load_mask(words, lane);
    const std::uint32_t after =
        exclude_sphere(before, frame.first_A, lattice.spacing_A, ion_A, limit_A2, lane);
    __syncwarp();
    if (__any_sync(full_warp, before != after)) store_mask(words, lane, after);
  }
}

/// The ion of this number; the newest one comes with the task.
__device__ inline IonOnDevice ion_of(const SearchArrays& arrays, const SearchTask& task, std::uint32_t i) {
  if (i == task.new_ion) return task.ion;
  return {arrays.ions[i], arrays.ion_limit_A2[i], arrays.ion_clearance_A[i]};
}

/// Widens a cube by ions [first, task.ions). An empty cube has lowest > highest.
__device__ WidenedBounds<ScalarMath> widen_cube(const SearchArrays& arrays, const SearchTask& task,
                                                std::uint32_t first, std::int64_t cube) {
  const auto get = [&](CubeMember m) { return arrays.cubes.member[int(m)][cube]; };
  const ValueBounds<ScalarMath> values{get(CubeMember::range_lowest),  get(CubeMember::range_highest),
                                       get(CubeMember::plane_lowest),  get(CubeMember::plane_highest),
                                       get(CubeMember::plane_slope_x), get(CubeMember::plane_slope_y),
                                       get(CubeMember::plane_slope_z)};
  if (!(values.range_lowest <= values.range_highest)) return {float_infinity, -float_infinity};
  Widening<ScalarMath> sum{get(CubeMember::shift_lowest), get(CubeMember::shift_highest),
                           get(CubeMember::slope_x),      get(CubeMember::slope_y),
                           get(CubeMember::slope_z),      get(CubeMember::xx),
                           get(CubeMember::yy),           get(CubeMember::zz),
                           get(CubeMember::xy),           get(CubeMember::xz),
                           get(CubeMember::yz),           get(CubeMember::remainder)};
  if (first < task.ions) {
    const float x = get(CubeMember::x), y = get(CubeMember::y), z = get(CubeMember::z);
    const Vec3<double>& origin = arrays.blocks.lattice.origin_A;
    for (std::uint32_t i = first; i < task.ions; ++i) {
      const IonOnDevice ion = ion_of(arrays, task, i);
      const Vec3<double>& at = ion.charge.position_A;
      sum.add_ion(arrays.frame, float(ion.charge.charge_e), ion.clearance_A, x - float(at.x - origin.x),
                  y - float(at.y - origin.y), z - float(at.z - origin.z), true);
    }
    const auto put = [&](CubeMember m, float v) { arrays.cubes.member[int(m)][cube] = v; };
    put(CubeMember::shift_lowest, sum.low);
    put(CubeMember::shift_highest, sum.high);
    put(CubeMember::slope_x, sum.slope_x);
    put(CubeMember::slope_y, sum.slope_y);
    put(CubeMember::slope_z, sum.slope_z);
    put(CubeMember::xx, sum.xx);
    put(CubeMember::yy, sum.yy);
    put(CubeMember::zz, sum.zz);
    put(CubeMember::xy, sum.xy);
    put(CubeMember::xz, sum.xz);
    put(CubeMember::yz, sum.yz);
    put(CubeMember::remainder, sum.remainder);
  }
  return widened(arrays.frame, values, sum);
}

/// The lowest energy that an ion of this charge may have between two potentials, rounded down.
__device__ inline float energy_bound_kT(double charge_e, float lowest, float highest) {
  if (!(lowest <= highest)) return float_infinity;
  return __double2float_rd(charge_e * double(charge_e > 0.0 ? lowest : highest));
}

/// Brings the cubes of a tile up to date; by a warp.
__device__ void refresh_tile(const SearchArrays& arrays, const SearchTask& task, std::int64_t tile) {
  const int lane = int(threadIdx.x) % warp_size;
  const std::int64_t cube = tile * tile_cubes + lane;
  const std::uint32_t first = arrays.tiles[tile].ions;
  WidenedBounds<ScalarMath> bounds{float_infinity, -float_infinity};
  if (arrays.slot_of_cube(cube) < arrays.blocks.count) bounds = widen_cube(arrays, task, first, cube);
  arrays.bound_kT[cube] = energy_bound_kT(task.charge_e, bounds.lowest, bounds.highest);
  const float lowest = warp_min(bounds.lowest), highest = warp_max(bounds.highest);
  __syncwarp();
  if (lane == 0) {
    Tile& t = arrays.tiles[tile];
    t.lowest = lowest;
    t.highest = highest;
    t.ions = task.ions;
    arrays.tile_bound_kT[tile] = float_infinity;
  }
  __syncwarp();
}

/// Widens a tile's own bounds by ions that it does not contain yet, as if all of the ion's potential between
/// its nearest and its farthest point could be at the lowest one.
__device__ void widen_tile(const SearchArrays& arrays, const SearchTask& task, Tile& tile) {
  const Vec3<double>& origin = arrays.blocks.lattice.origin_A;
  for (std::uint32_t i = task.bounded; i < task.ions; ++i) {
    const IonOnDevice ion = ion_of(arrays, task, i);
    const float at[3] = {float(ion.charge.position_A.x - origin.x), float(ion.charge.position_A.y - origin.y),
                         float(ion.charge.position_A.z - origin.z)};
    float nearest2 = 0.0f, farthest2 = 0.0f;
    for (int axis = 0; axis < 3; ++axis) {
      const float below = tile.lowest_A[axis] - at[axis], above = at[axis] - tile.highest_A[axis];
      constexpr float slack_A = 1e-3f;  // more than fp32 coordinates lose
      const float gap = fmaxf(fmaxf(below, above) - slack_A, 0.0f);
      const float reach = fmaxf(tile.highest_A[axis] - at[axis], at[axis] - tile.lowest_A[axis]);
      nearest2 += gap * gap;
      farthest2 += reach * reach;
    }
    const float least = fmaxf(ion.clearance_A * 0.99999f, float(smallest_distance_A));
    const float near2 = fmaxf(nearest2 * 0.9999f, least * least), far2 = fmaxf(farthest2 * 1.0001f, near2);
    const float over_near = fast_inverse_sqrt(near2), over_far = fast_inverse_sqrt(far2);
    const float charge = float(ion.charge.charge_e);
    const float strong = charge * radial<ScalarMath>(arrays.frame, near2 * over_near, over_near).value;
    const float weak = charge * radial<ScalarMath>(arrays.frame, far2 * over_far, over_far).value;
    const float rest = widen_rounding * fabsf(strong);
    tile.lowest = __fadd_rd(tile.lowest, __fsub_rd(fminf(strong, weak), rest));
    tile.highest = __fadd_ru(tile.highest, __fadd_ru(fmaxf(strong, weak), rest));
  }
}

/// Marks the number of a tile among those of cubes.
constexpr std::uint32_t tile_mark = 0x80000000u;

/// The best of this thread's cubes and tiles among those that are left.
__device__ Best best_of_thread(const SearchArrays& arrays, std::int64_t first, std::int64_t last) {
  const int lane = int(threadIdx.x) % warp_size;
  Best best{float_infinity, no_cube};
  for (std::int64_t t = first + threadIdx.x / warp_size; t < last; t += search_warps) {
    const float of_tile = arrays.tile_bound_kT[t];
    if (of_tile == float_infinity)
      best = better(best, {arrays.bound_kT[t * tile_cubes + lane], std::uint32_t(t * tile_cubes + lane)});
    else if (lane == 0)
      best = better(best, {of_tile, std::uint32_t(t) | tile_mark});
  }
  return best;
}

__device__ void find_best(Best of_thread, SearchWorkspace& workspace) {
  for (int d = 16; d > 0; d /= 2) {
    const Best other{__shfl_xor_sync(full_warp, of_thread.bound_kT, d),
                     __shfl_xor_sync(full_warp, of_thread.cube, d)};
    of_thread = better(of_thread, other);
  }
  if (threadIdx.x % warp_size == 0) workspace.best[threadIdx.x / warp_size] = of_thread;
  __syncthreads();
  if (threadIdx.x == 0) {
    Best best = workspace.best[0];
    for (int w = 1; w < search_warps; ++w) best = better(best, workspace.best[w]);
    workspace.mine = best;
  }
  __syncthreads();
}

/// Reads what all thread blocks published: the least upper bound, the lowest energy left, and how many have a
/// better cube than this one.
__device__ void read_published(const Published* published, int parts, SearchWorkspace& workspace) {
  double upper = infinity;
  float lowest = float_infinity;
  int before = 0;
  const float mine = workspace.mine.bound_kT;
  for (int p = int(threadIdx.x); p < parts; p += search_threads) {
    const double other_upper = __ldcg(&published[p].upper_kT);
    const float other = __ldcg(&published[p].bound_kT);
    upper = fmin(upper, other_upper);
    lowest = fminf(lowest, other);
    before += other < mine || (other == mine && p < int(blockIdx.x));
  }
  upper = reduce_warp(upper, [](double a, double b) { return fmin(a, b); });
  lowest = warp_min(lowest);
  before = warp_sum(before);
  if (threadIdx.x % warp_size == 0) {
    const int warp = int(threadIdx.x) / warp_size;
    workspace.upper[warp] = upper;
    workspace.lowest[warp] = lowest;
    workspace.before[warp] = before;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < search_warps; ++w) {
      upper = fmin(upper, workspace.upper[w]);
      lowest = fminf(lowest, workspace.lowest[w]);
      before += workspace.before[w];
    }
    workspace.upper_kT = upper;
    workspace.lowest_kT = lowest;
    workspace.rank = before;
  }
  __syncthreads();
}

/// Puts the points of an opened cube that may have the lowest energy on the list; by a warp.
__device__ void collect(const SearchArrays& arrays, const SearchTask& task, std::int64_t slot,
                        double upper_kT) {
  const int lane = int(threadIdx.x) % warp_size;
  const std::int64_t number = arrays.blocks.numbers[slot];
  const std::uint32_t mine = load_mask(arrays.mask + mask_words * number, lane);
  const float* values = arrays.blocks.values + block_points * slot;
  const double error_kT = arrays.refine ? fabs(task.charge_e) * double(arrays.error_kT_e[slot]) : 0.0;
  const BlockFrameD frame = frame_of_block(arrays.blocks.lattice, number);
  const auto index_of = [&](int n) {
    return arrays.blocks.lattice.index(frame.first_point.x + lane % block_edge,
                                       frame.first_point.y + lane / block_edge + 4 * (n % 2),
                                       frame.first_point.z + n / 2);
  };
  unsigned in_running = 0;
#pragma unroll
  for (int n = 0; n < 2 * mask_words; ++n)
    if (mine >> n & 1 && task.charge_e * double(values[warp_size * n + lane]) - error_kT <= upper_kT)
      in_running |= 1u << n;
  const auto append = [&](bool wanted, double energy_kT, std::int64_t index) {
    const unsigned lanes = __ballot_sync(full_warp, wanted);
    if (lanes == 0) return;
    std::uint32_t at = 0;
    if (lane == 0) at = atomicAdd(&arrays.control->candidates, std::uint32_t(__popc(lanes)));
    at = __shfl_sync(full_warp, at, 0) + std::uint32_t(__popc(lanes & ((1u << lane) - 1)));
    if (wanted && at < arrays.candidate_room) arrays.candidates[at] = {energy_kT, error_kT, index};
  };
  if (error_kT == 0.0) {  // the values decide: one of them is enough
    double energy = infinity;
    std::int64_t index = no_index;
#pragma unroll
    for (int n = 0; n < 2 * mask_words; ++n)
      if (in_running >> n & 1) {
        const double e = task.charge_e * double(values[warp_size * n + lane]);
        const std::int64_t i = index_of(n);
        if (e < energy || (e == energy && i < index)) {
          energy = e;
          index = i;
        }
      }
    for (int d = 16; d > 0; d /= 2) {
      const double e = __shfl_xor_sync(full_warp, energy, d);
      const std::int64_t i = __shfl_xor_sync(full_warp, static_cast<long long>(index), d);
      if (e < energy || (e == energy && i < index)) {
        energy = e;
        index = i;
      }
    }
    append(lane == 0 && energy < infinity, energy, index);
    return;
  }
  constexpr int many = 32;
  if (arrays.multilevel && arrays.direct[slot] == 0 && warp_sum(__popc(in_running)) > many) {
    if (lane == 0) arrays.crowded_slots[atomicAdd(&arrays.control->crowded, 1u)] = std::int32_t(slot);
    return;
  }
#pragma unroll 1
  for (int n = 0; n < 2 * mask_words; ++n)
    append(in_running >> n & 1, task.charge_e * double(values[warp_size * n + lane]), index_of(n));
}

template <Kind kind>
__device__ inline double exact_term(const PairPotential& pair, const PointCharge& charge,
                                    const Vec3<double>& at) {
  const double x = charge.position_A.x - at.x, y = charge.position_A.y - at.y, z = charge.position_A.z - at.z;
  constexpr double smallest2 = smallest_distance_A * smallest_distance_A;
  const double r2 = fmax(x * x + y * y + z * z, smallest2);
  if constexpr (kind == Kind::distance_dependent) return charge.charge_e / r2;
  const double inverse = rsqrt(r2);
  if constexpr (kind == Kind::coulomb) return charge.charge_e * inverse;
  return charge.charge_e * inverse * exp(-pair.kappa_per_A * (r2 * inverse));
}

/// Sums of one part of the charges and ions at `count` positions, to `sums`; by a thread block.
template <Kind kind>
__device__ void sum_part(const SearchArrays& arrays, std::uint32_t ions, int part, int count,
                         ExactWorkspace& workspace, double* sums) {
  double sum[exact_at_once] = {};
  const auto add = [&](const PointCharge* charges, std::int64_t all) {
    const std::int64_t last = all * (part + 1) / exact_parts;
    for (std::int64_t i = all * part / exact_parts + threadIdx.x; i < last; i += search_threads) {
      const PointCharge charge = charges[i];
#pragma unroll
      for (int n = 0; n < exact_at_once; ++n)
        if (n < count) sum[n] += exact_term<kind>(arrays.pair, charge, workspace.position_A[n]);
    }
  };
  add(arrays.charges, arrays.charge_count);
  add(arrays.ions, ions);
  const int warp = int(threadIdx.x) / warp_size, lane = int(threadIdx.x) % warp_size;
#pragma unroll
  for (int n = 0; n < exact_at_once; ++n)
    if (n < count) {
      sum[n] = reduce_warp(sum[n], [](double a, double b) { return a + b; });
      if (lane == 0) workspace.sum[warp][n] = sum[n];
    }
  __syncthreads();
  if (int(threadIdx.x) < count) {
    double total = 0.0;
    for (int w = 0; w < search_warps; ++w) total += workspace.sum[w][threadIdx.x];
    sums[threadIdx.x] = total;
  }
  __syncthreads();
}

/// Adds up the parts' sums for `count` positions; by a thread block, a warp to a position.
__device__ void add_parts(const double* partial, int count, double prefactor, ExactWorkspace& workspace) {
  const int warp = int(threadIdx.x) / warp_size, lane = int(threadIdx.x) % warp_size;
  if (warp < count) {
    double sum = 0.0;
    for (int p = lane; p < exact_parts; p += warp_size) sum += __ldcg(partial + p * exact_at_once + warp);
    sum = reduce_warp(sum, [](double a, double b) { return a + b; });
    if (lane == 0) workspace.total[warp] = prefactor * sum;
  }
  __syncthreads();
}

/// Chooses the next candidates to sum: in the order of their energies, those that may still be the lowest.
__device__ void choose_next(int candidates, ExactWorkspace& w) {
  if (threadIdx.x == 0) {
    w.chosen_count = 0;
    for (; w.next < candidates && w.chosen_count < exact_at_once; ++w.next) {
      const Candidate& c = w.candidate[w.order[w.next]];
      if (c.energy_kT - c.error_kT > w.lowest_kT + tie_tolerance_kT(w.lowest_kT)) continue;
      w.chosen[w.chosen_count++] = w.order[w.next];
    }
  }
  __syncthreads();
}

__device__ inline double device_seconds() {
  unsigned long long ns;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(ns));
  return 1e-9 * double(ns);
}

template <Kind kind>
__global__ void __launch_bounds__(search_threads, 2)
    search_kernel(const SearchArrays arrays, const SearchTask task, SearchResult* result) {
  extern __shared__ char shared[];
  SearchWorkspace& workspace = *reinterpret_cast<SearchWorkspace*>(shared);
  const auto everybody = groups::this_grid();
  const bool first_block = blockIdx.x == 0, first_thread = threadIdx.x == 0;
  const int warp = int(threadIdx.x) / warp_size;
  const double start_s = first_block && first_thread ? device_seconds() : 0.0;

  // 1. What the new ions change: the mask around them, and all bounds.
  if (first_block && first_thread) {
    if (task.new_ion < task.ions) {
      arrays.ions[task.new_ion] = task.ion.charge;
      arrays.ion_limit_A2[task.new_ion] = task.ion.limit_A2;
      arrays.ion_clearance_A[task.new_ion] = task.ion.clearance_A;
    }
    *arrays.control = {};
  }
  for (std::uint32_t i = task.masked; i < task.ions; ++i) {
    const IonOnDevice ion = ion_of(arrays, task, i);
    // Two ions may be near the same block: one after the other.
    if (i > task.masked) everybody.sync();
    exclude_ion(arrays, ion.charge.position_A, ion.limit_A2, warp + std::int64_t(search_warps) * blockIdx.x,
                std::int64_t(search_warps) * gridDim.x);
  }
  const std::int64_t first = arrays.cubes_per_part * blockIdx.x;
  const std::int64_t first_tile = first / tile_cubes,
                     last_tile = first_tile + arrays.cubes_per_part / tile_cubes;
  for (std::int64_t t = first_tile + warp; t < last_tile; t += search_warps) {
    Tile tile = arrays.tiles[t];
    __syncwarp();  // all have read it before one writes
    widen_tile(arrays, task, tile);
    const float bound = energy_bound_kT(task.charge_e, tile.lowest, tile.highest);
    // So that no tile ever lacks many ions; not all of them catch up in the same search.
    constexpr std::uint32_t patience = 16;
    const bool lags = task.ions - tile.ions >= patience + std::uint32_t(t) % patience;
    if (double(bound) <= task.guess_kT || lags) {
      refresh_tile(arrays, task, t);
    } else if (threadIdx.x % warp_size == 0) {
      arrays.tiles[t].lowest = tile.lowest;
      arrays.tiles[t].highest = tile.highest;
      arrays.tile_bound_kT[t] = bound;
    }
    __syncwarp();
  }
  Best best = best_of_thread(arrays, first_tile, last_tile);
  if (first_thread) {
    workspace.own_upper_kT = infinity;
    workspace.opened = 0;
  }
  find_best(best, workspace);
  const auto publish = [&](std::uint32_t round) {
    if (first_thread)
      arrays.published[(round % 2) * gridDim.x + blockIdx.x] = {workspace.own_upper_kT,
                                                                workspace.mine.bound_kT, 0};
  };
  publish(0);
  everybody.sync();

  // 2. Open blocks, the best ones first, until what is left cannot hold a lower energy.
  std::uint32_t round = 0;
  for (;; ++round) {
    read_published(arrays.published + (round % 2) * gridDim.x, int(gridDim.x), workspace);
    if (!(workspace.lowest_kT < float_infinity) || double(workspace.lowest_kT) > workspace.upper_kT) break;
    // The first few say what the lowest energy is about; then each thread block opens what may be lower.
    constexpr int at_first = 16, most_at_once = 64;
    const int open_now = round == 0 ? 1 : min(4 << min(round - 1, 4u), most_at_once);
    const bool may_open = round > 0 || workspace.rank < at_first;
    const double upper_kT = workspace.upper_kT;
    for (int n = 0; may_open && n < open_now; ++n) {
      const Best mine = workspace.mine;
      if (!(mine.bound_kT < float_infinity) || double(mine.bound_kT) > fmin(upper_kT, workspace.own_upper_kT))
        break;
      if ((mine.cube & tile_mark) != 0 && mine.cube != no_cube) {
        const std::int64_t tile = mine.cube & ~tile_mark;
        if ((tile - first_tile) % search_warps == warp) {
          refresh_tile(arrays, task, tile);
          best = best_of_thread(arrays, first_tile, last_tile);
        }
        __syncthreads();
        find_best(best, workspace);
        continue;
      }
      const std::int64_t slot = arrays.slot_of_cube(mine.cube);
      if (first_thread && arrays.ions_in[slot] < task.ions) atomicAdd(&arrays.control->blocks_updated, 1u);
      __syncthreads();
      bring_up_to_date<kind>(arrays, slot, task.ions, false, workspace.sum, workspace.here);
      if (first_thread) {
        const LowestHere& here = workspace.here;
        const double value = double(task.charge_e > 0.0 ? here.lowest : here.highest);
        const double error = arrays.refine ? fabs(task.charge_e) * double(here.error_kT_e) : 0.0;
        if (here.lowest <= here.highest)
          workspace.own_upper_kT = fmin(workspace.own_upper_kT, task.charge_e * value + error);
        arrays.opened[first + workspace.opened++] = mine.cube;
      }
      if ((mine.cube - std::uint32_t(first)) % search_threads == threadIdx.x) {
        arrays.bound_kT[mine.cube] = float_infinity;
        best = best_of_thread(arrays, first_tile, last_tile);
      }
      __syncthreads();
      find_best(best, workspace);
    }
    publish(round + 1);
    everybody.sync();
  }

  // 3. The points that the lattice's error leaves in the running.
  const double upper_kT = workspace.upper_kT;
  for (std::uint32_t n = std::uint32_t(warp); n < workspace.opened; n += search_warps)
    collect(arrays, task, arrays.slot_of_cube(arrays.opened[first + n]), upper_kT);
  everybody.sync();
  const std::uint32_t candidates = __ldcg(&arrays.control->candidates),
                      crowded = __ldcg(&arrays.control->crowded);
  const auto report = [&](SearchStatus status, std::int64_t index, double potential_kT_e,
                          std::uint32_t sums) {
    if (!first_block || !first_thread) return;
    result->index = index;
    result->potential_kT_e = potential_kT_e;
    result->upper_kT = upper_kT;
    result->status = status;
    result->rounds = round;
    result->blocks_updated = __ldcg(&arrays.control->blocks_updated);
    result->candidates = candidates;
    result->exact_sums = sums;
    result->crowded = crowded;
    result->device_s = device_seconds() - start_s;
    __threadfence_system();
    result->sequence = task.sequence;
  };
  if (crowded > 0) return report(SearchStatus::crowded, 0, 0.0, 0);
  if (candidates == 0) return report(SearchStatus::nothing_available, 0, 0.0, 0);
  if (candidates > most_sorted) return report(SearchStatus::many_candidates, 0, 0.0, 0);

  // 4. Their fp64 sums, eight at a time, and the lowest of them.
  ExactWorkspace& exact = workspace.exact;
  __syncthreads();
  for (std::uint32_t i = threadIdx.x; i < candidates; i += search_threads) {
    exact.candidate[i].energy_kT = __ldcg(&arrays.candidates[i].energy_kT);
    exact.candidate[i].error_kT = __ldcg(&arrays.candidates[i].error_kT);
    exact.candidate[i].index = __ldcg(reinterpret_cast<const long long*>(&arrays.candidates[i].index));
    exact.exact_kT[i] = infinity;
  }
  if (first_thread) {
    exact.lowest_kT = infinity;
    exact.next = 0;
  }
  __syncthreads();
  for (std::uint32_t i = threadIdx.x; i < candidates; i += search_threads) {
    const Candidate c = exact.candidate[i];
    int rank = 0;
    for (std::uint32_t j = 0; j < candidates; ++j) {
      const Candidate& other = exact.candidate[j];
      rank += other.energy_kT < c.energy_kT || (other.energy_kT == c.energy_kT && other.index < c.index);
    }
    exact.order[rank] = std::uint16_t(i);
  }
  __syncthreads();
  if (!arrays.refine) {
    const Candidate& best_by_lattice = exact.candidate[exact.order[0]];
    return report(SearchStatus::found, best_by_lattice.index, best_by_lattice.energy_kT / task.charge_e, 0);
  }
  std::uint32_t sums = 0;
  for (int turn = 0;; ++turn) {
    choose_next(int(candidates), exact);
    const int count = exact.chosen_count;
    if (count == 0) break;
    if (int(threadIdx.x) < count)
      exact.position_A[threadIdx.x] =
          arrays.blocks.lattice.position_A(exact.candidate[exact.chosen[threadIdx.x]].index);
    __syncthreads();
    double* partial = arrays.partial + (turn % 2) * exact_parts * exact_at_once;
    for (int part = int(blockIdx.x); part < exact_parts; part += int(gridDim.x))
      sum_part<kind>(arrays, task.ions, part, count, exact, partial + part * exact_at_once);
    everybody.sync();
    add_parts(partial, count, arrays.pair.prefactor, exact);
    if (first_thread)
      for (int n = 0; n < count; ++n) {
        const double energy_kT = task.charge_e * exact.total[n];
        exact.exact_kT[exact.chosen[n]] = energy_kT;
        exact.lowest_kT = fmin(exact.lowest_kT, energy_kT);
      }
    sums += std::uint32_t(count);
    __syncthreads();
  }
  if (!first_block || !first_thread) return;
  std::int64_t index = no_index;
  double energy_kT = 0.0;
  for (std::uint32_t i = 0; i < candidates; ++i)
    if (exact.exact_kT[i] <= exact.lowest_kT + tie_tolerance_kT(exact.lowest_kT) &&
        exact.candidate[i].index < index) {
      index = exact.candidate[i].index;
      energy_kT = exact.exact_kT[i];
    }
  report(SearchStatus::found, index, energy_kT / task.charge_e, sums);
}

template <typename Kernel>
Kernel* of_kind(PairPotential::Kind kind, Kernel* coulomb, Kernel* distance_dependent,
                Kernel* debye_hueckel) {
  if (kind == Kind::coulomb) return coulomb;
  return kind == Kind::distance_dependent ? distance_dependent : debye_hueckel;
}

auto search_kernel_of(PairPotential::Kind kind) {
  auto* kernel = of_kind(kind, search_kernel<Kind::coulomb>, search_kernel<Kind::distance_dependent>,
                         search_kernel<Kind::debye_hueckel>);
  check(
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(sizeof(SearchWorkspace))),
      "setting up the search");
  return kernel;
}

__global__ void exclude_ion_kernel(const SearchArrays arrays, std::uint32_t ion) {
  const std::int64_t warp = (std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x) / warp_size;
  exclude_ion(arrays, arrays.ions[ion].position_A, arrays.ion_limit_A2[ion], warp,
              std::int64_t(gridDim.x) * blockDim.x / warp_size);
}

__global__ void place_cubes_kernel(const SearchArrays arrays) {
  const std::int64_t cube = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (cube >= arrays.cubes_per_part * arrays.parts) return;
  const std::int64_t slot = arrays.slot_of_cube(cube);
  if (slot >= arrays.blocks.count) return;
  const LatticeGeometry& lattice = arrays.blocks.lattice;
  const BlockFrameD frame = frame_of_block(lattice, arrays.blocks.numbers[slot]);
  const Vec3<double> centre = block_centre_A(frame, lattice.spacing_A) - lattice.origin_A;
  arrays.cubes.member[int(CubeMember::x)][cube] = float(centre.x);
  arrays.cubes.member[int(CubeMember::y)][cube] = float(centre.y);
  arrays.cubes.member[int(CubeMember::z)][cube] = float(centre.z);
}

/// A warp to a tile.
__global__ void place_tiles_kernel(const SearchArrays arrays) {
  const std::int64_t tile = (std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x) / warp_size;
  if (tile * tile_cubes >= arrays.cubes_per_part * arrays.parts) return;
  const int lane = int(threadIdx.x) % warp_size;
  const std::int64_t cube = tile * tile_cubes + lane;
  const bool exists = arrays.slot_of_cube(cube) < arrays.blocks.count;
  const float half[3] = {arrays.frame.hx, arrays.frame.hy, arrays.frame.hz};
  Tile t{};
  for (int axis = 0; axis < 3; ++axis) {
    const float x = exists ? arrays.cubes.member[int(CubeMember::x) + axis][cube] : 0.0f;
    t.lowest_A[axis] = warp_min(exists ? x - half[axis] : float_infinity);
    t.highest_A[axis] = warp_max(exists ? x + half[axis] : -float_infinity);
  }
  if (lane == 0) arrays.tiles[tile] = t;
}

__global__ void reset_tiles_kernel(const SearchArrays arrays, std::uint32_t ions) {
  const std::int64_t tile = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (tile * tile_cubes < arrays.cubes_per_part * arrays.parts) arrays.tiles[tile].ions = ions;
}

__global__ void tighten_kernel(const SearchArrays arrays) {
  const std::int64_t slot = (std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x) / warp_size;
  if (slot < arrays.blocks.count) tighten(arrays, slot, 0.0f, true);
}

template <Kind kind>
__global__ void __launch_bounds__(search_threads, 2)
    bring_up_to_date_kernel(const SearchArrays arrays, const std::int32_t* slots, std::int64_t count,
                            std::uint32_t ions) {
  extern __shared__ char shared[];
  SearchWorkspace& workspace = *reinterpret_cast<SearchWorkspace*>(shared);
  for (std::int64_t n = blockIdx.x; n < count; n += gridDim.x) {
    const std::int64_t slot = slots != nullptr ? slots[n] : n;
    if (slots != nullptr || arrays.ions_in[slot] < ions)
      bring_up_to_date<kind>(arrays, slot, ions, slots != nullptr, workspace.sum, workspace.here);
  }
}

__global__ void add_error_kernel(const SearchArrays arrays, float error_kT_e) {
  const std::int64_t slot = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (slot < arrays.blocks.count) arrays.error_kT_e[slot] += error_kT_e;
}

__global__ void rounding_kernel(const SearchArrays arrays, const std::int32_t* slots, std::int64_t count,
                                double clearance_A) {
  const std::int64_t n = (std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x) / warp_size;
  if (n >= count) return;
  const int lane = int(threadIdx.x) % warp_size;
  const std::int64_t slot = slots != nullptr ? slots[n] : n;
  const LatticeGeometry& lattice = arrays.blocks.lattice;
  const Vec3<double> centre =
      block_centre_A(frame_of_block(lattice, arrays.blocks.numbers[slot]), lattice.spacing_A);
  const float slack = block_slack_A(lattice.spacing_A), clearance = float(clearance_A) * 0.99999f;
  double total = 0.0;
  for (std::int64_t c = lane; c < arrays.charge_count;) {
    float sum = 0.0f;
    for (int i = 0; i < 64 && c < arrays.charge_count; ++i, c += warp_size)
      sum += magnitude_term(arrays.pair, centre, slack, clearance, arrays.charges[c]);
    total += double(sum);
  }
  total = reduce_warp(total, [](double a, double b) { return a + b; });
  if (lane == 0) arrays.error_kT_e[slot] += float(rounding_of_direct_sum * total * (1 + 1e-5));
}

__global__ void forget_kernel(const SearchArrays arrays, const std::int32_t* slots, std::int64_t count) {
  const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= count * block_points) return;
  const std::int64_t slot = slots[i / block_points];
  arrays.blocks.values[block_points * slot + i % block_points] = 0.0f;
  if (i % block_points != 0) return;
  arrays.error_kT_e[slot] = 0.0f;
  arrays.ions_in[slot] = 0;
  arrays.direct[slot] = 1;
}

template <Kind kind>
__global__ void __launch_bounds__(search_threads)
    sum_exactly_kernel(const SearchArrays arrays, const std::int64_t* index, std::int64_t count,
                       std::uint32_t ions, double* exact) {
  __shared__ double of_warp[search_warps];
  for (std::int64_t n = blockIdx.x; n < count; n += gridDim.x) {
    const Vec3<double> at = arrays.blocks.lattice.position_A(index[n]);
    double sum = 0.0;
    for (std::int64_t i = threadIdx.x; i < arrays.charge_count; i += search_threads)
      sum += exact_term<kind>(arrays.pair, arrays.charges[i], at);
    for (std::int64_t i = threadIdx.x; i < ions; i += search_threads)
      sum += exact_term<kind>(arrays.pair, arrays.ions[i], at);
    sum = reduce_warp(sum, [](double a, double b) { return a + b; });
    if (threadIdx.x % warp_size == 0) of_warp[threadIdx.x / warp_size] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
      double total = 0.0;
      for (int w = 0; w < search_warps; ++w) total += of_warp[w];
      exact[n] = arrays.pair.prefactor * total;
    }
    __syncthreads();
  }
}

__global__ void count_available_kernel(const SearchArrays arrays, std::uint16_t* counts) {
  const std::int64_t slot = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (slot >= arrays.blocks.count) return;
  const std::uint64_t* words = arrays.mask + mask_words * std::int64_t(arrays.blocks.numbers[slot]);
  int count = 0;
  for (int w = 0; w < mask_words; ++w) count += __popcll(words[w]);
  counts[slot] = std::uint16_t(count);
}

__global__ void sample_kernel(const SearchArrays arrays, const Sample* samples, std::int64_t count,
                              std::int64_t* index, float* value) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= count) return;
  const std::int64_t slot = samples[n].slot, number = arrays.blocks.numbers[slot];
  const std::uint64_t* words = arrays.mask + mask_words * number;
  int p = samples[n].point;
  for (int tries = 0; tries < block_points && (words[p / 64] >> (p % 64) & 1) == 0; ++tries)
    p = (p + 1) % block_points;
  const Vec3<std::int64_t> first = frame_of_block(arrays.blocks.lattice, number).first_point;
  index[n] = arrays.blocks.lattice.index(first.x + p % block_edge, first.y + p / block_edge % block_edge,
                                         first.z + p / (block_edge * block_edge));
  value[n] = arrays.blocks.values[block_points * slot + p];
}

}  // namespace

int search_parts(PairPotential::Kind kind) {
  int device = 0, processors = 0, fit = 0;
  check(cudaGetDevice(&device), "looking at the device");
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device), "looking at the device");
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, search_kernel_of(kind), search_threads,
                                                      sizeof(SearchWorkspace)),
        "setting up the search");
  constexpr int most = 2;  // more of them would only have more to wait for
  if (fit < 1) fail("this GPU has not enough shared memory or registers for a search; use --backend cpu");
  return processors * std::min(fit, most);
}

void launch_search(const SearchArrays& arrays, const SearchTask& task, SearchResult* result,
                   cudaStream_t stream) {
  const void* kernel = reinterpret_cast<const void*>(of_kind(arrays.pair.kind, search_kernel<Kind::coulomb>,
                                                             search_kernel<Kind::distance_dependent>,
                                                             search_kernel<Kind::debye_hueckel>));
  void* arguments[] = {const_cast<SearchArrays*>(&arrays), const_cast<SearchTask*>(&task), &result};
  check(cudaLaunchCooperativeKernel(kernel, dim3(unsigned(arrays.parts)), dim3(search_threads), arguments,
                                    sizeof(SearchWorkspace), stream),
        "the search for the lowest point");
}

void exclude_ions(const SearchArrays& arrays, std::uint32_t first, std::uint32_t last, cudaStream_t stream) {
  constexpr unsigned enough = 64;
  for (std::uint32_t i = first; i < last; ++i)
    exclude_ion_kernel<<<enough, search_threads, 0, stream>>>(arrays, i);
  check_launch("the exclusion around ions");
}

void place_cubes(const SearchArrays& arrays, cudaStream_t stream) {
  place_cubes_kernel<<<blocks_for(arrays.cubes_per_part * arrays.parts), usual_threads, 0, stream>>>(arrays);
  place_tiles_kernel<<<blocks_for(arrays.cubes_per_part * arrays.parts), usual_threads, 0, stream>>>(arrays);
  check_launch("placing bounds");
}

void reset_tiles(const SearchArrays& arrays, std::uint32_t ions, cudaStream_t stream) {
  reset_tiles_kernel<<<blocks_for(arrays.cubes_per_part / tile_cubes * arrays.parts), usual_threads, 0,
                       stream>>>(arrays, ions);
  check_launch("resetting bounds");
}

void tighten_all(const SearchArrays& arrays, cudaStream_t stream) {
  tighten_kernel<<<blocks_for(arrays.blocks.count * warp_size), usual_threads, 0, stream>>>(arrays);
  check_launch("bounding blocks");
}

void bring_up_to_date(const SearchArrays& arrays, const std::int32_t* slots, std::int64_t count,
                      std::uint32_t ions, cudaStream_t stream) {
  auto* kernel = of_kind(arrays.pair.kind, bring_up_to_date_kernel<Kind::coulomb>,
                         bring_up_to_date_kernel<Kind::distance_dependent>,
                         bring_up_to_date_kernel<Kind::debye_hueckel>);
  check(
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(sizeof(SearchWorkspace))),
      "setting up the ions' sum");
  const std::int64_t grid = std::min<std::int64_t>(count, 1 << 16);
  if (grid > 0)
    kernel<<<unsigned(grid), search_threads, sizeof(SearchWorkspace), stream>>>(arrays, slots, count, ions);
  check_launch("the ions' sum");
}

void bring_all_up_to_date(const SearchArrays& arrays, std::uint32_t ions, cudaStream_t stream) {
  bring_up_to_date(arrays, nullptr, arrays.blocks.count, ions, stream);
}

void add_error(const SearchArrays& arrays, float error_kT_e, cudaStream_t stream) {
  add_error_kernel<<<blocks_for(arrays.blocks.count), usual_threads, 0, stream>>>(arrays, error_kT_e);
  check_launch("adding errors");
}

void add_rounding_errors(const SearchArrays& arrays, const std::int32_t* slots, std::int64_t count,
                         double clearance_A, cudaStream_t stream) {
  rounding_kernel<<<blocks_for(count * warp_size), usual_threads, 0, stream>>>(arrays, slots, count,
                                                                               clearance_A);
  check_launch("bounding the rounding");
}

void forget_values(const SearchArrays& arrays, const std::int32_t* slots, std::int64_t count,
                   cudaStream_t stream) {
  forget_kernel<<<blocks_for(count * block_points), usual_threads, 0, stream>>>(arrays, slots, count);
  check_launch("clearing values");
}

void sum_exactly(const SearchArrays& arrays, const std::int64_t* index, std::int64_t count,
                 std::uint32_t ions, double* exact, cudaStream_t stream) {
  auto* kernel =
      of_kind(arrays.pair.kind, sum_exactly_kernel<Kind::coulomb>,
              sum_exactly_kernel<Kind::distance_dependent>, sum_exactly_kernel<Kind::debye_hueckel>);
  const std::int64_t grid = std::min<std::int64_t>(count, 1 << 16);
  if (grid > 0) kernel<<<unsigned(grid), search_threads, 0, stream>>>(arrays, index, count, ions, exact);
  check_launch("exact sums");
}

void count_available(const SearchArrays& arrays, std::uint16_t* counts, cudaStream_t stream) {
  count_available_kernel<<<blocks_for(arrays.blocks.count), usual_threads, 0, stream>>>(arrays, counts);
  check_launch("counting points");
}

void look_at_samples(const SearchArrays& arrays, const Sample* samples, std::int64_t count,
                     std::int64_t* index, float* value, cudaStream_t stream) {
  sample_kernel<<<blocks_for(count), usual_threads, 0, stream>>>(arrays, samples, count, index, value);
  check_launch("looking at samples");
}

}  // namespace ionwell::gpu
