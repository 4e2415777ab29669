// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

#include "gpu/electrostatics/poisson_boltzmann/model/sphere_caps.cuh"

/// A sphere cut by its neighbours, by a warp: lib's SphereCutter with its kernels, step by step.
namespace ionwell::gpu {

/// Where two spheres meet, as seen from the first one's centre.
struct CircleFrame {
  Vec3<double> axis, first, second;
  double plane_A, radius2_A2;
};

constexpr double covered_rounding = 1e-12;

/// Whether no part covers an end of a part, its first one and its last.
struct OpenEnds {
  bool first, last;
};

/// Of part `of`.
__device__ inline OpenEnds open_ends(const CutterRoom& room, int parts, int of) {
  const double first_u = room.at(part_first_u, of), first_v = room.at(part_first_v, of),
               last_u = room.at(part_last_u, of), last_v = room.at(part_last_v, of);
  OpenEnds open{true, true};
  constexpr int at_once = 4;  // between two looks at whether any is left
  for (int begin = 0; begin < parts && (open.first || open.last); begin += at_once)
#pragma unroll
    for (int n = 0; n < at_once; ++n) {
      const int m = min(begin + n, parts - 1);
      const double u = room.at(part_u, m), v = room.at(part_v, m),
                   limit = room.at(part_cosine, m) + covered_rounding;
      open.first &= u * first_u + v * first_v <= limit;
      open.last &= u * last_u + v * last_v <= limit;
    }
  return open;
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
      OpenEnds open{false, false};
      if (lane_of_warp() < parts) open = open_ends(room, parts, lane_of_warp());
      if (!__any_sync(whole_warp, open.first || open.last)) return -1;
    }
  }
  int found = 0;
  for (int first = 0; first < parts; first += 32) {
    const int k = first + lane_of_warp();
    OpenEnds open{false, false};
    if (k < parts) open = open_ends(room, parts, k);
    for (int side = 0; side < 2; ++side) {
      const bool is_open = side == 0 ? open.first : open.last;
      const unsigned bits = __ballot_sync(whole_warp, is_open);
      if (is_open) {
        const int to = found + bits_before_lane(bits);
        room.at(end_u, to) = room.at(side == 1 ? part_last_u : part_first_u, k);
        room.at(end_v, to) = room.at(side == 1 ? part_last_v : part_first_v, k);
        room.at(end_begins, to) = side == 0 ? 1.0 : 0.0;
      }
      found += __popc(bits);
    }
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
