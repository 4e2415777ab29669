// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/electrostatics/poisson_boltzmann/model/outermost_values.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "electrostatics/poisson_boltzmann/model/accessible_terms.hpp"
#include "electrostatics/poisson_boltzmann/model/lattice_face.hpp"
#include "gpu/runtime/launch.hpp"

namespace ionwell::gpu {
namespace {

constexpr int outermost_threads = 128;
constexpr int charges_summed_in_fp32 = 32;

/// Where places are few, thread blocks have parts of the charges: so many each.
constexpr std::int64_t charges_of_part = 64 * outermost_threads;

/// The outermost points of a lattice with three points or more along each axis, one after the other.
struct OutermostPoints {
  std::int64_t nx, ny, nz, count;

  explicit OutermostPoints(const LatticeGeometry& lattice)
      : nx(lattice.counts.x),
        ny(lattice.counts.y),
        nz(lattice.counts.z),
        count(2 * (ny * nz + (nx - 2) * nz + (nx - 2) * (ny - 2))) {}

  __device__ Vec3<std::int64_t> at(std::int64_t n) const {
    if (n < 2 * ny * nz) return {n % 2 * (nx - 1), n / 2 % ny, n / (2 * ny)};
    n -= 2 * ny * nz;
    if (n < 2 * (nx - 2) * nz) return {1 + n / 2 % (nx - 2), n % 2 * (ny - 1), n / (2 * (nx - 2))};
    n -= 2 * (nx - 2) * nz;
    return {1 + n / 2 % (nx - 2), 1 + n / (2 * (nx - 2)), n % 2 * (nz - 1)};
  }
};

/// Where atoms are, from the lattice's middle [A], and what is as far as they are of the potential there.
__global__ void boundary_charges_kernel(const SoluteAtom* atoms, std::int64_t count, Vec3<double> middle_A,
                                        double kappa, double prefactor_kT_A, float4* charges) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= count) return;
  const double charge_e = atoms[n].charge_e, radius_A = atoms[n].radius_A;
  const Vec3<double> r = atoms[n].position_A - middle_A;
  charges[n] = {float(r.x), float(r.y), float(r.z),
                float(prefactor_kT_A * charge_e * std::exp(kappa * radius_A) / (1.0 + kappa * radius_A))};
}

/// The sum at a place, from the lattice's middle [A], over charges `first` to `last` with all that belongs to
/// them. `kappa`: times the binary logarithm of e. For all threads of a block.
__device__ double debye_hueckel_sum(const Vec3<double>& from_middle_A, const float4* charges,
                                    std::int64_t first, std::int64_t last, float kappa) {
  __shared__ float4 staged[outermost_threads];
  const Vec3<float> at = as_fp32(from_middle_A);
  double sum = 0.0;
  for (; first < last; first += outermost_threads) {
    __syncthreads();
    const std::int64_t n = first + threadIdx.x;
    staged[threadIdx.x] = n < last ? charges[n] : float4{0.0f, 0.0f, 0.0f, 0.0f};
    __syncthreads();
    for (int group = 0; group < outermost_threads; group += charges_summed_in_fp32) {
      float of_group = 0.0f;
#pragma unroll 8
      for (int c = group; c < group + charges_summed_in_fp32; ++c) {
        const float4 charge = staged[c];
        const float dx = at.x - charge.x, dy = at.y - charge.y, dz = at.z - charge.z;
        const float r2 = fmaxf(dx * dx + dy * dy + dz * dz, 1e-6f), over_r = rsqrtf(r2);
        of_group += charge.w * over_r * exp2f(-kappa * r2 * over_r);
      }
      sum += double(of_group);
    }
  }
  return sum;
}

__global__ void __launch_bounds__(outermost_threads)
    sums_at_points_kernel(OutermostPoints points, LatticeGeometry lattice, Vec3<double> middle_A,
                          const float4* charges, std::int64_t count, float kappa, double* phi) {
  const std::int64_t n = std::int64_t(blockIdx.x) * outermost_threads + threadIdx.x;
  const Vec3<std::int64_t> point = points.at(n < points.count ? n : 0);
  const double sum =
      debye_hueckel_sum(lattice.position_A(point.x, point.y, point.z) - middle_A, charges, 0, count, kappa);
  if (n >= points.count) return;
  double& value = phi[lattice.index(point.x, point.y, point.z)];
  value = double(float(value) + float(sum));
}

__global__ void __launch_bounds__(outermost_threads)
    sums_at_places_kernel(const Vec3<double>* places_A, std::int64_t places, const float4* charges,
                          std::int64_t count, float kappa, double* sums) {
  const std::int64_t n = std::int64_t(blockIdx.x) * outermost_threads + threadIdx.x;
  const std::int64_t first = std::int64_t(blockIdx.y) * charges_of_part;
  const double sum = debye_hueckel_sum(places_A[n < places ? n : 0], charges, first,
                                       min((long long)(first + charges_of_part), (long long)(count)), kappa);
  if (n < places) sums[blockIdx.y * places + n] = sum;
}

/// To the first part's sums those of the others.
__global__ void add_parts_kernel(std::int64_t places, std::int64_t parts, double* sums) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= places) return;
  double sum = sums[n];
  for (std::int64_t part = 1; part < parts; ++part) sum += sums[part * places + n];
  sums[n] = sum;
}

/// A side of the lattice: its places among all, `along_u` of them in a row, and where to points of it go:
/// first + u step_u + v step_v. Weights are those of its points along u, and behind them along v.
struct SideOfPlaces {
  std::int64_t first_sum, places_u, first, step_u, step_v;
  int points_u, points_v, first_weight;
  int skipped_u, skipped_v;  // points at either end, which are another side's
};

__global__ void add_interpolated_sums_kernel(SideOfPlaces side, const CubicWeights* weights,
                                             const double* sums, double* phi) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const int u = int(n % side.points_u), v = int(n / side.points_u);
  if (v >= side.points_v || u < side.skipped_u || u >= side.points_u - side.skipped_u || v < side.skipped_v ||
      v >= side.points_v - side.skipped_v)
    return;
  const CubicWeights &x = weights[side.first_weight + u], &y = weights[side.first_weight + side.points_u + v];
  double sum = 0.0;
  for (int d = 0; d < 4; ++d)
    for (int c = 0; c < 4; ++c) {
      const double weight = y.weight[d] * x.weight[c];
      if (weight != 0.0) sum += weight * sums[side.first_sum + (y.first + d) * side.places_u + x.first + c];
    }
  double& value = phi[side.first + u * side.step_u + v * side.step_v];
  value = double(float(value) + float(sum));
}

/// Places on all six sides as lib has them, and how points follow from them.
struct PlacesOfSides {
  std::vector<SideOfPlaces> sides;
  std::vector<CubicWeights> weights;
  std::vector<Vec3<double>> places_A;  // from the lattice's middle

  /// `charges_A`: a box around the charges.
  PlacesOfSides(const LatticeGeometry& lattice, const Vec3<double>& middle_A, const Box& charges_A) {
    const std::array<std::int64_t, 3> stride{1, lattice.counts.x, lattice.counts.x * lattice.counts.y};
    const std::array<double, 3> low_A{charges_A.lowest_A.x, charges_A.lowest_A.y, charges_A.lowest_A.z},
        high_A{charges_A.highest_A.x, charges_A.highest_A.y, charges_A.highest_A.z};
    for_each_face(lattice, [&](const LatticeFace& face) {
      const std::size_t axis = sides.size() / 2;
      const bool is_last = sides.size() % 2 == 1;
      const std::array<double, 3> at{face.position_A(0, 0).x, face.position_A(0, 0).y,
                                     face.position_A(0, 0).z};
      const double distance_A = std::max({low_A[axis] - at[axis], at[axis] - high_A[axis], 0.0});
      const std::vector<double> u = places_along(face.count_u(), face.spacing_u_A(), distance_A),
                                v = places_along(face.count_v(), face.spacing_v_A(), distance_A);
      const std::size_t of_u = axis == 0 ? 1 : 0, of_v = axis == 2 ? 1 : 2;
      const std::array<std::int64_t, 3> counts{lattice.counts.x, lattice.counts.y, lattice.counts.z};
      sides.push_back({std::ssize(places_A), std::ssize(u), is_last ? (counts[axis] - 1) * stride[axis] : 0,
                       stride[of_u], stride[of_v], int(face.count_u()), int(face.count_v()),
                       int(weights.size()), int(axis > of_u), int(axis > of_v)});
      for (const auto& [count, places] : {std::pair{face.count_u(), &u}, {face.count_v(), &v}})
        for (std::int64_t n = 0; n < count; ++n)
          weights.push_back(std::ssize(*places) == count ? CubicWeights{n, {1.0}}
                                                         : cubic_weights(double(n), *places));
      for (const double y : v)
        for (const double x : u) places_A.push_back(face.position_A(x, y) - middle_A);
    });
  }
};

/// Along one axis: the two points of a lattice that a place lies between, and its part of the way.
struct BesidePlace {
  std::int64_t low, high;
  double part;

  __device__ BesidePlace(double place, std::int64_t count) {
    const double last = double(count - 1), inner = place < 0.0 ? 0.0 : (place > last ? last : place);
    low = min((long long)(inner), (long long)(count > 2 ? count - 2 : 0));
    high = min((long long)(low + 1), (long long)(count - 1));
    part = inner - double(low);
  }
};

__global__ void focus_kernel(OutermostPoints points, LatticeGeometry coarse, const double* coarse_kT_e,
                             LatticeGeometry lattice, double* phi) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= points.count) return;
  const Vec3<std::int64_t> point = points.at(n);
  const Vec3<double> r = lattice.position_A(point.x, point.y, point.z) - coarse.origin_A;
  const BesidePlace x(r.x / coarse.spacing_A.x, coarse.counts.x),
      y(r.y / coarse.spacing_A.y, coarse.counts.y), z(r.z / coarse.spacing_A.z, coarse.counts.z);
  double sum = 0.0;
  for (int corner = 0; corner < 8; ++corner) {
    const bool on_x = corner & 1, on_y = corner & 2, on_z = corner & 4;
    const double weight =
        (on_x ? x.part : 1.0 - x.part) * (on_y ? y.part : 1.0 - y.part) * (on_z ? z.part : 1.0 - z.part);
    if (weight == 0.0) continue;
    const std::int64_t at = coarse.index(on_x ? x.high : x.low, on_y ? y.high : y.low, on_z ? z.high : z.low);
    sum += weight * double(float(coarse_kT_e[at]));
  }
  phi[lattice.index(point.x, point.y, point.z)] = double(float(sum));
}

}  // namespace

void BoundarySums::add_debye_hueckel(const SoluteAtoms& atoms, const SoluteAtom* on_device,
                                     double solvent_dielectric, const PbSystem& system, double* phi_kT_e,
                                     cudaStream_t stream) {
  const double kappa = inverse_debye_length_per_A(system, solvent_dielectric),
               prefactor_kT_A = system.bjerrum_A / solvent_dielectric;
  const LatticeGeometry& lattice = system.lattice;
  const Vec3<double> middle_A =
      0.5 * (lattice.position_A(0, 0, 0) +
             lattice.position_A(lattice.counts.x - 1, lattice.counts.y - 1, lattice.counts.z - 1));
  const std::int64_t count = std::ssize(atoms.span());
  make_room(charges_, atoms.atoms.size(), "the boundary's charges");
  boundary_charges_kernel<<<blocks_for(count), usual_threads, 0, stream>>>(on_device, count, middle_A, kappa,
                                                                           prefactor_kT_A, charges_.data());
  check_launch("the boundary's charges");
  constexpr double log2_e = 1.4426950408889634;
  const float binary_kappa = float(kappa * log2_e);
  const OutermostPoints points(lattice);
  constexpr double few_terms = 2e9;  // a millisecond or two
  if (double(points.count) * double(count) <= few_terms) {
    sums_at_points_kernel<<<blocks_for(points.count, outermost_threads), outermost_threads, 0, stream>>>(
        points, lattice, middle_A, charges_.data(), count, binary_kappa, phi_kT_e);
    check_launch("the boundary's values");
    return;
  }
  const PlacesOfSides all(lattice, middle_A, atoms.around_A);
  make_room(places_A_, all.places_A.size(), "places on the boundary");
  make_room(weights_, all.weights.size(), "places on the boundary");
  places_A_.copy_from(all.places_A, stream);
  weights_.copy_from(all.weights, stream);
  const std::int64_t places = std::ssize(all.places_A),
                     parts = (count + charges_of_part - 1) / charges_of_part;
  make_room(sums_, std::size_t(parts * places), "sums on the boundary");
  sums_at_places_kernel<<<dim3(blocks_for(places, outermost_threads), unsigned(parts)), outermost_threads, 0,
                          stream>>>(places_A_.data(), places, charges_.data(), count, binary_kappa,
                                    sums_.data());
  add_parts_kernel<<<blocks_for(places), usual_threads, 0, stream>>>(places, parts, sums_.data());
  for (const SideOfPlaces& side : all.sides)
    add_interpolated_sums_kernel<<<blocks_for(std::int64_t(side.points_u) * side.points_v), usual_threads, 0,
                                   stream>>>(side, weights_.data(), sums_.data(), phi_kT_e);
  check_launch("the boundary's values");
}

void focus_boundary(const LatticeGeometry& coarse, const double* coarse_kT_e, const LatticeGeometry& lattice,
                    double* phi_kT_e, cudaStream_t stream) {
  const OutermostPoints points(lattice);
  focus_kernel<<<blocks_for(points.count), usual_threads, 0, stream>>>(points, coarse, coarse_kT_e, lattice,
                                                                       phi_kT_e);
  check_launch("the boundary's values");
}

}  // namespace ionwell::gpu
