#include "electrostatics/poisson_boltzmann/solver/v_cycle.hpp"

#include <algorithm>

#include "electrostatics/poisson_boltzmann/solver/plane_stages.hpp"

namespace ionwell {
namespace {

/// Room for two rows, for the planes that a thread works at.
class RowWorkspace {
 public:
  explicit RowWorkspace(int nx) : values_(2 * std::size_t(nx)) {}
  float* data() { return values_.data(); }

 private:
  std::vector<float> values_;
};

/// Ghosts on each side that a level's solution has, from the sweeps on the way up: those that its product
/// with the matrix reads, on the finest level; where the others' planes are needed they are fetched.
int ghosts_of_solution(std::size_t n) {
  return n == 0 ? 1 : 0;
}

/// Ghosts where the way up begins: its sweeps read one after the other.
int ghosts_of_correction(std::size_t n) {
  return ghosts_of_solution(n) + 2 * sweeps;
}

/// Ghosts of the right side: the last sweep on the way down that the way up reads again is that over the even
/// points, before the last.
int ghosts_of_right_side(std::size_t n) {
  return ghosts_of_correction(n) + 2 * sweeps - 2;
}

static_assert(1 + 2 * sweeps + 2 * sweeps - 2 < most_ghosts);  // and a face's plane behind them

/// Ghosts of a level's solution that are interpolated on the way up of the next finer one, n.
int ghosts_interpolated(std::size_t n, const AxisCoarsening& along_z) {
  return along_z.halved ? ghosts_of_correction(n) / 2 + 1 : ghosts_of_correction(n);
}

}  // namespace

VCycle::VCycle(const PbLevels& levels, SimdLevel simd, ThreadPool& pool)
    : levels_(levels), kernels_(pb_kernels(simd)), transfer_(pb_transfer_kernels(simd)), pool_(pool) {
  if (levels.count() == 0) return;
  std::size_t collected = 0;
  for (std::size_t n = 1; n < levels.count(); ++n) {
    const PbLevel& level = levels.level(n);
    const std::size_t size = std::size_t(level.size());
    vectors_.push_back({LargeArray<float>(size), LargeArray<float>(size)});
    for (LargeArray<float>* array : {&vectors_.back().x, &vectors_.back().b})
      std::fill(array->data(), array->data() + size, 0.0f);
    collected = std::max(collected, std::size_t(level.plane_stride()) * levels.level(n - 1).nz);
  }
  collected_ = LargeArray<float>(collected);
  sums_.resize(std::size_t(levels.planes().at(0).whole));
}

double VCycle::apply(float* r, float* z) {
  const std::size_t last = levels_.count() - 1;
  for (std::size_t n = 0; n <= last; ++n) go_down(n, right_side(n, r), solution(n, z));
  double product = 0.0;
  for (std::size_t n = last + 1; n-- > 0;) product = go_up(n, right_side(n, r), solution(n, z));
  return product;
}

void VCycle::go_down(std::size_t n, float* b, float* x) {
  const PbLevel& level = levels_.level(n);
  const SharedPlanes& planes = levels_.planes();
  planes.fill_ghosts(n, b, level.plane_stride(), ghosts_of_right_side(n));
  const PlaneSpan inner = planes.at(n).inner(ghosts_of_right_side(n));
  const bool is_last = n + 1 == levels_.count();
  const int smoothing = 2 * sweeps;
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
  float* const coarse_b = vectors_[n].b.data();
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
  const int stages = 2 * sweeps + 1;
  const PlaneSpan inner = planes.at(n).inner(ghosts_of_correction(n));
  const int first_coarse = is_last ? 0 : levels_.first_coarse_plane(n);
  if (!is_last)
    planes.fill_ghosts(n + 1, vectors_[n].x.data(), levels_.level(n + 1).plane_stride(),
                       ghosts_interpolated(n, levels_.coarsening(n)[2]));
  const PlaneSpan own = planes.at(n).own;
  const int first_plane = planes.at(n).first;
  run_plane_stages(pool_, level.size(), inner.begin, inner.end, stages - first_stage, planes.at(n).ends(),
                   [&](int s, int k) {
                     const int stage = s + first_stage;
                     if (stage == 0) {
                       const std::array<AxisCoarsening, 3>& axes = levels_.coarsening(n);
                       const AxisCoarsening& along_z = axes[2];
                       const int below = along_z.coarse_below(k);
                       const bool between = along_z.between(k);
                       const std::int64_t plane = levels_.level(n + 1).plane_stride();
                       const float* const low = vectors_[n].x.data() + (below + first_coarse) * plane;
                       RowWorkspace workspace(level.nx);
                       return transfer_.add_interpolated(level, k, axes[0], axes[1], low, low + plane,
                                                         between ? along_z.high_weight(below) : 1.0f,
                                                         between ? along_z.low_weight() : 0.0f, x,
                                                         workspace.data());
                     }
                     const PointColour colour = stage % 2 == 1 ? PointColour::odd : PointColour::even;
                     if (n > 0 || stage < stages - 1) return kernels_.relax(level, k, colour, b, x);
                     const double sum = kernels_.relax_and_dot(level, k, colour, b, x);
                     if (k >= own.begin && k < own.end) sums_[std::size_t(first_plane + k)] = sum;
                   });
  return n == 0 ? planes.sum(sums_) : 0.0;
}

}  // namespace ionwell
