// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include "gpu/electrostatics/direct_sum.cuh"
#include "gpu/placement/crystal_sites/site_work.hpp"
#include "gpu/runtime/launch.hpp"

namespace ionwell::gpu {
namespace {

constexpr int terms_at_once = 8, atoms_at_once = 32, axis_points = 3 * block_edge;

struct TermOnDevice {
  SiteAtomClasses atoms;
  float energy_kT, centre_A, scale;  // -1 / (2 width^2)
};

struct TermsOnDevice {
  TermOnDevice terms[terms_at_once];
  int count;
  SiteAtomClasses atoms;  // of all of them
};

/// Atoms near a block, by axis: what the host's kernels have, rounded as there.
struct TermTables {
  float squares_A2[atoms_at_once][axis_points];
  float factors[terms_at_once][atoms_at_once][axis_points];
  SiteAtomClasses kinds[atoms_at_once];
};

__global__ void take_away_kernel(std::uint64_t* words, const std::uint64_t* beyond, std::int64_t count) {
  const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) words[i] &= ~beyond[i];
}

__global__ void scale_values(DeviceBlocks blocks, float factor) {
  const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < blocks.count * block_points) blocks.values[i] *= factor;
}

/// What `count` atoms of the tables add to the thread's points of a block.
__device__ void add_from_tables(const TermsOnDevice& terms, const TermTables& tables, int count,
                                float limit_A2, float sums[2]) {
  constexpr int plane = block_edge * block_edge;
  const int i = int(threadIdx.x) % block_edge, j = int(threadIdx.x) / block_edge % block_edge;
  for (int a = 0; a < count; ++a) {
    const float* const squares = tables.squares_A2[a];
    for (int n = 0; n < 2; ++n) {
      const int k = int(threadIdx.x) / plane + n * block_edge / 2;
      const float r2 = squares[i] + (squares[block_edge + j] + squares[2 * block_edge + k]);
      if (!(r2 < limit_A2)) continue;
      for (int t = 0; t < terms.count; ++t) {
        const TermOnDevice& term = terms.terms[t];
        if (term.centre_A > 0.0f) {
          if ((term.atoms & tables.kinds[a]) == 0) continue;
          const float away = sqrtf(fmaxf(r2, 1e-6f)) - term.centre_A;
          sums[n] += term.energy_kT * expf(term.scale * (away * away));
        } else {
          const float* const factors = tables.factors[t][a];
          sums[n] += factors[i] * (factors[block_edge + j] * factors[2 * block_edge + k]);
        }
      }
    }
  }
}

/// A thread block of 256 to a block, two points to a thread.
__global__ void __launch_bounds__(usual_threads)
    add_terms_kernel(DeviceBlocks blocks, SiteCells atoms, TermsOnDevice terms, double cutoff_A) {
  __shared__ TermTables tables;
  __shared__ Vec3<double> near_A[usual_threads];
  __shared__ std::uint8_t near_kind[usual_threads];
  __shared__ int counts[usual_threads / warp_size];
  const std::int64_t slot = blockIdx.x;
  const BlockFrameD frame = frame_of_block(blocks.lattice, blocks.numbers[slot]);
  const Vec3<double>& spacing_A = blocks.lattice.spacing_A;
  const Box box{frame.first_A, frame.first_A + double(block_edge - 1) * spacing_A};
  const CellRange range = atoms.grid.within(box, cutoff_A);
  if (range.empty()) return;
  const int thread = int(threadIdx.x), lane = thread % warp_size, warp = thread / warp_size;
  const float limit_A2 = float(cutoff_A * cutoff_A);
  float sums[2] = {0.0f, 0.0f};

  // The squares along the axes, and what goes with them, of `count` atoms from `first` on; then their sums.
  const auto add = [&](int first, int count) {
    for (int n = thread; n < count * axis_points; n += usual_threads) {
      const int a = n / axis_points, p = n % axis_points, axis = p / block_edge, i = p % block_edge;
      const Vec3<double>& atom_A = near_A[first + a];
      const double d = axis == 0   ? frame.first_A.x + spacing_A.x * i - atom_A.x
                       : axis == 1 ? frame.first_A.y + spacing_A.y * i - atom_A.y
                                   : frame.first_A.z + spacing_A.z * i - atom_A.z;
      const float square = float(d * d);
      tables.squares_A2[a][p] = square;
      const SiteAtomClasses kind = SiteAtomClasses(1) << near_kind[first + a];
      if (p == 0) tables.kinds[a] = kind;
      for (int t = 0; t < terms.count; ++t) {
        const TermOnDevice& term = terms.terms[t];
        const float factor = (term.atoms & kind) != 0 ? expf(term.scale * square) : 0.0f;
        tables.factors[t][a][p] = axis == 2 ? term.energy_kT * factor : factor;
      }
    }
    __syncthreads();
    add_from_tables(terms, tables, count, limit_A2, sums);
    __syncthreads();
  };
  for (std::int64_t k = range.first.z; k <= range.last.z; ++k)
    for (std::int64_t j = range.first.y; j <= range.last.y; ++j) {
      const std::int64_t row = cell_number(atoms.grid.counts, {0, j, k});
      const std::uint32_t end = atoms.start[row + range.last.x + 1];
      for (std::uint32_t from = atoms.start[row + range.first.x]; from < end; from += usual_threads) {
        const std::uint32_t n = from + std::uint32_t(thread);
        Vec3<double> atom_A{};
        bool is_near = n < end && (terms.atoms >> atoms.kinds[n] & 1) != 0;
        if (is_near) {
          atom_A = atoms.positions_A[n];
          is_near = distance_range(box, atom_A).nearest_A < cutoff_A;
        }
        const unsigned found = __ballot_sync(full_warp, is_near);
        if (lane == 0) counts[warp] = __popc(found);
        __syncthreads();
        int before = 0, all = 0;
        for (int w = 0; w < usual_threads / warp_size; ++w) {
          before += w < warp ? counts[w] : 0;
          all += counts[w];
        }
        if (is_near) {
          const int at = before + __popc(found & ((1u << lane) - 1));
          near_A[at] = atom_A;
          near_kind[at] = atoms.kinds[n];
        }
        __syncthreads();
        for (int first = 0; first < all; first += atoms_at_once) add(first, min(atoms_at_once, all - first));
      }
    }
  float* const values = blocks.values + slot * block_points;
  values[thread] += sums[0];
  values[thread + usual_threads] += sums[1];
}

}  // namespace

DeviceSiteAtoms::DeviceSiteAtoms(std::span<const SiteAtom> atoms, cudaStream_t stream) {
  constexpr double cell_A = 4.0;
  std::vector<Vec3<double>> positions_A;
  positions_A.reserve(atoms.size());
  for (const SiteAtom& atom : atoms) positions_A.push_back(atom.position_A);
  grid_ = cells_around(positions_A, cell_A);
  std::vector<std::uint32_t> start(std::size_t(grid_.size()) + 1), cell(atoms.size());
  for (std::size_t n = 0; n < atoms.size(); ++n) {
    cell[n] = std::uint32_t(grid_.cell_of(positions_A[n]));
    ++start[cell[n] + 1];
  }
  for (std::size_t c = 1; c < start.size(); ++c) start[c] += start[c - 1];
  std::vector<std::uint32_t> next(start.begin(), start.end() - 1);
  std::vector<float> charges(atoms.size());
  std::vector<std::uint8_t> kinds(atoms.size());
  for (std::size_t n = 0; n < atoms.size(); ++n) {
    const std::uint32_t at = next[cell[n]]++;
    positions_A[at] = atoms[n].position_A;
    charges[at] = float(atoms[n].charge_e);
    kinds[at] = std::uint8_t(atoms[n].kind);
  }
  constexpr std::string_view what = "the atoms";
  start_ = DeviceBuffer<std::uint32_t>(start, stream, what);
  positions_A_ = DeviceBuffer<Vec3<double>>(positions_A, stream, what);
  charges_e_ = DeviceBuffer<float>(charges, stream, what);
  kinds_ = DeviceBuffer<std::uint8_t>(kinds, stream, what);
}

void take_away(std::uint64_t* words, const std::uint64_t* beyond, std::int64_t count, cudaStream_t stream) {
  take_away_kernel<<<blocks_for(count), usual_threads, 0, stream>>>(words, beyond, count);
  check_launch("the exclusion");
}

void add_site_terms(const DeviceBlocks& blocks, const SiteModel& model, const SiteCells& atoms,
                    cudaStream_t stream) {
  static_assert(block_points == 2 * usual_threads);
  if (blocks.count == 0) return;
  scale_values<<<blocks_for(blocks.count * block_points), usual_threads, 0, stream>>>(blocks,
                                                                                      float(model.charge_e));
  check_launch("the site model's terms");
  for (std::size_t first = 0; first < model.terms.size(); first += terms_at_once) {
    TermsOnDevice terms{};
    terms.count = int(std::min<std::size_t>(terms_at_once, model.terms.size() - first));
    for (int t = 0; t < terms.count; ++t) {
      const SiteTerm& term = model.terms[first + std::size_t(t)];
      terms.terms[t] = {term.atoms, float(term.energy_kT), float(term.centre_A),
                        float(-0.5 / (term.width_A * term.width_A))};
      terms.atoms |= term.atoms;
    }
    add_terms_kernel<<<unsigned(blocks.count), usual_threads, 0, stream>>>(blocks, atoms, terms,
                                                                           model.cutoff_A);
    check_launch("the site model's terms");
  }
}

}  // namespace ionwell::gpu
