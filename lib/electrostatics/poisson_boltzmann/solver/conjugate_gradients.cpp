// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/poisson_boltzmann/solver/conjugate_gradients.hpp"

#include <algorithm>
#include <cmath>

#include "electrostatics/poisson_boltzmann/solver/plane_stages.hpp"

namespace ionwell {
namespace {

constexpr int planes_beside = 2;  // of a slab, that A p needs

}  // namespace

ConjugateGradients::ConjugateGradients(const RedBlackLevel& half, const PbLevels& levels, SimdLevel simd,
                                       ThreadPool& pool, HostWorkspace& workspace)
    : matrix_(half.matrix()),
      level_(levels.level(0)),
      kernels_(red_black_kernels(simd)),
      preconditioner_(half, levels, simd, pool),
      pool_(pool),
      workspace_(workspace),
      planes_(levels.planes()),
      sums_(std::size_t(planes_.at(0).whole)) {
  const int slabs = slab_count(planes_.at(0).inner(0).count(), threads_for_points(level_.size(), pool));
  for (int s = 0; s < slabs; ++s) slabs_.push_back({{matrix_.lattice, planes_beside}, {matrix_.lattice, 3}});
}

/// Calls work(k) for the inner planes that are this process's own.
template <typename Work>
void ConjugateGradients::for_own_planes(const Work& work) {
  const PlaneSpan own = planes_.at(0).inner(0);
  for_ranges(pool_, level_.size(), own.count(), [&](std::int64_t first, std::int64_t last) {
    for (int k = own.begin + int(first); k < own.begin + int(last); ++k) work(k);
  });
}

void ConjugateGradients::set_to_zero(float* values) {
  const std::int64_t size = matrix_.lattice.size();
  for_ranges(pool_, size, size,
             [&](std::int64_t first, std::int64_t last) { std::fill(values + first, values + last, 0.0f); });
}

void ConjugateGradients::clear() {
  r_ = workspace_.residual().data();
  e_ = workspace_.correction().data();
  p_ = workspace_.directions().data();
  z_ = p_ + matrix_.lattice.size();
  set_to_zero(r_);
  set_to_zero(e_);
}

void ConjugateGradients::start() {
  set_to_zero(p_);
  set_to_zero(z_);
  product_ = 0.0;
}

/// Of points of one colour.
void ConjugateGradients::divide_by_roots(PointColour colour, float* values) {
  const std::int64_t stride = matrix_.lattice.plane_stride();
  for_own_planes([&](int k) { kernels_.divide_by_roots(matrix_, k, colour, values + k * stride); });
}

void ConjugateGradients::take_residual() {
  const std::int64_t stride = matrix_.lattice.plane_stride();
  divide_by_roots(PointColour::even, r_);
  divide_by_roots(PointColour::odd, e_);
  planes_.fill_ghosts(0, e_, stride, 1);
  for_own_planes([&](int k) {
    const float* const odd = e_ + k * stride;
    kernels_.relax(matrix_, k, {odd - stride, odd, odd + stride}, r_ + k * stride, r_ + k * stride);
  });
  set_to_zero(e_);
}

float* ConjugateGradients::even_correction() {
  divide_by_roots(PointColour::even, e_);
  return e_;
}

double ConjugateGradients::iterate() {
  const double product = preconditioner_.apply(r_, z_);
  if (product == 0.0) return 0.0;  // there is no residual, or no even point
  const float beta = product_ == 0.0 ? 0.0f : float(product / product_);
  product_ = product;
  const double curvature = turn_and_apply(beta);
  if (!(curvature > 0.0)) return std::nan("");
  const float alpha = float(product / curvature);
  const std::int64_t stride = matrix_.lattice.plane_stride();
  for_own_planes([&](int k) {
    const std::int64_t at = k * stride;
    sums_[std::size_t(planes_.at(0).first + k)] =
        kernels_.step(matrix_, k, alpha, p_ + at, z_ + at, e_ + at, r_ + at);
  });
  return std::sqrt(planes_.sum(sums_));
}

/// p = z + beta p, and A p in place of z; returns their scalar product.
double ConjugateGradients::turn_and_apply(float beta) {
  const std::int64_t stride = matrix_.lattice.plane_stride(), slabs = std::ssize(slabs_);
  const int last_inner = level_.nz - 2;
  const PlaneSpan own = planes_.at(0).inner(0);
  const auto begin_of = [&](std::int64_t n) { return own.begin + int(own.count() * n / slabs); };
  for (float* const vector : {z_, p_}) planes_.fill_ghosts(0, vector, stride, planes_beside);
  parallel_for(pool_, slabs, [&](std::int64_t n) {
    PlaneSlab& p = slabs_[std::size_t(n)].direction;
    p.take(p_, begin_of(n), begin_of(n + 1));
    p.fill_beside([&](int k, float* copy) {
      kernels_.turn_direction(matrix_.lattice, k, z_ + k * stride, beta, p_ + k * stride, copy);
    });
  });
  parallel_for(pool_, slabs, [&](std::int64_t n) {
    Slab& slab = slabs_[std::size_t(n)];
    PlaneSlab& p = slab.direction;
    const int begin = begin_of(n), end = begin_of(n + 1);
    for (int t = begin - planes_beside; t < end + planes_beside; ++t) {
      if (t >= begin && t < end)
        kernels_.turn_direction(matrix_.lattice, t, z_ + t * stride, beta, p.at(t), p.at(t));
      if (const int k = t - 1; k >= std::max(begin - 1, 1) && k < std::min(end + 1, last_inner + 1))
        kernels_.gather(matrix_, k, PointColour::odd, p.around(k), slab.odd.at(k));
      if (const int k = t - 2; k >= begin && k < end)
        sums_[std::size_t(planes_.at(0).first + k)] =
            kernels_.apply_and_dot(matrix_, k, slab.odd.around(k), p.at(k), z_ + k * stride);
    }
  });
  return planes_.sum(sums_);
}

}  // namespace ionwell
