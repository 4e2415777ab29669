#include "electrostatics/poisson_boltzmann/solver/conjugate_gradients.hpp"

#include <algorithm>
#include <cmath>

#include "electrostatics/poisson_boltzmann/solver/plane_stages.hpp"
#include "electrostatics/simd/kernel_tables.hpp"

namespace ionwell {

IONWELL_KERNEL_TABLES(PbKernels, pb_kernels)

namespace {

void set_to_zero(LargeArray<float>& values, std::int64_t size, ThreadPool& pool) {
  for_ranges(pool, size, size, [&](std::int64_t first, std::int64_t last) {
    std::fill(values.data() + first, values.data() + last, 0.0f);
  });
}

}  // namespace

ConjugateGradients::ConjugateGradients(const PbLevels& levels, SimdLevel simd, ThreadPool& pool,
                                       HostWorkspace& workspace)
    : level_(levels.level(0)),
      kernels_(pb_kernels(simd)),
      preconditioner_(levels, simd, pool),
      pool_(pool),
      r_(workspace.residual()),
      e_(workspace.correction()),
      p_(workspace.direction()),
      z_(workspace.preconditioned()),
      planes_(levels.planes()),
      sums_(std::size_t(planes_.at(0).whole)) {}

void ConjugateGradients::clear() {
  set_to_zero(r_, level_.size(), pool_);
  set_to_zero(z_, level_.size(), pool_);
}

void ConjugateGradients::clear_correction() {
  set_to_zero(e_, level_.size(), pool_);
}

void ConjugateGradients::start() {
  clear_correction();
  set_to_zero(p_, level_.size(), pool_);
  product_ = 0.0;
}

double ConjugateGradients::iterate() {
  const double product = preconditioner_.apply(r_.data(), z_.data());
  const float beta = product_ == 0.0 ? 0.0f : float(product / product_);
  product_ = product;
  const LevelPlanes& planes = planes_.at(0);
  const PlaneSpan turned = planes.inner(1);
  run_plane_stages(pool_, level_.size(), turned.begin, turned.end, 2, planes.ends(), [&](int stage, int k) {
    if (stage == 0) return kernels_.turn_direction(level_, k, z_.data(), beta, p_.data());
    sums_[std::size_t(planes.first + k)] = kernels_.apply_and_dot(level_, k, p_.data(), z_.data());
  });
  const double curvature = planes_.sum(sums_);
  if (!(curvature > 0.0)) return std::nan("");
  const float alpha = float(product / curvature);
  const PlaneSpan own = planes.inner(0);
  for_ranges(pool_, level_.size(), own.count(), [&](std::int64_t first, std::int64_t last) {
    for (int k = own.begin + int(first); k < own.begin + int(last); ++k)
      sums_[std::size_t(planes.first + k)] =
          kernels_.step(level_, k, alpha, p_.data(), z_.data(), e_.data(), r_.data());
  });
  return std::sqrt(planes_.sum(sums_));
}

}  // namespace ionwell
