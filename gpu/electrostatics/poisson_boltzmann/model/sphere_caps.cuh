// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

#include "electrostatics/poisson_boltzmann/model/accessible_terms.hpp"
#include "gpu/electrostatics/poisson_boltzmann/model/accessible_parts.hpp"
#include "gpu/electrostatics/poisson_boltzmann/model/near_walk.cuh"

/// What neighbours take of a sphere, by a warp: the caps of lib's SphereCutter.
namespace ionwell::gpu {

constexpr unsigned whole_warp = 0xffffffffu;

__device__ inline int lane_of_warp() {
  return int(threadIdx.x % 32);
}

/// Columns of numbers for as many spheres as meet one: memory of a warp.
enum CutterColumn {
  met_cosine,                  // of those that meet it
  met_is_inside = met_cosine,  // in another one's cap, when they are sorted
  kept_x,                      // from the sphere's centre to those whose caps are in no other one
  kept_y,
  kept_z,
  kept_q,  // |away|^2 - radius^2 + the sphere's own radius^2
  kept_axis_x,
  kept_axis_y,
  kept_axis_z,
  kept_cosine,
  kept_sine,
  kept_columns_end,
  part_u = kept_columns_end,  // what spheres cover of a circle: the middle of each part
  part_v,
  part_cosine,  // of half its angle
  part_first_u,
  part_first_v,
  part_last_u,
  part_last_v,
  end_u,  // two columns each, of open ends, and of pairs of them
  end_v = end_u + 2,
  end_begins = end_v + 2,
  pair_first_u = end_begins + 2,
  pair_first_v,
  pair_last_u,
  pair_last_v,
  cutter_columns
};

/// A warp's memory.
struct CutterRoom {
  double* numbers;
  std::int32_t *met, *kept;  // places of balls: of all that meet it, and sorted
  int room;

  __device__ double& at(int column, int n) const { return numbers[std::int64_t(column) * room + n]; }
};

/// Counts the spheres that meet the ball at `place` in a circle, and notes them and the cosines of their
/// caps, as many as there is room for; -1 when another ball holds it. Of equal balls the first stays.
__device__ inline int find_meeting_spheres(const BallView& balls, std::int64_t place,
                                           const CutterRoom& room) {
  const Ball own = balls.at(place);
  const double r = own.radius_A;
  int count = 0;
  bool is_held = false;
  over_near(balls.grid, balls.start, own.centre_A, own.centre_A, r + balls.largest_A,
            [&](std::int64_t n, bool is_one) {
              bool meets = false;
              double cosine = 0.0;
              if (is_one && n != place) {
                const Ball other = balls.at(n);
                const Vec3<double> away = other.centre_A - own.centre_A;
                const double d2 = dot(away, away), reach = other.radius_A + r;
                if (d2 < reach * reach) {
                  const double d = std::sqrt(d2), q = d2 - other.radius_A * other.radius_A + r * r;
                  if (d < reach && d + r <= other.radius_A) {
                    if (r != other.radius_A || balls.numbers[n] < balls.numbers[place]) is_held = true;
                  } else {
                    meets = d < reach && d + other.radius_A > r;
                    cosine = q * (1.0 / d) * (0.5 / r);
                  }
                }
              }
              const unsigned bits = __ballot_sync(whole_warp, meets);
              const int at = count + bits_before_lane(bits);
              if (meets && at < room.room) {
                room.at(met_cosine, at) = cosine;
                room.met[at] = std::int32_t(n);
              }
              count += __popc(bits);
            });
  __syncwarp();
  return __any_sync(whole_warp, is_held) ? -1 : count;
}

/// Sorts the spheres that meet the ball, the largest caps first, and keeps those whose caps are in no other
/// one; returns how many.
__device__ inline int keep_caps(const BallView& balls, std::int64_t place, int count,
                                const CutterRoom& room) {
  constexpr double rounding = 1e-15;  // of the cosine of an angle
  const Ball own = balls.at(place);
  const double r = own.radius_A;
  for (int n = lane_of_warp(); n < count; n += 32) {
    const double cosine = room.at(met_cosine, n);
    int to = 0;
    for (int m = 0; m < count; ++m) {
      const double other = room.at(met_cosine, m);
      to += int(other < cosine || (other == cosine && m < n));
    }
    const Ball ball = balls.at(room.met[n]);
    const Vec3<double> away = ball.centre_A - own.centre_A;
    const double d2 = dot(away, away), over_d = 1.0 / std::sqrt(d2), sine2 = 1.0 - cosine * cosine;
    room.kept[to] = room.met[n];
    room.at(kept_x, to) = away.x;
    room.at(kept_y, to) = away.y;
    room.at(kept_z, to) = away.z;
    room.at(kept_q, to) = d2 - ball.radius_A * ball.radius_A + r * r;
    room.at(kept_axis_x, to) = away.x * over_d;
    room.at(kept_axis_y, to) = away.y * over_d;
    room.at(kept_axis_z, to) = away.z * over_d;
    room.at(kept_cosine, to) = cosine;
    room.at(kept_sine, to) = std::sqrt(sine2 > 0.0 ? sine2 : 0.0);
  }
  __syncwarp();
  // Each is compared with all before it: one that is in a cap that was not kept is also in the one that holds
  // that.
  for (int n = lane_of_warp(); n < count; n += 32) {
    const Vec3<double> axis{room.at(kept_axis_x, n), room.at(kept_axis_y, n), room.at(kept_axis_z, n)};
    const double cosine = room.at(kept_cosine, n), sine = room.at(kept_sine, n);
    bool is_inside = false;
#pragma unroll 4
    for (int m = 0; m < n; ++m) {
      const double along = axis.x * room.at(kept_axis_x, m) + axis.y * room.at(kept_axis_y, m) +
                           axis.z * room.at(kept_axis_z, m);
      is_inside |= along >= cosine * room.at(kept_cosine, m) + sine * room.at(kept_sine, m) - rounding;
    }
    room.at(met_is_inside, n) = is_inside ? 1.0 : 0.0;
  }
  __syncwarp();
  int kept = 0;
  for (int first = 0; first < count; first += 32) {
    const int n = first + lane_of_warp();
    const bool is_kept = n < count && room.at(met_is_inside, n) == 0.0;
    const unsigned bits = __ballot_sync(whole_warp, is_kept);
    const int to = kept + bits_before_lane(bits);
    double values[kept_columns_end - kept_x];
    std::int32_t place = 0;
    if (is_kept && to != n) {
      place = room.kept[n];
#pragma unroll
      for (int column = kept_x; column < kept_columns_end; ++column)
        values[column - kept_x] = room.at(column, n);
    }
    __syncwarp();
    if (is_kept && to != n) {
      room.kept[to] = place;
#pragma unroll
      for (int column = kept_x; column < kept_columns_end; ++column)
        room.at(column, to) = values[column - kept_x];
    }
    __syncwarp();
    kept += __popc(bits);
  }
  return kept;
}

}  // namespace ionwell::gpu
