// SPDX-License-Identifier: BSD-3-Clause
#include "bench/gpu/gpu_forces.hpp"

#include <cmath>
#include <cstdio>

#include "bench/forces/force_work.hpp"
#include "bench/measure.hpp"
#include "compute/backend.hpp"
#include "electrostatics/interpolated/interpolated_forces.hpp"
#include "gpu/backend.hpp"

namespace ionwell {
namespace {

double device_s(const InterpolatedForces& forces) {
  double sum = 0.0;
  const std::optional<DeviceUse> use = forces.device_use();
  for (const auto& [stage, time_s] : use->stage_s) sum += time_s;
  return sum;
}

/// Medians over runs after one that does not count.
struct RunTimes {
  double device_s, call_s;
};

template <typename Compute>
RunTimes times_of(const InterpolatedForces& forces, int repeats, const Compute& compute) {
  std::vector<double> device_times, call_times;
  for (int n = -1; n < repeats; ++n) {
    const double before = device_s(forces), call_s = seconds(compute);
    if (n < 0) continue;
    device_times.push_back(device_s(forces) - before);
    call_times.push_back(call_s);
  }
  return {median(device_times), median(call_times)};
}

/// Root mean square of the differences between torques, relative to that of the torques.
double torque_difference(const std::vector<BodyForce>& a, const std::vector<BodyForce>& b) {
  double difference2 = 0.0, all2 = 0.0;
  for (std::size_t n = 0; n < a.size(); ++n) {
    const Vec3<double> d = a[n].torque_kT - b[n].torque_kT;
    difference2 += dot(d, d);
    all2 += dot(b[n].torque_kT, b[n].torque_kT);
  }
  return std::sqrt(difference2 / all2);
}

}  // namespace

void print_force_rows(std::ostream& out, int repeats) {
  const int device = gpu_backend().devices().devices.front().number;
  char row[256];
  std::snprintf(row, sizeof row, "\n%-9s %-9s %-28s %12s %8s %12s   %s\n", "forces", "points", "on", "per s",
                "of bar", "per s, call", "check");
  out << row;
  for (const std::int64_t edge : {96, 128, 160, 200}) {
    const ForceWork work(edge, std::size_t(1) << 22, 10000);
    const std::vector<RigidPose> few(work.poses.begin(), work.poses.begin() + 100);
    for (const ForceInterpolation interpolation :
         {ForceInterpolation::trilinear, ForceInterpolation::cubic_spline}) {
      const bool is_cubic = interpolation == ForceInterpolation::cubic_spline;
      const double bar = is_cubic ? 2e10 : 1e11;
      const std::vector<BodyForce> expected =
          make_host_forces(work.potential(), {.interpolation = interpolation, .threads = 0})
              ->on_body(work.body, few);
      const auto forces = gpu_backend().interpolated_forces(device, work.potential(), interpolation);
      const auto print = [&](const std::string& on, double count, const RunTimes& times, double difference) {
        char size[32];
        std::snprintf(size, sizeof size, "%lld^3", static_cast<long long>(edge));
        std::snprintf(row, sizeof row, "%-9s %-9s %-28s %12.3e %8.2f %12.3e",
                      is_cubic ? "tricubic" : "trilinear", size, on.c_str(), count / times.device_s,
                      count / times.device_s / bar, count / times.call_s);
        out << row;
        if (difference >= 0) {
          std::snprintf(row, sizeof row, "   torques differ from the host's by %.1e", difference);
          out << row;
        }
        out << '\n' << std::flush;
      };
      for (const bool many : {true, false}) {
        const std::span<const RigidPose> poses = many ? std::span<const RigidPose>(work.poses) : few;
        std::vector<BodyForce> sums;
        const RunTimes times = times_of(*forces, repeats, [&] { sums = forces->on_body(work.body, poses); });
        sums.resize(few.size());
        print(std::to_string(poses.size()) + " bodies of 10,000", double(poses.size()) * 1e4, times,
              torque_difference(sums, expected));
      }
      std::vector<ChargeForce> to(work.anywhere.size());
      print("charges anywhere", double(to.size()),
            times_of(*forces, repeats, [&] { forces->on_charges(work.anywhere, to); }), -1.0);
      print("charges in order", double(to.size()),
            times_of(*forces, repeats, [&] { forces->on_charges(work.nearby, to); }), -1.0);
    }
  }
}

}  // namespace ionwell
