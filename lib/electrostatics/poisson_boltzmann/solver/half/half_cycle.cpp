#include "electrostatics/poisson_boltzmann/solver/half/half_cycle.hpp"

#include <algorithm>

#include "electrostatics/poisson_boltzmann/solver/plane_stages.hpp"

namespace ionwell {
namespace {

constexpr int collected_planes = 3;  // that make up a coarse one

}  // namespace

HalfCycle::HalfCycle(const HalfLevel& half, const PbLevels& levels, SimdLevel simd, ThreadPool& pool)
    : half_(half),
      levels_(levels),
      kernels_(half_kernels(simd)),
      pool_(pool),
      coarse_(levels, 1, simd, pool),
      sums_(std::size_t(levels.level(0).nz)) {
  if (levels.count() == 1) return;  // one inner point, an odd one
  const PbLevel& coarse = levels.level(1);
  for (LargeArray<float>* array : {&coarse_b_, &coarse_x_}) {
    *array = LargeArray<float>(std::size_t(coarse.size()));
    std::fill(array->data(), array->data() + coarse.size(), 0.0f);
  }
  const HalfLattice& lattice = half.matrix().lattice;
  const int threads = threads_for_points(levels.level(0).size(), pool);
  const int slabs = std::min(slab_count(lattice, threads), coarse.nz - 2);
  for (int s = 0; s < slabs; ++s)
    slabs_.push_back({{lattice, 3},
                      {lattice, 3},
                      {lattice, 3},
                      {lattice, 4},
                      std::vector<float>(std::size_t(collected_planes * coarse.plane_stride())),
                      std::vector<float>(2 * std::size_t(lattice.nx))});
}

double HalfCycle::apply(const float* r, float* z) {
  if (slabs_.empty()) return 0.0;
  go_down(r, z);
  coarse_.apply(coarse_b_.data(), coarse_x_.data());
  return go_up(r, z);
}

HalfCycle::Range HalfCycle::coarse_range(int slab) const {
  const int planes = levels_.level(1).nz - 2, slabs = int(slabs_.size());
  return {1 + planes * slab / slabs, 1 + planes * (slab + 1) / slabs};
}

/// The first plane that belongs to the slab of a coarse plane and those behind it.
int HalfCycle::begin_of(int coarse_plane) const {
  const AxisCoarsening& along_z = levels_.coarsening(0)[2];
  if (coarse_plane == levels_.level(1).nz - 1) return half_.matrix().lattice.nz - 1;
  return along_z.fine_of(coarse_plane) - (along_z.halved ? 1 : 0);
}

/// Two sweeps from zero, of which the first is x = r, and the residual to the coarse right side. A slab does
/// the planes beside it that it needs once more.
void HalfCycle::go_down(const float* r, float* z) {
  const HalfMatrix& matrix = half_.matrix();
  const std::int64_t stride = matrix.lattice.plane_stride();
  const std::array<AxisCoarsening, 3>& axes = levels_.coarsening(0);
  const int nz = matrix.lattice.nz;
  const std::int64_t coarse_stride = levels_.level(1).plane_stride();
  parallel_for(pool_, std::ssize(slabs_), [&](std::int64_t number) {
    Slab& slab = slabs_[std::size_t(number)];
    const Range coarse = coarse_range(int(number));
    const int begin = begin_of(coarse.begin), end = begin_of(coarse.end);
    const int last = std::min(axes[2].halved ? axes[2].fine_of(coarse.end - 1) + 1 : end - 1, nz - 2);
    const auto x = [&](int k) { return k >= begin && k < end ? z + k * stride : slab.even.at(k); };
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
}

void HalfCycle::collect(Slab& slab, int coarse_plane) {
  const AxisCoarsening& along_z = levels_.coarsening(0)[2];
  const int at = along_z.fine_of(coarse_plane), nz = half_.matrix().lattice.nz;
  const std::int64_t size = levels_.level(1).plane_stride();
  const auto plane = [&](int k) -> const float* {
    return slab.collected.data() + k % collected_planes * size;
  };
  const float* __restrict middle = plane(at);
  float* __restrict to = coarse_b_.data() + coarse_plane * size;
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
double HalfCycle::go_up(const float* r, float* z) {
  const HalfMatrix& matrix = half_.matrix();
  const std::int64_t stride = matrix.lattice.plane_stride();
  const std::array<AxisCoarsening, 3>& axes = levels_.coarsening(0);
  const std::int64_t coarse_stride = levels_.level(1).plane_stride();
  const int inner = matrix.lattice.nz - 2;
  const std::int64_t slabs = std::ssize(slabs_);
  const auto begin_of_slab = [&](std::int64_t n) { return 1 + int(inner * n / slabs); };
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
      return k >= std::max(begin - beside, 1) && k < std::min(end + beside, inner + 1);
    };
    for (int t = begin - 4; t < end + 4; ++t) {
      if (is_at(t, 4)) {
        const int below = axes[2].coarse_below(t);
        const bool between = axes[2].between(t);
        const float* const low = coarse_x_.data() + below * coarse_stride;
        kernels_.add_interpolated(matrix, t, axes[0], axes[1], low, low + coarse_stride,
                                  between ? axes[2].high_weight(below) : 1.0f,
                                  between ? axes[2].low_weight() : 0.0f, x.at(t), slab.row.data());
      }
      if (const int k = t - 1; is_at(k, 3))
        kernels_.gather(matrix, k, PointColour::odd, x.around(k), slab.odd.at(k));
      if (const int k = t - 2; is_at(k, 2))
        kernels_.relax(matrix, k, slab.odd.around(k), r + k * stride, x.at(k));
      if (const int k = t - 3; is_at(k, 1))
        kernels_.gather(matrix, k, PointColour::odd, x.around(k), slab.odd_after.at(k));
      if (const int k = t - 4; is_at(k, 0))
        sums_[std::size_t(k)] =
            kernels_.relax_and_dot(matrix, k, slab.odd_after.around(k), r + k * stride, x.at(k));
    }
  });
  double sum = 0.0;
  for (int k = 1; k <= inner; ++k) sum += sums_[std::size_t(k)];
  return sum;
}

}  // namespace ionwell
