// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/poisson_boltzmann/model/accessible_surface.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "electrostatics/poisson_boltzmann/model/open_angles.hpp"
#include "electrostatics/poisson_boltzmann/model/simd/sphere_kernels.hpp"
#include "parallel/parallel_for.hpp"

namespace ionwell {
namespace {

/// A sphere that meets another one, as seen from that one's centre.
struct Neighbour {
  std::uint32_t ball;
  Vec3<double> axis;
  double cosine;  // of the angle of the cap that it takes
};

/// Columns of numbers, for kernels.
class Columns {
 public:
  explicit Columns(int columns) : columns_(columns) {}

  /// Room for so many; what was there is lost.
  void clear(std::size_t room) {
    count_ = 0;
    stride_ = int(room) + sphere_vector_room;
    const std::size_t size = std::size_t(columns_) * std::size_t(stride_);
    if (values_.size() < size) values_.resize(size);
  }
  void push_back(std::initializer_list<double> values) {
    double* to = values_.data() + count_++;
    for (const double value : values) {
      *to = value;
      to += stride_;
    }
  }
  int count() const { return count_; }
  const double* column(int c) const { return values_.data() + c * stride_; }
  double at(int c, int n) const { return column(c)[n]; }
  DoubleColumns get() const { return {values_.data(), stride_}; }
  /// To be written from number n on.
  DoubleOutput from(int n) { return {values_.data() + n, stride_}; }

 private:
  int columns_, count_ = 0, stride_ = 0;
  std::vector<double> values_;
};

/// Spheres in the order of a list.
Columns columns_of(std::span<const Ball> balls, const CellList& list) {
  Columns columns(sphere_columns);
  columns.clear(balls.size());
  for (const std::uint32_t n : list.order())
    columns.push_back({balls[n].centre_A.x, balls[n].centre_A.y, balls[n].centre_A.z, balls[n].radius_A});
  return columns;
}

/// Everything about one sphere.
class SphereCutter {
 public:
  SphereCutter(std::span<const Ball> balls, const CellList& list, const Columns& in_order, double largest_A)
      : balls_(balls), list_(list), in_order_(in_order), largest_A_(largest_A) {}

  /// False when the ball lies inside another one.
  bool take(std::uint32_t ball) {
    ball_ = ball;
    const Ball& own = balls_[ball];
    const int count = find_meeting(own);
    caps_of_met_.clear(std::size_t(count));
    held_.resize(std::size_t(count));
    const MetSpheres met = kernels_.caps(met_.get(), count, own.radius_A, caps_of_met_.from(0), held_.data());
    for (int h = 0; h < met.hold; ++h) {
      const std::uint32_t n = ball_at(held_[std::size_t(h)]);
      // Of equal balls the first stays.
      if (n != ball && (own.radius_A != balls_[n].radius_A || n < ball)) return false;
    }
    keep_caps_in_no_other(count, met.meet);
    return true;
  }

  /// Those that decide: their caps are in no other one's. The larger caps are in front.
  const std::vector<Neighbour>& neighbours() const { return neighbours_; }

  /// Calls found(arc) for each open part of the circle with neighbour number n.
  template <typename Found>
  void cut(std::size_t n, const Found& found) {
    const Neighbour& with = neighbours_[n];
    const double r = balls_[ball_].radius_A, plane_A = r * with.cosine,
                 radius2_A2 = r * r - plane_A * plane_A;
    if (!(radius2_A2 > 0.0)) return;
    const Vec3<double> e1 = normal_to(with.axis), e2 = cross(with.axis, e1);
    const MeetingCircle circle{
        {with.axis.x, with.axis.y, with.axis.z}, {e1.x, e1.y, e1.z}, {e2.x, e2.y, e2.z}, plane_A, radius2_A2};
    const int ends = kernels_.open_ends(columns_.get(), columns_.count(), int(n), circle,
                                        workspace_.from(0).first, ends_.data());
    if (ends < 0) return;
    const double radius_A = std::sqrt(radius2_A2);
    AccessibleArc arc;
    arc.centre_A = balls_[ball_].centre_A + plane_A * with.axis;
    arc.axis = as_fp32(with.axis);
    arc.radius_A = float(radius_A);
    if (ends == 0) {
      arc.middle = as_fp32(e1);
      arc.first_A = arc.last_A = arc.radius_A * arc.middle;
      found(arc);
      return;
    }
    if (!pair_ends(ends)) pair_ends_by_angles(n, circle);
    for (const auto& [first, last] : pairs_) {
      const double cosine = first.first * last.first + first.second * last.second,
                   sine = first.first * last.second - first.second * last.first;
      const double sin_half = std::sqrt(std::max(0.0, 0.5 - 0.5 * cosine)),
                   size = std::sqrt(std::max(0.0, 0.5 + 0.5 * cosine)), cos_half = sine < 0.0 ? -size : size;
      arc.middle = as_fp32((first.first * cos_half - first.second * sin_half) * e1 +
                           (first.second * cos_half + first.first * sin_half) * e2);
      arc.first_A = as_fp32(radius_A * (first.first * e1 + first.second * e2));
      arc.last_A = as_fp32(radius_A * (last.first * e1 + last.second * e2));
      arc.cos_half = float(cos_half);
      found(arc);
    }
  }

 private:
  /// Puts those that reach the ball into met_, and their places in the list into chosen_; returns how many.
  int find_meeting(const Ball& own) {
    const double sphere[] = {own.centre_A.x, own.centre_A.y, own.centre_A.z, own.radius_A};
    const Box at{own.centre_A, own.centre_A};
    std::size_t most = 0;
    list_.near_ranges(at, own.radius_A + largest_A_,
                      [&](std::size_t first, std::size_t last) { most += last - first; });
    met_.clear(most);
    chosen_.resize(most + sphere_vector_room);
    int count = 0;
    list_.near_ranges(at, own.radius_A + largest_A_, [&](std::size_t first, std::size_t last) {
      count += kernels_.meeting(in_order_.get(), int(first), int(last), sphere, chosen_.data() + count,
                                met_.from(count));
    });
    return count;
  }

  std::uint32_t ball_at(int met) const { return list_.order()[std::size_t(chosen_[std::size_t(met)])]; }

  /// A cap in another one covers nothing more, and its circle is covered. Of `count` met, so many meet it in
  /// a circle.
  void keep_caps_in_no_other(int count, int circles) {
    places_.resize(std::size_t(count));
    order_.resize(std::size_t(count));
    kernels_.places(caps_of_met_.column(cap_cosine), count, places_.data());
    for (int n = 0; n < count; ++n) order_[std::size_t(places_[std::size_t(n)])] = n;
    caps_.clear(std::size_t(circles));
    for (int c = 0; c < circles; ++c) {
      const int n = order_[std::size_t(c)];
      caps_.push_back({caps_of_met_.at(cap_x, n), caps_of_met_.at(cap_y, n), caps_of_met_.at(cap_z, n),
                       caps_of_met_.at(cap_cosine, n), caps_of_met_.at(cap_sine, n)});
    }
    kept_.resize(std::size_t(circles));
    const int kept = kernels_.caps_in_no_other(caps_.from(0), circles, kept_.data());
    columns_.clear(std::size_t(kept));
    workspace_.clear(std::size_t(kept));
    ends_.resize(2 * std::size_t(kept));
    neighbours_.clear();
    const double r = balls_[ball_].radius_A;
    for (int k = 0; k < kept; ++k) {
      const int n = order_[std::size_t(kept_[std::size_t(k)])];
      const Vec3<double> away{met_.at(sphere_x, n), met_.at(sphere_y, n), met_.at(sphere_z, n)};
      const double other = met_.at(sphere_radius, n);
      columns_.push_back({away.x, away.y, away.z, dot(away, away) - other * other + r * r});
      neighbours_.push_back({ball_at(n),
                             {caps_.at(cap_x, k), caps_.at(cap_y, k), caps_.at(cap_z, k)},
                             caps_.at(cap_cosine, k)});
    }
  }

  struct Direction {
    double first, second;
  };

  /// Sets the parts that are left between the first `ends` of ends_: each from where what is covered ends to
  /// the next place where it begins. False where rounding decides their order: circles that meet in one
  /// point.
  bool pair_ends(int ends) {
    constexpr double nearly_one = 1.0 - 1e-12;
    pairs_.clear();
    begins_.clear();
    for (int a = 0; a < ends; ++a) {
      const CoveredEnd& from = ends_[std::size_t(a)];
      if (from.begins) continue;
      int nearest = -1;
      double least = 5.0;
      for (int b = 0; b < ends; ++b) {
        const CoveredEnd& to = ends_[std::size_t(b)];
        if (!to.begins) continue;
        const double cosine = from.first * to.first + from.second * to.second,
                     sine = from.first * to.second - from.second * to.first;
        if (cosine > nearly_one) return false;
        const double turned = sine >= 0.0 ? 1.0 - cosine : 3.0 + cosine;  // grows with the angle, to 4
        if (turned >= least) continue;
        least = turned;
        nearest = b;
      }
      if (nearest < 0 || std::find(begins_.begin(), begins_.end(), nearest) != begins_.end()) return false;
      begins_.push_back(nearest);
      const CoveredEnd& to = ends_[std::size_t(nearest)];
      pairs_.push_back({{from.first, from.second}, {to.first, to.second}});
    }
    return 2 * std::ssize(pairs_) == ends;
  }

  /// The same for any circle, by taking away one angle after the other.
  void pair_ends_by_angles(std::size_t n, const MeetingCircle& circle) {
    pairs_.clear();
    const auto along = [](const double* of, const Vec3<double>& v) {
      return of[0] * v.x + of[1] * v.y + of[2] * v.z;
    };
    OpenAngles open;
    for (int m = 0; m < columns_.count(); ++m) {
      if (m == int(n)) continue;
      const Vec3<double> away{columns_.at(neighbour_x, m), columns_.at(neighbour_y, m),
                              columns_.at(neighbour_z, m)};
      // A point of the circle lies in sphere m when beyond < reach cos(its angle from m's side).
      const double beyond = columns_.at(neighbour_q, m) - 2.0 * circle.plane_A * along(circle.axis, away),
                   a = along(circle.first, away), b = along(circle.second, away),
                   reach = 2.0 * std::sqrt(circle.radius2_A2 * (a * a + b * b));
      if (std::abs(beyond) < reach)
        open.cover(std::atan2(b, a), std::acos(beyond / reach));
      else if (beyond < 0.0)
        return;
    }
    const auto direction = [](double angle) { return Direction{std::cos(angle), std::sin(angle)}; };
    open.visit_open([&](double middle, double half) {
      pairs_.push_back({direction(middle - half), direction(middle + half)});
    });
  }

  std::span<const Ball> balls_;
  const CellList& list_;
  const Columns& in_order_;
  double largest_A_;
  const SphereKernels& kernels_ = sphere_kernels(SimdLevel::automatic);
  std::uint32_t ball_ = 0;
  std::vector<int> chosen_, held_, places_, order_, kept_;
  Columns met_{sphere_columns}, caps_of_met_{cap_columns}, caps_{cap_columns}, columns_{neighbour_columns},
      workspace_{covering_columns};
  std::vector<Neighbour> neighbours_;
  std::vector<CoveredEnd> ends_;
  std::vector<int> begins_;
  std::vector<std::pair<Direction, Direction>> pairs_;
};

}  // namespace

AccessibleSurface accessible_surface(std::span<const Ball> balls, const CellList& list, const Box& near,
                                     double reach_A, int threads) {
  const double largest_A = largest_radius_A(balls);
  std::vector<std::uint32_t> owners;
  std::vector<char> is_owner(balls.size());
  list.near(near, reach_A + largest_A, [&](std::uint32_t n) {
    const double within_A = reach_A + balls[n].radius_A;
    const Vec3<double>& centre_A = balls[n].centre_A;
    if (distance_squared(centre_A, nearest_in(near, centre_A)) > within_A * within_A) return;
    owners.push_back(n);
    is_owner[n] = 1;
  });
  const Columns in_order = columns_of(balls, list);
  struct Owned {
    std::uint32_t ball;
    std::size_t first_cap, last_cap;
  };
  struct Part {
    std::vector<AccessibleArc> arcs;
    std::vector<std::uint32_t> on_arcs;  // both balls of each arc
    std::vector<Owned> spheres;          // those that are not inside another one
    std::vector<SphereCap> caps;
  };
  constexpr std::int64_t at_once = 64;
  const std::int64_t chunks = (std::ssize(owners) + at_once - 1) / at_once;
  std::vector<Part> parts(static_cast<std::size_t>(chunks));
  parallel_ranges({threads, 1}, chunks, [&](std::int64_t first_chunk, std::int64_t last_chunk) {
    SphereCutter cutter(balls, list, in_order, largest_A);
    for (std::int64_t chunk = first_chunk; chunk < last_chunk; ++chunk) {
      Part& part = parts[std::size_t(chunk)];
      for (std::int64_t at = chunk * at_once; at < std::min(std::ssize(owners), (chunk + 1) * at_once);
           ++at) {
        const std::uint32_t ball = owners[std::size_t(at)];
        if (!cutter.take(ball)) continue;
        const std::size_t first_cap = part.caps.size();
        for (const Neighbour& n : cutter.neighbours())
          part.caps.push_back({as_fp32(n.axis), float(n.cosine)});
        part.spheres.push_back({ball, first_cap, part.caps.size()});
        for (std::size_t n = 0; n < cutter.neighbours().size(); ++n) {
          const std::uint32_t other = cutter.neighbours()[n].ball;
          if (other < ball && is_owner[other] != 0) continue;  // it has cut this circle
          cutter.cut(n, [&](const AccessibleArc& arc) {
            part.arcs.push_back(arc);
            part.on_arcs.insert(part.on_arcs.end(), {ball, other});
          });
        }
      }
    }
  });
  std::vector<char> has_arc(balls.size());
  AccessibleSurface surface;
  std::size_t arcs = 0, caps_in_all = 0;
  for (const Part& part : parts) {
    arcs += part.arcs.size();
    caps_in_all += part.caps.size();
  }
  surface.arcs.reserve(arcs);
  surface.caps.reserve(caps_in_all);  // at most
  for (const Part& part : parts) {
    surface.arcs.insert(surface.arcs.end(), part.arcs.begin(), part.arcs.end());
    for (const std::uint32_t ball : part.on_arcs) has_arc[ball] = 1;
  }
  for (Part& part : parts) {
    for (const Owned& sphere : part.spheres) {
      // A sphere that others meet and that is on no arc is covered wholly.
      if (has_arc[sphere.ball] == 0 && sphere.first_cap < sphere.last_cap) continue;
      const Ball& ball = balls[sphere.ball];
      const auto caps = part.caps.begin();
      const std::size_t first_cap = surface.caps.size();
      surface.caps.insert(surface.caps.end(), caps + std::ptrdiff_t(sphere.first_cap),
                          caps + std::ptrdiff_t(sphere.last_cap));
      surface.patches.push_back({ball.centre_A, ball.radius_A, first_cap, surface.caps.size(), sphere.ball});
    }
    part = {};
  }
  return surface;
}

}  // namespace ionwell
