// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/electrostatics/forces/interpolated_forces.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "core/error.hpp"
#include "gpu/electrostatics/forces/force_kernels.cuh"
#include "gpu/electrostatics/forces/packed_nodes.hpp"
#include "gpu/runtime/device_buffer.hpp"
#include "gpu/runtime/device_scope.hpp"
#include "gpu/runtime/stage_timer.hpp"
#include "gpu/runtime/stream.hpp"
#include "parallel/thread_count.hpp"

namespace ionwell::gpu {
namespace {

DevicePose device_pose(const CellFrame& frame, const RigidPose& pose) {
  const auto& [x, y, z] = pose.rotation;
  const Vec3<double> rows[3] = {x, y, z};
  const double centre_A[3] = {pose.centre_A.x, pose.centre_A.y, pose.centre_A.z};
  DevicePose result{};
  for (int axis = 0; axis < 3; ++axis) {
    constexpr double far = 1 << 24;  // cells, from where on a body of less is outside
    const double per_A = frame.points_per_A[axis], u = (centre_A[axis] - frame.origin_A[axis]) * per_A;
    const double cell = std::isnan(u) ? 0.0 : std::clamp(std::floor(u), -far, far);
    result.turned[axis][0] = float(per_A * rows[axis].x);
    result.turned[axis][1] = float(per_A * rows[axis].y);
    result.turned[axis][2] = float(per_A * rows[axis].z);
    result.part[axis] = float(u - cell);
    result.cell[axis] = int(cell);
  }
  return result;
}

/// Makes room for `size` elements; what was there is lost when there was less.
template <typename T>
void reserve(DeviceBuffer<T>* buffer, std::size_t size, std::string_view what) {
  if (buffer->size() >= size) return;
  *buffer = DeviceBuffer<T>();  // first, so that both need not fit
  *buffer = DeviceBuffer<T>(size, what);
}

/// A body on the device.
struct DeviceBody {
  std::uint64_t id = 0;
  DeviceBuffer<float4> charges;
  int chunks = 0;

  void take(const RigidCharges& body, cudaStream_t stream) {
    if (id == body.id()) return;
    id = 0;
    std::vector<float4> host(body.x_A().size());
    for (std::size_t n = 0; n < host.size(); ++n)
      host[n] = {float(body.x_A()[n]), float(body.y_A()[n]), float(body.z_A()[n]), float(body.charge_e()[n])};
    charges = DeviceBuffer<float4>(host, stream, "a body's charges");
    check(cudaStreamSynchronize(stream), "copying a body's charges");
    chunks = int((host.size() + charges_of_block - 1) / charges_of_block);
    id = body.id();
  }
  /// Numbers in the parts of one pose's sums.
  std::size_t parts_of_pose() const { return std::size_t(chunks * warps_of_block * sums_of_body); }
};

class DeviceForces final : public InterpolatedForces {
 public:
  DeviceForces(int ordinal, const InterpolationNodes& nodes)
      : scope_(ordinal, ordinal),
        frame_(cell_frame(nodes.lattice)),
        is_cubic_(nodes.interpolation == ForceInterpolation::cubic_spline),
        nodes_({nodes.values.data(), nodes.values.size()}, nodes.counts, stream_) {
    scope_.close();
  }
  ~DeviceForces() override { scope_.open_if_possible(); }

  std::int64_t on_charges(std::span<const PointCharge> charges, std::span<ChargeForce> to) const override {
    if (charges.size() != to.size())
      fail<UsageError>("forces on ", charges.size(), " charges go into an array of ", to.size(),
                       "; it must be as long");
    constexpr std::size_t at_once = std::size_t(1) << 22;  // 200 MB of device memory
    const std::lock_guard lock(mutex_);
    const DeviceScope scope = scope_.enter();
    std::int64_t outside = 0;
    for (std::size_t first = 0; first < charges.size(); first += at_once) {
      const std::size_t count = std::min(at_once, charges.size() - first);
      reserve(&charges_, count, "charges");
      reserve(&forces_, count, "forces");
      charges_.copy_from(charges.subspan(first, count), stream_);
      StageTimer timer("forces", stream_);
      launch_on_charges(std::int64_t(count));
      timer.stop();
      const std::span<ChargeForce> part = to.subspan(first, count);
      forces_.copy_to(part, stream_);
      outside += std::count_if(part.begin(), part.end(),
                               [](const ChargeForce& f) { return std::isnan(f.energy_kT); });
    }
    return outside;
  }

  std::vector<BodyForce> on_body(const RigidCharges& body, std::span<const RigidPose> poses) const override {
    std::vector<BodyForce> forces(poses.size());
    if (body.size() == 0) return forces;
    constexpr std::size_t most = std::size_t(1) << 30, at_once = std::size_t(1) << 23;  // 64 MB of parts
    if (std::size_t(body.size()) > most)
      fail("a body of ", body.size(), " charges is too large for a GPU (2^30 at most); use --backend cpu");
    const std::lock_guard lock(mutex_);
    const DeviceScope scope = scope_.enter();
    body_.take(body, stream_);
    const std::size_t together = std::max(at_once / body_.parts_of_pose(), std::size_t{1});
    std::vector<DevicePose> host;
    std::vector<double> sums;
    for (std::size_t first = 0; first < poses.size(); first += together) {
      const std::size_t count = std::min(together, poses.size() - first);
      host.clear();
      for (const RigidPose& pose : poses.subspan(first, count)) host.push_back(device_pose(frame_, pose));
      reserve(&poses_, count, "poses");
      reserve(&parts_, count * body_.parts_of_pose(), "sums");
      reserve(&sums_, count * sums_of_body, "sums");
      poses_.copy_from(host, stream_);
      StageTimer timer("forces", stream_);
      launch_on_body(int(count));
      timer.stop();
      sums.resize(count * sums_of_body);
      sums_.copy_to(sums, stream_);
      for (std::size_t p = 0; p < count; ++p) {
        const double* const s = &sums[p * sums_of_body];
        forces[first + p] = {{s[0], s[1], s[2]}, {s[3], s[4], s[5]}, s[6], std::llround(s[7])};
      }
    }
    return forces;
  }

  std::optional<DeviceUse> device_use() const override { return scope_.meter()->use(); }

 private:
  /// Calls use(interpolation, quads) with the interpolation's type.
  template <typename Use>
  void visit(const Use& use) const {
    if (is_cubic_)
      use(CubicSplineOnDevice{}, nodes_.quads());
    else
      use(TrilinearOnDevice{}, nodes_.quads());
  }

  void launch_on_charges(std::int64_t count) const {
    visit([&](auto interpolation, const auto& quads) {
      force_on_charges<decltype(interpolation)><<<blocks_for(count), usual_threads, 0, stream_>>>(
          frame_, quads, charges_.data(), count, reinterpret_cast<float4*>(forces_.data()));
    });
    check_launch("forces on charges");
  }

  void launch_on_body(int count) const {
    // Charges stay in registers for several poses, where that leaves enough thread blocks.
    constexpr int enough_blocks = 4096, most_poses = 16;
    const int of_block =
        int(std::clamp<std::int64_t>(std::int64_t(count) * body_.chunks / enough_blocks, 1, most_poses));
    const int groups = (count + of_block - 1) / of_block;
    visit([&](auto interpolation, const auto& quads) {
      force_on_body<decltype(interpolation)><<<unsigned(groups * body_.chunks), body_threads, 0, stream_>>>(
          frame_, quads, body_.charges.data(), int(body_.charges.size()), body_.chunks, poses_.data(), count,
          of_block, parts_.data());
    });
    check_launch("forces on bodies");
    constexpr int warps = usual_threads / 32;
    add_parts_of_bodies<<<blocks_for(count, warps), usual_threads, 0, stream_>>>(
        parts_.data(), body_.chunks * warps_of_block, count, sums_.data());
    check_launch("adding up forces on bodies");
  }

  mutable std::mutex mutex_;  // for one call at a time
  FieldScope scope_;
  Stream stream_;
  CellFrame frame_;
  bool is_cubic_;
  PackedNodes nodes_;
  // What calls work with, kept from one to the next.
  mutable DeviceBuffer<PointCharge> charges_;
  mutable DeviceBuffer<ChargeForce> forces_;
  mutable DeviceBody body_;
  mutable DeviceBuffer<DevicePose> poses_;
  mutable DeviceBuffer<double> parts_, sums_;
};

}  // namespace

std::unique_ptr<InterpolatedForces> interpolated_forces(int ordinal, const PotentialOnLattice& potential,
                                                        ForceInterpolation interpolation) {
  return std::make_unique<DeviceForces>(ordinal,
                                        interpolation_nodes(potential, interpolation, thread_count(0)));
}

}  // namespace ionwell::gpu
