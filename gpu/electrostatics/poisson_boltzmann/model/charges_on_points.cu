// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/electrostatics/poisson_boltzmann/model/charges_on_points.hpp"

#include "gpu/runtime/launch.hpp"

namespace ionwell::gpu {
namespace {

constexpr double charge_steps = 1099511627776.0;  // 2^40 to an e: 0.9e-12 e each, and up to 8e6 e

/// The weights of a charge along each axis; none where it is far from the lattice.
struct ChargePlace {
  SplineWeights x, y, z;
  bool is_near;

  __device__ ChargePlace(const LatticeGeometry& lattice, const Vec3<double>& position_A, int degree) {
    const Vec3<double> r = position_A - lattice.origin_A;
    const Vec3<double>& h = lattice.spacing_A;
    const auto is_within = [](double place, std::int64_t n) {
      return place > -highest_spline_degree && place < double(n + highest_spline_degree);
    };
    const double at_x = r.x / h.x, at_y = r.y / h.y, at_z = r.z / h.z;
    is_near = is_within(at_x, lattice.counts.x) && is_within(at_y, lattice.counts.y) &&
              is_within(at_z, lattice.counts.z);
    if (!is_near) return;
    x = spline_weights(at_x, degree);
    y = spline_weights(at_y, degree);
    z = spline_weights(at_z, degree);
  }

  /// Calls visit(point, weight) for number `term` of its points, if the lattice has it.
  template <typename Visit>
  __device__ void visit(const LatticeGeometry& lattice, int degree, int term, const Visit& visit) const {
    const int across = degree + 1, a = term % across, b = term / across % across,
              c = term / (across * across);
    const std::int64_t i = x.first + a, j = y.first + b, k = z.first + c;
    if (i < 0 || j < 0 || k < 0 || i >= lattice.counts.x || j >= lattice.counts.y || k >= lattice.counts.z)
      return;
    visit(lattice.index(i, j, k), x.weight[a] * y.weight[b] * z.weight[c]);
  }
};

/// A warp for each charge.
__global__ void add_exactly_kernel(const SoluteAtom* atoms, std::int64_t count, int degree, int terms,
                                   LatticeGeometry lattice, unsigned long long* sums) {
  const std::int64_t n = (std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  if (n >= count) return;
  const PointCharge charge{atoms[n].position_A, atoms[n].charge_e};
  if (charge.charge_e == 0.0) return;
  const ChargePlace place(lattice, charge.position_A, degree);
  if (!place.is_near) return;
  for (int term = int(threadIdx.x % 32); term < terms; term += 32)
    place.visit(lattice, degree, term, [&](std::int64_t p, double weight) {
      // Two's complement: what is negative adds up as well.
      atomicAdd(sums + p, (unsigned long long)(llrint(charge_steps * (weight * charge.charge_e))));
    });
}

__global__ void round_charges_kernel(const long long* sums, std::int64_t count, float* charge_e) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n < count) charge_e[n] = float(double(sums[n]) / charge_steps);
}

/// One thread block, a thread for each point of a charge.
__global__ void add_in_order_kernel(const SoluteAtom* atoms, std::int64_t count, int degree, int terms,
                                    LatticeGeometry lattice, float* charge_e) {
  for (std::int64_t n = 0; n < count; ++n) {
    const PointCharge charge{atoms[n].position_A, atoms[n].charge_e};
    if (charge.charge_e == 0.0) continue;
    const ChargePlace place(lattice, charge.position_A, degree);
    if (place.is_near && int(threadIdx.x) < terms)
      place.visit(lattice, degree, int(threadIdx.x),
                  [&](std::int64_t p, double weight) { charge_e[p] += float(weight * charge.charge_e); });
    __syncthreads();
  }
}

__global__ void potential_at_charges_kernel(const PointCharge* charges, std::int64_t count, int degree,
                                            int terms, LatticeGeometry lattice, const double* phi,
                                            double* potential) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= count) return;
  const ChargePlace place(lattice, charges[n].position_A, degree);
  double sum = 0.0;
  for (int term = 0; place.is_near && term < terms; ++term)
    place.visit(lattice, degree, term,
                [&](std::int64_t p, double weight) { sum += weight * double(float(phi[p])); });
  potential[n] = sum;
}

int points_of_spline(int degree) {
  return (degree + 1) * (degree + 1) * (degree + 1);
}

}  // namespace

void assign_all_charges(const DeviceBuffer<SoluteAtom>& atoms, ChargeAssignment assignment,
                        const LatticeGeometry& lattice, void* room, float* charge_e, cudaStream_t stream) {
  const std::int64_t count = std::int64_t(atoms.size()), points = lattice.size();
  const int degree = spline_degree(assignment);
  check(cudaMemsetAsync(room, 0, std::size_t(points) * sizeof(long long), stream), "clearing charges");
  if (count > 0) {
    add_exactly_kernel<<<blocks_for(32 * count), usual_threads, 0, stream>>>(
        atoms.data(), count, degree, points_of_spline(degree), lattice,
        static_cast<unsigned long long*>(room));
    check_launch("assigning charges");
  }
  round_charges_kernel<<<blocks_for(points), usual_threads, 0, stream>>>(static_cast<const long long*>(room),
                                                                         points, charge_e);
  check_launch("assigning charges");
}

void assign_more_charges(const SoluteAtom* atoms, std::int64_t count, ChargeAssignment assignment,
                         const LatticeGeometry& lattice, float* charge_e, cudaStream_t stream) {
  const int degree = spline_degree(assignment), points = points_of_spline(degree);
  add_in_order_kernel<<<1, unsigned((points + 31) / 32 * 32), 0, stream>>>(atoms, count, degree, points,
                                                                           lattice, charge_e);
  check_launch("assigning more charges");
}

std::vector<double> potential_at_charges(const DeviceBuffer<PointCharge>& charges,
                                         ChargeAssignment assignment, const LatticeGeometry& lattice,
                                         const double* phi_kT_e, cudaStream_t stream) {
  if (charges.size() == 0) return {};
  const int degree = spline_degree(assignment);
  DeviceBuffer<double> potential(charges.size(), "the potential at charges");
  potential_at_charges_kernel<<<blocks_for(std::int64_t(charges.size())), usual_threads, 0, stream>>>(
      charges.data(), std::int64_t(charges.size()), degree, points_of_spline(degree), lattice, phi_kT_e,
      potential.data());
  check_launch("the potential at charges");
  return potential.to_host(stream);
}

}  // namespace ionwell::gpu
