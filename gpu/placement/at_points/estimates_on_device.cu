// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/placement/at_points/estimates_on_device.hpp"

#include <math_constants.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "electrostatics/periodic/image_polynomials.hpp"
#include "gpu/runtime/device_buffer.hpp"
#include "gpu/runtime/device_scope.hpp"
#include "gpu/runtime/launch.hpp"
#include "gpu/runtime/pinned_buffer.hpp"
#include "gpu/runtime/stream.hpp"
#include "placement/at_points/point_estimate.hpp"

namespace ionwell::gpu {
namespace {

constexpr std::size_t charges_of_launch = 16, taken_of_launch = 256;  // that a launch has as arguments

struct ChargeBatch {
  int count;
  PointCharge charges[charges_of_launch];
};

struct TakenBatch {
  int count;
  std::uint32_t places[taken_of_launch];
};

/// What a search has found so far.
struct Found {
  unsigned long long lowest;  // order_of_number of what the lowest energy is not above
  std::uint32_t count;        // of candidates
};

struct FoundPoint {
  double least_kT;
  std::uint32_t place;
};

/// Whole numbers in the order of the numbers, for atomicMin.
__device__ inline unsigned long long order_of_number(double x) {
  const auto bits = static_cast<unsigned long long>(__double_as_longlong(x));
  return bits >> 63 ? ~bits : bits | 1ull << 63;
}

__device__ inline double number_of_order(unsigned long long order) {
  return __longlong_as_double(static_cast<long long>(order >> 63 ? order & ~(1ull << 63) : ~order));
}

/// Begins a search, without the points that were taken away: no number is an estimate of theirs.
__global__ void begin_search(const __grid_constant__ TakenBatch taken, PointEstimate* estimates,
                             Found* found) {
  if (threadIdx.x == 0) *found = {order_of_number(CUDART_INF), 0};
  if (int(threadIdx.x) < taken.count) estimates[taken.places[threadIdx.x]].value_kT_e = CUDART_NAN;
}

/// Adds charges to the estimates, and finds what the lowest energy is not above.
__global__ void __launch_bounds__(usual_threads)
    add_and_search(const __grid_constant__ ChargeBatch batch, const __grid_constant__ PairPotential pair,
                   const __grid_constant__ PeriodicImages images, const Vec3<double>* positions_A,
                   PointEstimate* estimates, std::int64_t count, double charge_e, Found* found) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  double most_kT = CUDART_INF;
  if (n < count) {
    PointEstimate estimate = estimates[n];
    if (!isnan(estimate.value_kT_e)) {
      const Vec3<double> at_A = positions_A[n];
      for (int c = 0; c < batch.count; ++c) {
        const PointCharge& charge = batch.charges[c];
        estimate.add(charge.charge_e, PointEstimate::of_unit(pair, images, at_A - charge.position_A));
      }
      if (batch.count > 0) estimates[n] = estimate;
      most_kT = estimate.most_kT(charge_e);
    }
  }
  for (int away = 16; away > 0; away /= 2)
    most_kT = fmin(most_kT, __shfl_down_sync(0xffffffffu, most_kT, away));
  __shared__ double of_warp[usual_threads / 32];
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = most_kT;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int warp = 1; warp < usual_threads / 32; ++warp) most_kT = fmin(most_kT, of_warp[warp]);
  atomicMin(&found->lowest, order_of_number(most_kT));
}

/// Lists the points whose energies may be that low; in any order, and no more than there is room for.
__global__ void list_candidates(const PointEstimate* estimates, std::int64_t count, double charge_e,
                                double tie_kT, Found* found, FoundPoint* list, std::uint32_t room) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= count) return;
  const double least_kT = estimates[n].least_kT(charge_e);  // no number if the point is not available
  if (!(least_kT <= number_of_order(found->lowest) + tie_kT)) return;
  if (const std::uint32_t at = atomicAdd(&found->count, 1u); at < room)
    list[at] = {least_kT, std::uint32_t(n)};
}

class EstimatesOnDevice final : public PointEstimates {
 public:
  EstimatesOnDevice(int device, const PairPotential& pair, const ImagePolynomials* images,
                    const EstimatedPoints& points)
      : scope_(device, device), pair_(pair), points_(points.groups.order()), place_of_(points_.size()) {
    std::vector<Vec3<double>> positions_A(points_.size());
    std::vector<PointEstimate> estimates(points_.size());
    for (std::size_t place = 0; place < points_.size(); ++place) {
      const std::uint32_t point = points_[place];
      place_of_[point] = std::uint32_t(place);
      positions_A[place] = points.positions_A[point];
      constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
      estimates[place].value_kT_e = points.available[point] ? points.potential_kT_e[point] : no_number;
    }
    positions_d_ = {positions_A, stream_, "the points"};
    estimates_d_ = {estimates, stream_, "the points"};
    if (images != nullptr) {
      rows_d_ = {image_rows(*images), stream_, "the images"};
      images_ = {images->nodes(), rows_d_.data()};
    }
    check(cudaStreamSynchronize(stream_), "copying points");
    scope_.close();
  }

  ~EstimatesOnDevice() override { scope_.open_if_possible(); }
  EstimatesOnDevice(const EstimatesOnDevice&) = delete;
  EstimatesOnDevice& operator=(const EstimatesOnDevice&) = delete;

  void add(std::span<const PointCharge> charges) override {
    charges_.insert(charges_.end(), charges.begin(), charges.end());
  }

  void take_away(std::uint32_t point) override { taken_.push_back(place_of_[point]); }

  std::vector<Candidate> candidates(double charge_e, double tie_kT) override {
    if (points_.empty()) return {};
    const DeviceScope scope = scope_.enter();
    std::size_t charges = 0, taken = 0;
    do {
      launch_search(charge_e, charges, taken);
    } while (charges < charges_.size() || taken < taken_.size());
    charges_.clear();
    taken_.clear();
    list(charge_e, tie_kT);
    if (const std::size_t count = found_.data()->count; count > list_.size()) {
      list_ = PinnedBuffer<FoundPoint>(2 * count);
      const std::uint32_t none = 0;
      check(cudaMemcpyAsync(&found_d_.data()->count, &none, sizeof none, cudaMemcpyHostToDevice, stream_),
            "listing points again");
      list(charge_e, tie_kT);
    }
    std::vector<Candidate> candidates;
    for (std::size_t n = 0; n < found_.data()->count; ++n)
      candidates.push_back({list_.data()[n].least_kT, points_[list_.data()[n].place]});
    sort(candidates);
    return candidates;
  }

 private:
  /// With the next charges, and without the next points that were taken away.
  void launch_search(double charge_e, std::size_t& charges, std::size_t& taken) {
    TakenBatch without{};
    without.count = int(std::min(taken_.size() - taken, taken_of_launch));
    std::copy_n(taken_.begin() + std::ptrdiff_t(taken), without.count, without.places);
    taken += std::size_t(without.count);
    ChargeBatch with{};
    with.count = int(std::min(charges_.size() - charges, charges_of_launch));
    std::copy_n(charges_.begin() + std::ptrdiff_t(charges), with.count, with.charges);
    charges += std::size_t(with.count);
    begin_search<<<1, taken_of_launch, 0, stream_>>>(without, estimates_d_.data(), found_d_.data());
    check_launch("taking points away");
    add_and_search<<<blocks(), usual_threads, 0, stream_>>>(with, pair_, images_, positions_d_.data(),
                                                            estimates_d_.data(), std::ssize(points_),
                                                            charge_e, found_d_.data());
    check_launch("adding charges at points");
  }

  /// Waits until candidates are listed, and their number is known.
  void list(double charge_e, double tie_kT) {
    list_candidates<<<blocks(), usual_threads, 0, stream_>>>(estimates_d_.data(), std::ssize(points_),
                                                             charge_e, tie_kT, found_d_.data(), list_.data(),
                                                             std::uint32_t(list_.size()));
    check_launch("listing points");
    check(cudaMemcpyAsync(found_.data(), found_d_.data(), sizeof(Found), cudaMemcpyDeviceToHost, stream_),
          "listing points");
    check(cudaStreamSynchronize(stream_), "listing points");
  }

  unsigned blocks() const { return blocks_for(std::ssize(points_)); }

  static constexpr std::size_t usual_room = 1024;  // for candidates; usually there are one to three

  FieldScope scope_;
  Stream stream_;
  PairPotential pair_;
  std::span<const std::uint32_t> points_;  // neighbours in space are neighbours here
  std::vector<std::uint32_t> place_of_;    // by point: where that is in points_
  PeriodicImages images_;
  DeviceBuffer<Vec3<double>> positions_d_;
  DeviceBuffer<PointEstimate> estimates_d_;
  DeviceBuffer<ImageRow> rows_d_;
  DeviceBuffer<Found> found_d_{1};
  PinnedBuffer<Found> found_{1};
  PinnedBuffer<FoundPoint> list_{usual_room};
  std::vector<PointCharge> charges_;  // that the device does not have yet
  std::vector<std::uint32_t> taken_;  // and places that it still has
};

}  // namespace

std::unique_ptr<PointEstimates> estimates_on_device(int device, const PairPotential& pair,
                                                    const ImagePolynomials* images,
                                                    const EstimatedPoints& points) {
  return std::make_unique<EstimatesOnDevice>(device, pair, images, points);
}

}  // namespace ionwell::gpu
