// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

#include "electrostatics/poisson_boltzmann/model/accessible_terms.hpp"
#include "gpu/electrostatics/poisson_boltzmann/model/accessible_parts.hpp"
#include "gpu/electrostatics/poisson_boltzmann/model/near_walk.cuh"

/// A sphere cut by its neighbours, by a warp: lib's SphereCutter with its kernels, step by step.
namespace ionwell::gpu {

constexpr unsigned whole_warp = 0xffffffffu;

__device__ inline int lane_of_warp() {
  return int(threadIdx.x % 32);
}

/// Columns of numbers for as many spheres as meet one: memory of a warp.
enum CutterColumn {
  met_cosine,  // of those that meet it
  kept_x,      // from the sphere's centre to those whose caps are in no other one
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

/// Where two spheres meet, as seen from the first one's centre.
struct CircleFrame {
  Vec3<double> axis, first, second;
  double plane_A, radius2_A2;
};

/// Counts the spheres that meet ball `own` in a circle, and with `room` notes them and the cosines of their
/// caps; -1 when another ball holds it. Of equal balls the first stays.
__device__ inline int find_meeting_spheres(const BallView& balls, std::int64_t place,
                                           const CutterRoom* room) {
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
              if (meets && room != nullptr) {
                const int at = count + bits_before_lane(bits);
                room->at(met_cosine, at) = cosine;
                room->met[at] = std::int32_t(n);
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
  int kept = 0;
  for (int n = 0; n < count; ++n) {
    const Vec3<double> axis{room.at(kept_axis_x, n), room.at(kept_axis_y, n), room.at(kept_axis_z, n)};
    const double cosine = room.at(kept_cosine, n), sine = room.at(kept_sine, n);
    bool is_inside = false;
    // One that is in a cap that was not kept is also in the one that holds that.
    for (int m = lane_of_warp(); m < kept; m += 32) {
      const double along = axis.x * room.at(kept_axis_x, m) + axis.y * room.at(kept_axis_y, m) +
                           axis.z * room.at(kept_axis_z, m);
      if (along >= cosine * room.at(kept_cosine, m) + sine * room.at(kept_sine, m) - rounding)
        is_inside = true;
    }
    if (__any_sync(whole_warp, is_inside)) continue;
    if (kept != n) {
      const int column = kept_x + lane_of_warp();
      if (column < kept_columns_end) room.at(column, kept) = room.at(column, n);
      if (lane_of_warp() == 31) room.kept[kept] = room.kept[n];
      __syncwarp();
    }
    ++kept;
  }
  return kept;
}

constexpr double covered_rounding = 1e-12;

/// Whether no part covers an end of part `of`, its first one or its last.
__device__ inline bool is_end_open(const CutterRoom& room, int parts, bool is_last, int of) {
  const double x = room.at(is_last ? part_last_u : part_first_u, of),
               y = room.at(is_last ? part_last_v : part_first_v, of);
  for (int m = 0; m < parts; ++m)
    if (room.at(part_u, m) * x + room.at(part_v, m) * y > room.at(part_cosine, m) + covered_rounding)
      return false;
  return true;
}

/// What the other kept spheres leave of the circle with number n: notes the ends of covered parts that no
/// other part covers, and returns how many; -1 when all of the circle is covered, 0 when none of it.
__device__ inline int find_open_ends(const CutterRoom& room, int kept, int n, const CircleFrame& circle) {
  constexpr double least_sine2 = 1e-30;
  const double twice_radius_A = 2.0 * std::sqrt(circle.radius2_A2), over_twice_radius = 1.0 / twice_radius_A;
  int parts = 0;
  for (int first = 0; first < kept; first += 32) {
    const int m = first + lane_of_warp();
    bool covers_all = false, covers = false;
    double a = 0.0, b = 0.0, beyond = 0.0, over_across = 0.0;
    if (m < kept && m != n) {
      const Vec3<double> away{room.at(kept_x, m), room.at(kept_y, m), room.at(kept_z, m)};
      beyond = room.at(kept_q, m) - 2.0 * circle.plane_A * dot(circle.axis, away);
      a = dot(circle.first, away);
      b = dot(circle.second, away);
      const double across2 = a * a + b * b;
      over_across = 1.0 / std::sqrt(across2);
      const double reach = across2 * over_across * twice_radius_A;
      covers_all = beyond < 0.0 && beyond <= -(1.0 + covered_rounding) * reach;
      covers = beyond < reach && beyond > -reach;
    }
    if (__any_sync(whole_warp, covers_all)) return -1;
    const unsigned bits = __ballot_sync(whole_warp, covers);
    if (covers) {
      const int to = parts + bits_before_lane(bits);
      const double cosine = beyond * over_across * over_twice_radius, sine2 = 1.0 - cosine * cosine,
                   sine = std::sqrt(sine2 > least_sine2 ? sine2 : least_sine2);
      const double u = a * over_across, v = b * over_across;
      room.at(part_u, to) = u;
      room.at(part_v, to) = v;
      room.at(part_cosine, to) = cosine;
      room.at(part_first_u, to) = u * cosine + v * sine;
      room.at(part_first_v, to) = v * cosine - u * sine;
      room.at(part_last_u, to) = u * cosine - v * sine;
      room.at(part_last_v, to) = v * cosine + u * sine;
    }
    parts += __popc(bits);
    __syncwarp();
    // A few of the largest spheres cover most circles.
    if (first == 0 && kept > 32 && parts > 0) {
      const bool is_open = lane_of_warp() < parts && (is_end_open(room, parts, false, lane_of_warp()) ||
                                                      is_end_open(room, parts, true, lane_of_warp()));
      if (!__any_sync(whole_warp, is_open)) return -1;
    }
  }
  int found = 0;
  for (int side = 0; side < 2; ++side)
    for (int first = 0; first < parts; first += 32) {
      const int k = first + lane_of_warp();
      const bool is_open = k < parts && is_end_open(room, parts, side == 1, k);
      const unsigned bits = __ballot_sync(whole_warp, is_open);
      if (is_open) {
        const int to = found + bits_before_lane(bits);
        room.at(end_u, to) = room.at(side == 1 ? part_last_u : part_first_u, k);
        room.at(end_v, to) = room.at(side == 1 ? part_last_v : part_first_v, k);
        room.at(end_begins, to) = side == 0 ? 1.0 : 0.0;
      }
      found += __popc(bits);
    }
  __syncwarp();
  return found == 0 && parts > 0 ? -1 : found;
}

/// One lane's: sets the parts that are left between the first `ends` of the open ends, each from where what
/// is covered ends to the next place where it begins; returns how many. -1 where rounding decides their
/// order: circles that meet in one point.
__device__ inline int pair_open_ends(const CutterRoom& room, int ends) {
  constexpr double nearly_one = 1.0 - 1e-12;
  int pairs = 0;
  for (int a = 0; a < ends; ++a) {
    if (room.at(end_begins, a) > 0.0) continue;
    const double u = room.at(end_u, a), v = room.at(end_v, a);
    int nearest = -1;
    double least = 5.0;
    for (int b = 0; b < ends; ++b) {
      if (!(room.at(end_begins, b) > 0.0)) continue;
      const double cosine = u * room.at(end_u, b) + v * room.at(end_v, b),
                   sine = u * room.at(end_v, b) - v * room.at(end_u, b);
      if (cosine > nearly_one) return -1;
      const double turned = sine >= 0.0 ? 1.0 - cosine : 3.0 + cosine;  // grows with the angle, to 4
      if (turned >= least) continue;
      least = turned;
      nearest = b;
    }
    if (nearest < 0) return -1;
    room.at(pair_first_u, pairs) = u;
    room.at(pair_first_v, pairs) = v;
    room.at(pair_last_u, pairs) = room.at(end_u, nearest);
    room.at(pair_last_v, pairs) = room.at(end_v, nearest);
    for (int p = 0; p < pairs; ++p)
      if (room.at(pair_last_u, p) == room.at(pair_last_u, pairs) &&
          room.at(pair_last_v, p) == room.at(pair_last_v, pairs))
        return -1;  // two parts cannot end at one place
    ++pairs;
  }
  return 2 * pairs == ends ? pairs : -1;
}

/// One lane's: the same for any circle, by taking away one angle after the other (lib's OpenAngles).
__device__ inline int pair_ends_by_angles(const CutterRoom& room, int kept, int n,
                                          const CircleFrame& circle) {
  constexpr double turn = 6.283185307179586476925;
  // Where the open angles begin and end, counted from `start`: columns that hold no parts any more.
  constexpr int from_column = part_u, to_column = part_v;
  bool is_cut = false;
  double start = 0.0;
  int open = 0;
  const auto take = [&](double from, double to) {
    for (int i = 0; i < open;) {
      const double left = room.at(from_column, i), right = room.at(to_column, i);
      if (to <= left || from >= right) {
        ++i;
      } else if (from > left && to < right) {
        for (int j = open; j > i + 1; --j) {
          room.at(from_column, j) = room.at(from_column, j - 1);
          room.at(to_column, j) = room.at(to_column, j - 1);
        }
        room.at(to_column, i) = from;
        room.at(from_column, i + 1) = to;
        room.at(to_column, i + 1) = right;
        ++open;
        i += 2;
      } else if (from > left) {
        room.at(to_column, i++) = from;
      } else if (to < right) {
        room.at(from_column, i++) = to;
      } else {
        --open;
        for (int j = i; j < open; ++j) {
          room.at(from_column, j) = room.at(from_column, j + 1);
          room.at(to_column, j) = room.at(to_column, j + 1);
        }
      }
    }
  };
  for (int m = 0; m < kept; ++m) {
    if (m == n) continue;
    const Vec3<double> away{room.at(kept_x, m), room.at(kept_y, m), room.at(kept_z, m)};
    // A point of the circle lies in sphere m when beyond < reach cos(its angle from m's side).
    const double beyond = room.at(kept_q, m) - 2.0 * circle.plane_A * dot(circle.axis, away),
                 a = dot(circle.first, away), b = dot(circle.second, away),
                 reach = 2.0 * std::sqrt(circle.radius2_A2 * (a * a + b * b));
    if (std::fabs(beyond) < reach) {
      const double middle = std::atan2(b, a), half = std::acos(beyond / reach);
      if (!is_cut) {
        is_cut = true;
        start = middle + half;
        room.at(from_column, 0) = 0.0;
        room.at(to_column, 0) = turn - 2 * half;
        open = 1;
        continue;
      }
      double from = std::fmod(middle - half - start, turn);
      if (from < 0.0) from += turn;
      take(from, from + 2 * half);
      take(from - turn, from + 2 * half - turn);
    } else if (beyond < 0.0) {
      return 0;
    }
  }
  for (int i = 0; i < open; ++i) {
    const double first = start + room.at(from_column, i), last = start + room.at(to_column, i);
    room.at(pair_first_u, i) = std::cos(first);
    room.at(pair_first_v, i) = std::sin(first);
    room.at(pair_last_u, i) = std::cos(last);
    room.at(pair_last_v, i) = std::sin(last);
  }
  return open;
}

/// Calls found(arc, its number), by one lane or another, for each open part of the circle with kept sphere
/// number n; returns how many.
template <typename Found>
__device__ int cut_circle(const Ball& own, const CutterRoom& room, int kept, int n, const Found& found) {
  const Vec3<double> axis{room.at(kept_axis_x, n), room.at(kept_axis_y, n), room.at(kept_axis_z, n)};
  const double r = own.radius_A, plane_A = r * room.at(kept_cosine, n),
               radius2_A2 = r * r - plane_A * plane_A;
  if (!(radius2_A2 > 0.0)) return 0;
  const Vec3<double> e1 = normal_to(axis), e2 = cross(axis, e1);
  const CircleFrame circle{axis, e1, e2, plane_A, radius2_A2};
  const int ends = find_open_ends(room, kept, n, circle);
  if (ends < 0) return 0;
  const double radius_A = std::sqrt(radius2_A2);
  AccessibleArc arc;
  arc.centre_A = own.centre_A + plane_A * axis;
  arc.axis = as_fp32(axis);
  arc.radius_A = float(radius_A);
  if (ends == 0) {
    arc.middle = as_fp32(e1);
    arc.first_A = arc.last_A = arc.radius_A * arc.middle;
    if (lane_of_warp() == 0) found(arc, 0);
    return 1;
  }
  int pairs = 0;
  if (lane_of_warp() == 0) {
    pairs = pair_open_ends(room, ends);
    if (pairs < 0) pairs = pair_ends_by_angles(room, kept, n, circle);
  }
  __syncwarp();
  pairs = __shfl_sync(whole_warp, pairs, 0);
  for (int p = lane_of_warp(); p < pairs; p += 32) {
    const double u = room.at(pair_first_u, p), v = room.at(pair_first_v, p), last_u = room.at(pair_last_u, p),
                 last_v = room.at(pair_last_v, p);
    const double cosine = u * last_u + v * last_v, sine = u * last_v - v * last_u, sine2 = 0.5 - 0.5 * cosine,
                 cosine2 = 0.5 + 0.5 * cosine;
    const double sin_half = std::sqrt(sine2 > 0.0 ? sine2 : 0.0),
                 size = std::sqrt(cosine2 > 0.0 ? cosine2 : 0.0), cos_half = sine < 0.0 ? -size : size;
    arc.middle = as_fp32((u * cos_half - v * sin_half) * e1 + (v * cos_half + u * sin_half) * e2);
    arc.first_A = as_fp32(radius_A * (u * e1 + v * e2));
    arc.last_A = as_fp32(radius_A * (last_u * e1 + last_v * e2));
    arc.cos_half = float(cos_half);
    found(arc, p);
  }
  __syncwarp();
  return pairs;
}

}  // namespace ionwell::gpu
