// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/electrostatics/poisson_boltzmann/v_cycle.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "gpu/electrostatics/poisson_boltzmann/v_cycle_kernels.cuh"
#include "gpu/runtime/launch.hpp"

namespace ionwell::gpu {
namespace {

/// Ghosts of the solution where the way up of a level begins, as far as it reads, and with which the
/// residual, two planes of it, is at hand on the way down; and of the right side, which the steps before
/// need.
constexpr int ghosts_of_correction = tile_halo;
constexpr int ghosts_of_right_side = 2 * tile_halo - 1;

static_assert(ghosts_of_right_side + 1 <= plane_ghosts);  // and a face's plane behind them

/// What a thread block can have on all these devices.
int shared_bytes_on(const std::vector<int>& ordinals) {
  int least = std::numeric_limits<int>::max();
  for (const int ordinal : ordinals) {
    int bytes = 0;
    check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, ordinal),
          "asking for shared memory");
    least = std::min(least, bytes);
  }
  return least;
}

/// The first of the levels that one kernel does: the finest one, and those whose planes are shared, are not
/// among them.
std::size_t first_small_level(const PbLevels& levels, int shared_bytes) {
  std::size_t first = levels.count();
  std::int64_t points = 0;
  while (first > 1 && levels.count() - first < most_small_levels && !levels.planes().is_shared(first - 1)) {
    points += levels.level(first - 1).size();
    if (points > most_small_points || small_levels_bytes(int(points)) > shared_bytes) break;
    --first;
  }
  return first;
}

/// The sums of b x: by tile along x, row, and so many planes.
March sums_march(const PbLevel& level) {
  return March(level).of_tiles(level, swept_x, 1);
}

/// The columns of a level's tiles that a device goes through, as long as is best, of which each has whole
/// sums.
MarchPart swept_part(const March& march, const PlaneBorders& borders, const Share& share, int planes_of_sum) {
  MarchPart part(march, borders, share);
  const int planes = std::max(part.last_plane - part.first_plane, 0);
  part.planes = best_planes(march.across(), planes, {swept_at_once, 2 * tile_halo}, planes_of_sum);
  part.count = (planes + part.planes - 1) / part.planes;
  return part;
}

}  // namespace

VCycle::VCycle(const PbLevels& levels, const Team& team)
    : levels_(levels),
      team_(team),
      rows_(shared_bytes_on(team.ordinals()) < swept_bytes(usual_rows) ? fewest_rows : usual_rows),
      first_small_(first_small_level(levels, shared_bytes_on(team.ordinals()))),
      sums_(std::size_t(sums_march(levels.level(0)).blocks())) {
  std::vector<std::size_t> sizes;
  for (std::size_t n = 0; n < levels.count(); ++n) {
    const std::size_t size = levels.planes().size(n), own = n == 0 ? 0 : size;
    sizes.insert(sizes.end(), {size, own, own});
  }
  const auto spreading = [&](std::size_t v) {
    return spreading_of(levels.borders(v / vectors_of_level), team.ordinals());
  };
  vectors_ = DeviceArrays(sizes, spreading, "the levels of a V-cycle");
  vectors_.zero(team.stream());
}

void VCycle::apply(float* r, float* z) {
  for (std::size_t n = 0; n < first_small_; ++n) go_down(n, right_side(n, r));
  if (first_small_ < levels_.count()) do_small_levels();
  for (std::size_t n = first_small_; n-- > 0;) go_up(n, right_side(n, r), solution(n, z));
  levels_.planes().gather_sums(sums_march(levels_.level(0)), sums_.data());
}

void VCycle::do_small_levels() {
  SmallLevels small;
  small.b = right_side(first_small_, nullptr);
  small.x = solution(first_small_, nullptr);
  for (std::size_t n = first_small_; n < levels_.count(); ++n) {
    const LevelAxes axes = n + 1 < levels_.count() ? level_axes(levels_.coarsening(n)) : LevelAxes{};
    small.levels[small.count++] = {levels_.level(n), axes, small.points};
    small.points += int(levels_.level(n).size());
  }
  const int bytes = small_levels_bytes(small.points);
  check(cudaFuncSetAttribute(small_levels_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
        "the coarsest lattices");
  small_levels_kernel<<<1, small_level_threads, std::size_t(bytes), team_.stream()>>>(small);
  check_launch("the coarsest lattices");
}

template <typename Kernel, typename... Arguments>
void VCycle::sweep(std::size_t n, int ghosts, int planes_of_sum, Kernel* usual, Kernel* small,
                   const Arguments&... arguments) {
  const PbLevel& level = levels_.level(n);
  const March march = March(level).of_tiles(level, swept_x, tile_rows(rows_));
  const PlaneBorders borders = levels_.borders(n).with(ghosts);
  // A plane's equations need the faces before it.
  const PlaneSpan here = levels_.planes().here(n),
                  equations{here.begin + 1, std::min(here.end, level.nz - 1)};
  Kernel* const kernel = rows_ == usual_rows ? usual : small;
  const int bytes = swept_bytes(rows_);
  team_.share(level.size(), [&](const Share& share, cudaStream_t stream) {
    const MarchPart part = swept_part(march, borders, share, planes_of_sum);
    if (part.count == 0) return;
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
          "Gauss-Seidel sweeps");
    kernel<<<dim3{march.columns_x, march.columns_y, unsigned(part.count)}, dim3{march_x, unsigned(rows_), 1},
             std::size_t(bytes), stream>>>(arguments..., equations, part);
    check_launch("Gauss-Seidel sweeps");
  });
}

void VCycle::go_down(std::size_t n, float* b) {
  static_assert(sweeps == 2);
  levels_.planes().fill_ghosts(n, b, ghosts_of_right_side);
  float* const left = swept(n);
  sweep(n, ghosts_of_correction, 1, go_down_kernel<usual_rows>, go_down_kernel<fewest_rows>,
        levels_.packed(n), b, left);
  if (n + 1 == levels_.count()) return;
  const PbLevel &level = levels_.level(n), &coarse = levels_.level(n + 1);
  float* const collected = right_side(n + 1, nullptr);
  march_over(team_, March(coarse).without_sums(), levels_.made(n + 1), level.size(),
             "a residual for a coarser lattice", collect_kernel, level, left,
             level_axes(levels_.coarsening(n)), coarse, collected);
  levels_.planes().gather_made(n + 1, collected);
}

void VCycle::go_up(std::size_t n, const float* b, float* x) {
  const PbLevel& level = levels_.level(n);
  float* const start = swept(n);
  if (n + 1 < levels_.count()) {
    float* const coarse = solution(n + 1, nullptr);
    levels_.planes().fill_ghosts(n + 1, coarse,
                                 interpolated_ghosts(ghosts_of_correction, levels_.coarsening(n)[2]));
    march_over(team_, March(level, points_of_pair).without_sums(),
               levels_.borders(n).with(ghosts_of_correction), level.size(),
               "interpolation from a coarser lattice", add_interpolated_kernel, level,
               level_axes(levels_.coarsening(n)), levels_.level(n + 1), coarse,
               n == 0 ? correction_factor : 1.0f, start);
  }
  const int planes_of_sum = n == 0 ? sums_march(level).planes : 1;
  sweep(n, 0, planes_of_sum, go_up_kernel<usual_rows>, go_up_kernel<fewest_rows>, levels_.packed(n), b, start,
        UpTarget{x, n == 0 ? sums_.data() : nullptr, planes_of_sum});
}

}  // namespace ionwell::gpu
