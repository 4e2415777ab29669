// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/poisson_boltzmann/solver/v_cycle.hpp"

#include <algorithm>

#include "electrostatics/poisson_boltzmann/solver/plane_stages.hpp"
#include "electrostatics/simd/kernel_tables.hpp"

namespace ionwell {

IONWELL_KERNEL_TABLES(PbKernels, pb_kernels)

namespace {

/// On each level before and after the coarser ones. They cost little where the finest level is another
/// class's, RedBlackCycle's, with two: three here save one of seven iterations around 1gid, and four no more.
constexpr int coarse_sweeps = 3;

/// Room for two rows, for the planes that a thread works at.
class RowWorkspace {
 public:
  explicit RowWorkspace(int nx) : values_(2 * std::size_t(nx)) {}
  float* data() { return values_.data(); }

 private:
  std::vector<float> values_;
};

/// Ghosts where the way up of a level begins: its sweeps read one after the other. Of the solution the next
/// finer level fetches those that it needs.
constexpr int ghosts_of_correction = 2 * coarse_sweeps;

/// Ghosts of the right side: the last sweep on the way down that the way up reads again is that over the even
/// points, before the last.
constexpr int ghosts_of_right_side = ghosts_of_correction + 2 * coarse_sweeps - 2;

static_assert(ghosts_of_right_side + 1 < most_ghosts(1));  // and a face's plane behind them

}  // namespace

VCycle::VCycle(const PbLevels& levels, std::size_t first, SimdLevel simd, ThreadPool& pool)
    : levels_(levels),
      first_(first),
      kernels_(pb_kernels(simd)),
      transfer_(pb_transfer_kernels(simd)),
      pool_(pool) {
  if (levels.count() <= first) return;
  std::size_t collected = 0;
  for (std::size_t n = first + 1; n < levels.count(); ++n) {
    const PbLevel& level = levels.level(n);
    const std::size_t size = std::size_t(level.size());
    vectors_.push_back({LargeArray<float>(size), LargeArray<float>(size)});
    for (LargeArray<float>* array : {&vectors_.back().x, &vectors_.back().b})
      std::fill(array->data(), array->data() + size, 0.0f);
    collected = std::max(collected, std::size_t(level.plane_stride()) * levels.level(n - 1).nz);
  }
  collected_ = LargeArray<float>(collected);
  sums_.resize(std::size_t(levels.level(first).nz));
}

double VCycle::apply(float* r, float* z) {
  for (std::size_t n = first_; n < levels_.count(); ++n) go_down(n, right_side(n, r), solution(n, z));
  double product = 0.0;
  for (std::size_t n = levels_.count(); n-- > first_;) product = go_up(n, right_side(n, r), solution(n, z));
  return product;
}

void VCycle::go_down(std::size_t n, float* b, float* x) {
  const PbLevel& level = levels_.level(n);
  const SharedPlanes& planes = levels_.planes();
  planes.fill_ghosts(n, b, level.plane_stride(), ghosts_of_right_side);
  const PlaneSpan inner = planes.at(n).inner(ghosts_of_right_side);
  const bool is_last = n + 1 == levels_.count();
  const int smoothing = 2 * coarse_sweeps;
  const PbLevel* const coarse = is_last ? nullptr : &levels_.level(n + 1);
  run_plane_stages(
      pool_, level.size(), inner.begin, inner.end, is_last ? smoothing : smoothing + 1, planes.at(n).ends(),
      [&](int stage, int k) {
        if (stage == 0) return kernels_.relax_from_zero(level, k, PointColour::even, b, x);
        if (stage < smoothing)
          return kernels_.relax(level, k, stage % 2 == 0 ? PointColour::even : PointColour::odd, b, x);
        RowWorkspace workspace(level.nx);
        transfer_.collect_residual(level, k, b, x, levels_.coarsening(n)[0], levels_.coarsening(n)[1],
                                   collected_.data() + k * coarse->plane_stride(), workspace.data());
      });
  if (is_last) return;
  const AxisCoarsening& along_z = levels_.coarsening(n)[2];
  const int first_coarse = levels_.first_coarse_plane(n);
  float* const coarse_b = vectors(n + 1).b.data();
  const auto collect_plane = [&](int k) {
    const int at = along_z.fine_of(k);
    const std::int64_t size = coarse->plane_stride();
    const float* __restrict middle = collected_.data() + at * size;
    float* __restrict to = coarse_b + (k + first_coarse) * size;
    if (!along_z.halved) {
      std::copy(middle, middle + size, to);
      return;
    }
    // The residual of an outermost plane is none: its weight does not matter, but what is there does.
    const float low = at - 1 > 0 ? along_z.low_weight() : 0.0f;
    const float high = at + 1 < level.nz - 1 ? along_z.high_weight(k) : 0.0f;
    const float* __restrict before = at - 1 > 0 ? middle - size : middle;
    const float* __restrict behind = at + 1 < level.nz - 1 ? middle + size : middle;
    for (std::int64_t p = 0; p < size; ++p) to[p] = middle[p] + (low * before[p] + high * behind[p]);
  };
  // Inner planes that this process makes, counted as the coarsening does.
  const PlaneSpan made = planes.made_here(n + 1);
  const int all = planes.at(n + 1).whole, offset = planes.at(n + 1).first + first_coarse;
  const int first_made = std::max(made.begin, 1) - offset, last_made = std::min(made.end, all - 1) - offset;
  for_ranges(pool_, coarse->size(), std::max(0, last_made - first_made),
             [&](std::int64_t first, std::int64_t last) {
               for (int k = int(first); k < int(last); ++k) collect_plane(first_made + k);
             });
  if (n + 1 == planes.shared_levels()) planes.gather_made(coarse_b, coarse->plane_stride());
}

double VCycle::go_up(std::size_t n, const float* b, float* x) {
  const PbLevel& level = levels_.level(n);
  const SharedPlanes& planes = levels_.planes();
  const bool is_last = n + 1 == levels_.count();
  const int first_stage = is_last ? 1 : 0;
  const int stages = 2 * coarse_sweeps + 1;
  const PlaneSpan inner = planes.at(n).inner(ghosts_of_correction);
  const int first_coarse = is_last ? 0 : levels_.first_coarse_plane(n);
  if (!is_last)
    planes.fill_ghosts(n + 1, vectors(n + 1).x.data(), levels_.level(n + 1).plane_stride(),
                       interpolated_ghosts(ghosts_of_correction, levels_.coarsening(n)[2]));
  const PlaneSpan own = planes.at(n).inner(0);
  run_plane_stages(pool_, level.size(), inner.begin, inner.end, stages - first_stage, planes.at(n).ends(),
                   [&](int s, int k) {
                     const int stage = s + first_stage;
                     if (stage == 0) {
                       const std::array<AxisCoarsening, 3>& axes = levels_.coarsening(n);
                       const AxisCoarsening& along_z = axes[2];
                       const int below = along_z.coarse_below(k);
                       const bool between = along_z.between(k);
                       const std::int64_t plane = levels_.level(n + 1).plane_stride();
                       const float* const low = vectors(n + 1).x.data() + (below + first_coarse) * plane;
                       RowWorkspace workspace(level.nx);
                       return transfer_.add_interpolated(level, k, axes[0], axes[1], low, low + plane,
                                                         between ? along_z.high_weight(below) : 1.0f,
                                                         between ? along_z.low_weight() : 0.0f, x,
                                                         workspace.data());
                     }
                     const PointColour colour = stage % 2 == 1 ? PointColour::odd : PointColour::even;
                     if (n > first_ || stage < stages - 1) return kernels_.relax(level, k, colour, b, x);
                     sums_[std::size_t(k)] = kernels_.relax_and_dot(level, k, colour, b, x);
                   });
  double sum = 0.0;
  if (n == first_)
    for (int k = own.begin; k < own.end; ++k) sum += sums_[std::size_t(k)];
  return sum;
}

}  // namespace ionwell
