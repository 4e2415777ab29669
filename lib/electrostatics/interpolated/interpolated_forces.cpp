// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/interpolated/interpolated_forces.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "electrostatics/interpolated/simd/force_kernels.hpp"
#include "parallel/parallel_for.hpp"
#include "parallel/thread_count.hpp"

namespace ionwell {
namespace {

/// Nodes in fours, as QuadLattice has them.
class Quads {
 public:
  Quads(const InterpolationNodes& nodes, int threads)
      : counts_{nodes.counts.x, nodes.counts.y - 1, nodes.counts.z - 1},
        values_(std::size_t(4 * counts_.x * counts_.y * counts_.z)) {
    parallel_for({threads}, counts_.y * counts_.z, [&](std::int64_t row) {
      const std::int64_t j = row % counts_.y, k = row / counts_.y, nx = counts_.x;
      const float* const from = nodes.values.data() + nx * (j + nodes.counts.y * k);
      const float* const above = from + nx * nodes.counts.y;
      float* const to = values_.data() + 4 * nx * row;
      for (std::int64_t i = 0; i < nx; ++i) {
        to[4 * i] = from[i];
        to[4 * i + 1] = from[nx + i];
        to[4 * i + 2] = above[i];
        to[4 * i + 3] = above[nx + i];
      }
    });
  }

  QuadLattice in(const LatticeGeometry& lattice) const {
    const Vec3<double>&origin = lattice.origin_A, &spacing = lattice.spacing_A;
    const Vec3<std::int64_t>& counts = lattice.counts;
    const auto last_cell = [](std::int64_t n) { return double(std::max(n - 2, std::int64_t{0})); };
    const auto slope = [](std::int64_t n, double spacing_A) { return n > 1 ? 1.0 / spacing_A : 0.0; };
    return {values_.data(),
            {1.0, double(counts_.x), double(counts_.x * counts_.y)},
            {origin.x, origin.y, origin.z},
            {1.0 / spacing.x, 1.0 / spacing.y, 1.0 / spacing.z},
            {slope(counts.x, spacing.x), slope(counts.y, spacing.y), slope(counts.z, spacing.z)},
            {double(counts.x - 1), double(counts.y - 1), double(counts.z - 1)},
            {last_cell(counts.x), last_cell(counts.y), last_cell(counts.z)}};
  }

 private:
  Vec3<std::int64_t> counts_;
  LargeArray<float> values_;
};

class HostForces final : public InterpolatedForces {
 public:
  HostForces(const InterpolationNodes& nodes, const InterpolatedForceOptions& options)
      : threads_(thread_count(options.threads)),
        quads_(nodes, threads_),
        lattice_(quads_.in(nodes.lattice)),
        kernels_(force_kernels(options.simd)),
        is_cubic_(options.interpolation == ForceInterpolation::cubic_spline) {}

  std::int64_t on_charges(std::span<const PointCharge> charges, std::span<ChargeForce> to) const override {
    static_assert(sizeof(PointCharge) == 4 * sizeof(double) && sizeof(ChargeForce) == 4 * sizeof(float));
    if (charges.size() != to.size())
      fail<UsageError>("forces on ", charges.size(), " charges go into an array of ", to.size(),
                       "; it must be as long");
    const auto kernel = is_cubic_ ? kernels_.on_charges_cubic : kernels_.on_charges_trilinear;
    const auto forces = [&](std::int64_t first, std::int64_t last) {
      if (first == last) return std::int64_t{0};
      return kernel(lattice_, &charges[std::size_t(first)].position_A.x, last - first,
                    &to[std::size_t(first)].force_kT_A.x);
    };
    const auto count = std::int64_t(charges.size());
    constexpr std::int64_t worth_threads = 4096;
    if (threads_ == 1 || count < worth_threads) return forces(0, count);
    const std::int64_t chunks = (count + chunk - 1) / chunk;
    std::vector<std::int64_t> outside(static_cast<std::size_t>(chunks));
    parallel_for({threads_, 1}, chunks, [&](std::int64_t c) {
      outside[std::size_t(c)] = forces(chunk * c, std::min(count, chunk * (c + 1)));
    });
    std::int64_t sum = 0;
    for (const std::int64_t n : outside) sum += n;
    return sum;
  }

  std::vector<BodyForce> on_body(const RigidCharges& body, std::span<const RigidPose> poses) const override {
    const std::int64_t chunks = (body.size() + chunk - 1) / chunk, poses_count = std::ssize(poses);
    std::vector<BodySums> parts(static_cast<std::size_t>(chunks * poses_count));
    parallel_for({threads_, 1}, std::ssize(parts), [&](std::int64_t n) {
      parts[std::size_t(n)] = sums_of(body, n % chunks * chunk, poses[std::size_t(n / chunks)]);
    });
    std::vector<BodyForce> forces(poses.size());
    for (std::size_t p = 0; p < poses.size(); ++p)
      for (std::int64_t c = 0; c < chunks; ++c) {
        const BodySums& part = parts[p * std::size_t(chunks) + std::size_t(c)];
        BodyForce& sum = forces[p];
        const auto& [f, t, energy_kT, outside] = part;
        sum.force_kT_A = sum.force_kT_A + Vec3<double>{f[0], f[1], f[2]};
        sum.torque_kT = sum.torque_kT + Vec3<double>{t[0], t[1], t[2]};
        sum.energy_kT += energy_kT;
        sum.outside += outside;
      }
    return forces;
  }

  std::optional<DeviceUse> device_use() const override { return {}; }

 private:
  static constexpr std::int64_t chunk = 8192;  // charges; a multiple of body_batch

  BodySums sums_of(const RigidCharges& body, std::int64_t first, const RigidPose& pose) const {
    const auto n = std::size_t(first);
    const auto& [x, y, z] = pose.rotation;
    const Vec3<double>& at = pose.centre_A;
    const auto kernel = is_cubic_ ? kernels_.on_body_cubic : kernels_.on_body_trilinear;
    return kernel(lattice_,
                  {&body.x_A()[n], &body.y_A()[n], &body.z_A()[n], &body.charge_e()[n],
                   std::min(chunk, body.size() - first)},
                  {{{x.x, x.y, x.z}, {y.x, y.y, y.z}, {z.x, z.y, z.z}}, {at.x, at.y, at.z}});
  }

  int threads_;
  Quads quads_;
  QuadLattice lattice_;
  const ForceKernels& kernels_;
  bool is_cubic_;
};

}  // namespace

std::unique_ptr<InterpolatedForces> make_host_forces(const PotentialOnLattice& potential,
                                                     const InterpolatedForceOptions& options) {
  return std::make_unique<HostForces>(
      interpolation_nodes(potential, options.interpolation, thread_count(options.threads)), options);
}

}  // namespace ionwell
