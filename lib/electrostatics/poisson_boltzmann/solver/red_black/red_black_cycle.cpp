// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/poisson_boltzmann/solver/red_black/red_black_cycle.hpp"

#include <algorithm>

#include "electrostatics/poisson_boltzmann/solver/plane_stages.hpp"

namespace ionwell {
namespace {

constexpr int collected_planes = 3;  // that make up a coarse one

/// Planes beside its own that a process reads of the residual on the way down, and of the correction on the
/// way up.
constexpr int ghosts_to_go_down = 5, ghosts_to_go_up = 4;
static_assert(ghosts_to_go_down < most_ghosts(0));  // and a face's plane behind them

}  // namespace

RedBlackCycle::RedBlackCycle(const RedBlackLevel& half, const PbLevels& levels, SimdLevel simd,
                             ThreadPool& pool)
    : half_(half),
      levels_(levels),
      kernels_(red_black_kernels(simd)),
      pool_(pool),
      coarse_(levels, 1, simd, pool),
      planes_(levels.planes()),
      sums_(std::size_t(planes_.at(0).whole)) {
  if (levels.count() == 1) return;  // one inner point, an odd one
  const PbLevel& coarse = levels.level(1);
  for (LargeArray<float>* array : {&coarse_b_, &coarse_x_}) {
    *array = LargeArray<float>(std::size_t(coarse.size()));
    std::fill(array->data(), array->data() + coarse.size(), 0.0f);
  }
  const RedBlackLattice& lattice = half.matrix().lattice;
  const int threads = threads_for_points(levels.level(0).size(), pool);
  const int slabs = std::clamp(made_planes().count(), 1, slab_count(planes_.at(0).inner(0).count(), threads));
  for (int s = 0; s < slabs; ++s)
    slabs_.push_back({{lattice, 3},
                      {lattice, 3},
                      {lattice, 3},
                      {lattice, 4},
                      std::vector<float>(std::size_t(collected_planes * coarse.plane_stride())),
                      std::vector<float>(2 * std::size_t(lattice.nx))});
}

double RedBlackCycle::apply(float* r, float* z) {
  if (slabs_.empty()) return 0.0;
  go_down(r, z);
  coarse_.apply(coarse_b_.data(), coarse_x_.data());
  return go_up(r, z);
}

/// The inner coarse planes that this process makes, counted as the coarsening does.
PlaneSpan RedBlackCycle::made_planes() const {
  const PlaneSpan made = planes_.made_here(1);
  const int offset = planes_.at(1).first + levels_.first_coarse_plane(0);
  const int begin = std::max(made.begin, 1) - offset,
            end = std::min(made.end, planes_.at(1).whole - 1) - offset;
  return {begin, std::max(begin, end)};
}

PlaneSpan RedBlackCycle::coarse_range(int slab) const {
  const PlaneSpan made = made_planes();
  const int slabs = int(slabs_.size());
  return {made.begin + made.count() * slab / slabs, made.begin + made.count() * (slab + 1) / slabs};
}

/// The first plane that belongs to the slab of a coarse plane and those behind it.
int RedBlackCycle::begin_of(int coarse_plane) const {
  const AxisCoarsening& along_z = levels_.coarsening(0)[2];
  if (coarse_plane == along_z.coarse - 1) return along_z.fine - 1;
  return along_z.fine_of(coarse_plane) - (along_z.halved ? 1 : 0);
}

/// Two sweeps from zero, of which the first is x = r, and the residual to the coarse right side. A slab does
/// the planes beside it that it needs once more.
void RedBlackCycle::go_down(float* r, float* z) {
  const RedBlackMatrix& matrix = half_.matrix();
  const std::int64_t stride = matrix.lattice.plane_stride();
  const std::array<AxisCoarsening, 3>& axes = levels_.coarsening(0);
  const int nz = matrix.lattice.nz;
  const std::int64_t coarse_stride = levels_.level(1).plane_stride();
  planes_.fill_ghosts(0, r, stride, ghosts_to_go_down);
  const PlaneSpan own = planes_.at(0).inner(0);
  parallel_for(pool_, std::ssize(slabs_), [&](std::int64_t number) {
    Slab& slab = slabs_[std::size_t(number)];
    const PlaneSpan coarse = coarse_range(int(number));
    if (coarse.count() == 0) return;
    const int begin = begin_of(coarse.begin), end = begin_of(coarse.end);
    // A coarse plane is made of a plane before it, too, which can be another process's.
    const int first_own = number == 0 ? own.begin : begin,
              last_own = number == std::ssize(slabs_) - 1 ? own.end : end;
    const int last = std::min(axes[2].halved ? axes[2].fine_of(coarse.end - 1) + 1 : end - 1, nz - 2);
    const auto x = [&](int k) { return k >= first_own && k < last_own ? z + k * stride : slab.even.at(k); };
    const auto is_at = [&](int k, int beside) {
      return k >= std::max(begin - beside, 1) && k <= std::min(last + beside, nz - 2);
    };
    for (int t = begin - 3; t <= last + 3; ++t) {
      if (is_at(t, 3)) {
        const float* const here = r + t * stride;
        kernels_.gather(matrix, t, PointColour::odd, {here - stride, here, here + stride}, slab.odd.at(t));
      }
      if (const int k = t - 1; is_at(k, 2))
        kernels_.relax(matrix, k, slab.odd.around(k), r + k * stride, x(k));
      if (const int k = t - 2; is_at(k, 1))
        kernels_.gather(matrix, k, PointColour::odd, {x(k - 1), x(k), x(k + 1)}, slab.odd_after.at(k));
      const int k = t - 3;
      if (!is_at(k, 0)) continue;
      kernels_.collect_residual(matrix, k, slab.odd_after.around(k), r + k * stride, x(k), axes[0], axes[1],
                                slab.collected.data() + k % collected_planes * coarse_stride,
                                slab.row.data());
      const int coarse_plane = axes[2].halved ? k / 2 : k;
      const bool is_complete = !axes[2].halved || k % 2 == 1 || k == nz - 2;
      if (is_complete && coarse_plane >= coarse.begin && coarse_plane < coarse.end)
        collect(slab, coarse_plane);
    }
  });
  if (planes_.shared_levels() == 1) planes_.gather_made(coarse_b_.data(), coarse_stride);
}

void RedBlackCycle::collect(Slab& slab, int coarse_plane) {
  const AxisCoarsening& along_z = levels_.coarsening(0)[2];
  const int at = along_z.fine_of(coarse_plane), nz = half_.matrix().lattice.nz;
  const std::int64_t size = levels_.level(1).plane_stride();
  const auto plane = [&](int k) -> const float* {
    return slab.collected.data() + k % collected_planes * size;
  };
  const float* __restrict middle = plane(at);
  float* __restrict to = coarse_b_.data() + (coarse_plane + levels_.first_coarse_plane(0)) * size;
  if (!along_z.halved) {
    std::copy(middle, middle + size, to);
    return;
  }
  // There is no residual at given points: its weight does not matter, but what is in memory does.
  const float low = at - 1 > 0 ? along_z.low_weight() : 0.0f;
  const float high = at + 1 < nz - 1 ? along_z.high_weight(coarse_plane) : 0.0f;
  const float* __restrict before = at - 1 > 0 ? plane(at - 1) : middle;
  const float* __restrict behind = at + 1 < nz - 1 ? plane(at + 1) : middle;
  for (std::int64_t p = 0; p < size; ++p) to[p] = middle[p] + (low * before[p] + high * behind[p]);
}

/// The coarse answer and two sweeps.
double RedBlackCycle::go_up(const float* r, float* z) {
  const RedBlackMatrix& matrix = half_.matrix();
  const std::int64_t stride = matrix.lattice.plane_stride();
  const std::array<AxisCoarsening, 3>& axes = levels_.coarsening(0);
  const std::int64_t coarse_stride = levels_.level(1).plane_stride();
  const int last_inner = matrix.lattice.nz - 2, first_coarse = levels_.first_coarse_plane(0);
  const std::int64_t slabs = std::ssize(slabs_);
  const PlaneSpan own = planes_.at(0).inner(0);
  const auto begin_of_slab = [&](std::int64_t n) { return own.begin + int(own.count() * n / slabs); };
  planes_.fill_ghosts(0, z, stride, ghosts_to_go_up);
  planes_.fill_ghosts(1, coarse_x_.data(), coarse_stride, interpolated_ghosts(ghosts_to_go_up, axes[2]));
  parallel_for(pool_, slabs, [&](std::int64_t n) {
    PlaneSlab& planes = slabs_[std::size_t(n)].planes;
    planes.take(z, begin_of_slab(n), begin_of_slab(n + 1));
    planes.fill_beside([&](int k, float* copy) { std::copy_n(z + k * stride, stride, copy); });
  });
  parallel_for(pool_, slabs, [&](std::int64_t n) {
    Slab& slab = slabs_[std::size_t(n)];
    PlaneSlab& x = slab.planes;
    const int begin = begin_of_slab(n), end = begin_of_slab(n + 1);
    const auto is_at = [&](int k, int beside) {
      return k >= std::max(begin - beside, 1) && k < std::min(end + beside, last_inner + 1);
    };
    for (int t = begin - 4; t < end + 4; ++t) {
      if (is_at(t, 4)) {
        const int below = axes[2].coarse_below(t);
        const bool between = axes[2].between(t);
        const float* const low = coarse_x_.data() + (below + first_coarse) * coarse_stride;
        kernels_.add_interpolated(matrix, t, axes[0], axes[1], low, low + coarse_stride,
                                  correction_factor * (between ? axes[2].high_weight(below) : 1.0f),
                                  correction_factor * (between ? axes[2].low_weight() : 0.0f), x.at(t),
                                  slab.row.data());
      }
      if (const int k = t - 1; is_at(k, 3))
        kernels_.gather(matrix, k, PointColour::odd, x.around(k), slab.odd.at(k));
      if (const int k = t - 2; is_at(k, 2))
        kernels_.relax(matrix, k, slab.odd.around(k), r + k * stride, x.at(k));
      if (const int k = t - 3; is_at(k, 1))
        kernels_.gather(matrix, k, PointColour::odd, x.around(k), slab.odd_after.at(k));
      if (const int k = t - 4; is_at(k, 0))
        sums_[std::size_t(planes_.at(0).first + k)] =
            kernels_.relax_and_dot(matrix, k, slab.odd_after.around(k), r + k * stride, x.at(k));
    }
  });
  return planes_.sum(sums_);
}

}  // namespace ionwell
