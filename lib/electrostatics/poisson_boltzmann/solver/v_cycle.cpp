#include "electrostatics/poisson_boltzmann/solver/v_cycle.hpp"

#include <algorithm>

#include "electrostatics/poisson_boltzmann/solver/plane_stages.hpp"
#include "electrostatics/simd/kernel_tables.hpp"

namespace ionwell {

IONWELL_KERNEL_TABLES(PbKernels, pb_kernels)

namespace {

/// On each level before and after the coarser ones. They cost little where the finest level is another
/// class's, HalfCycle's, with two: three here save one of seven iterations around 1gid, and four no more.
constexpr int coarse_sweeps = 3;

/// Room for two rows, for the planes that a thread works at.
class RowWorkspace {
 public:
  explicit RowWorkspace(int nx) : values_(2 * std::size_t(nx)) {}
  float* data() { return values_.data(); }

 private:
  std::vector<float> values_;
};

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

double VCycle::apply(const float* r, float* z) {
  for (std::size_t n = first_; n < levels_.count(); ++n)
    go_down(n, n == first_ ? r : vectors(n).b.data(), n == first_ ? z : vectors(n).x.data());
  double product = 0.0;
  for (std::size_t n = levels_.count(); n-- > first_;)
    product = go_up(n, n == first_ ? r : vectors(n).b.data(), n == first_ ? z : vectors(n).x.data());
  return product;
}

void VCycle::go_down(std::size_t n, const float* b, float* x) {
  const PbLevel& level = levels_.level(n);
  const bool is_last = n + 1 == levels_.count();
  const int smoothing = 2 * coarse_sweeps;
  const PbLevel* const coarse = is_last ? nullptr : &levels_.level(n + 1);
  run_plane_stages(
      pool_, level.size(), 1, level.nz - 1, is_last ? smoothing : smoothing + 1, [&](int stage, int k) {
        if (stage == 0) return kernels_.relax_from_zero(level, k, PointColour::even, b, x);
        if (stage < smoothing)
          return kernels_.relax(level, k, stage % 2 == 0 ? PointColour::even : PointColour::odd, b, x);
        RowWorkspace workspace(level.nx);
        transfer_.collect_residual(level, k, b, x, levels_.coarsening(n)[0], levels_.coarsening(n)[1],
                                   collected_.data() + k * coarse->plane_stride(), workspace.data());
      });
  if (is_last) return;
  const AxisCoarsening& along_z = levels_.coarsening(n)[2];
  float* const coarse_b = vectors(n + 1).b.data();
  const auto collect_plane = [&](int k) {
    const int at = along_z.fine_of(k);
    const std::int64_t size = coarse->plane_stride();
    const float* __restrict middle = collected_.data() + at * size;
    float* __restrict to = coarse_b + k * size;
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
  for_ranges(pool_, coarse->size(), coarse->nz - 2, [&](std::int64_t first, std::int64_t last) {
    for (int k = int(first) + 1; k < int(last) + 1; ++k) collect_plane(k);
  });
}

double VCycle::go_up(std::size_t n, const float* b, float* x) {
  const PbLevel& level = levels_.level(n);
  const bool is_last = n + 1 == levels_.count();
  const int first_stage = is_last ? 1 : 0;
  const int stages = 2 * coarse_sweeps + 1;
  run_plane_stages(pool_, level.size(), 1, level.nz - 1, stages - first_stage, [&](int s, int k) {
    const int stage = s + first_stage;
    if (stage == 0) {
      const std::array<AxisCoarsening, 3>& axes = levels_.coarsening(n);
      const AxisCoarsening& along_z = axes[2];
      const int below = along_z.coarse_below(k);
      const bool between = along_z.between(k);
      const std::int64_t plane = levels_.level(n + 1).plane_stride();
      const float* const low = vectors(n + 1).x.data() + below * plane;
      RowWorkspace workspace(level.nx);
      return transfer_.add_interpolated(level, k, axes[0], axes[1], low, low + plane,
                                        between ? along_z.high_weight(below) : 1.0f,
                                        between ? along_z.low_weight() : 0.0f, x, workspace.data());
    }
    const PointColour colour = stage % 2 == 1 ? PointColour::odd : PointColour::even;
    if (n > first_ || stage < stages - 1) return kernels_.relax(level, k, colour, b, x);
    sums_[std::size_t(k)] = kernels_.relax_and_dot(level, k, colour, b, x);
  });
  double sum = 0.0;
  if (n == first_)
    for (int k = 1; k < level.nz - 1; ++k) sum += sums_[std::size_t(k)];
  return sum;
}

}  // namespace ionwell
