#include "electrostatics/poisson_boltzmann/model/accessible_surface.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "electrostatics/poisson_boltzmann/model/open_angles.hpp"
#include "parallel/parallel_for.hpp"

namespace ionwell {
namespace {

Vec3<float> single(const Vec3<double>& v) {
  return {float(v.x), float(v.y), float(v.z)};
}

Vec3<double> cross(const Vec3<double>& u, const Vec3<double>& v) {
  return {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}

/// A unit vector that is normal to a unit vector.
Vec3<double> normal_to(const Vec3<double>& u) {
  const double x = std::abs(u.x), y = std::abs(u.y), z = std::abs(u.z);
  const Vec3<double> least = x <= y && x <= z ? Vec3<double>{1, 0, 0}
                             : y <= z         ? Vec3<double>{0, 1, 0}
                                              : Vec3<double>{0, 0, 1};
  const Vec3<double> n = cross(u, least);
  return 1.0 / std::sqrt(dot(n, n)) * n;
}

/// A sphere that meets another one, as seen from that one's centre.
struct Neighbour {
  std::uint32_t ball;
  Vec3<double> away_A, axis;
  double plane_A;       // from the centre to the plane of the circle where they meet
  double q_A2;          // |away|^2 - radius^2 + the other's radius^2
  double cosine, sine;  // of the angle of the cap that it takes
};

/// Everything about one sphere.
class SphereCutter {
 public:
  SphereCutter(std::span<const Ball> balls, const CellList& list, double largest_A)
      : balls_(balls), list_(list), largest_A_(largest_A) {}

  /// False when the ball lies inside another one.
  bool take(std::uint32_t ball) {
    ball_ = ball;
    neighbours_.clear();
    const Ball& own = balls_[ball];
    bool is_free = true;
    list_.near({own.centre_A, own.centre_A}, own.radius_A + largest_A_, [&](std::uint32_t n) {
      if (n == ball || !is_free) return;
      const Ball& other = balls_[n];
      const Vec3<double> away = other.centre_A - own.centre_A;
      const double d2 = dot(away, away), d = std::sqrt(d2);
      if (d >= own.radius_A + other.radius_A || d + other.radius_A < own.radius_A) return;
      if (d + own.radius_A <= other.radius_A) {
        is_free = own.radius_A == other.radius_A && ball < n;  // of equal balls the first stays
        return;
      }
      if (d + other.radius_A <= own.radius_A) return;
      const double q = d2 - other.radius_A * other.radius_A + own.radius_A * own.radius_A;
      const double cosine = q / (2 * d * own.radius_A);
      neighbours_.push_back(
          {n, away, 1.0 / d * away, q / (2 * d), q, cosine, std::sqrt(std::max(0.0, 1.0 - cosine * cosine))});
    });
    if (is_free) drop_caps_in_others();
    return is_free;
  }

  /// Those that decide: their caps are in no other one's.
  std::vector<Neighbour>& neighbours() { return neighbours_; }

  /// Calls found(arc) for each open part of the circle with neighbour number n.
  template <typename Found>
  void cut(std::size_t n, const Found& found) {
    const Neighbour& with = neighbours_[n];
    const double r = balls_[ball_].radius_A, radius2_A2 = r * r - with.plane_A * with.plane_A;
    if (!(radius2_A2 > 0.0)) return;
    partial_.clear();
    // A sphere covers the points of the circle at angles with part_along < reach cos(angle): see below.
    const auto covers_all = [&](std::size_t m) {
      const Neighbour& by = neighbours_[m];
      const double along = dot(by.away_A, with.axis);
      const double beyond = by.q_A2 - 2 * with.plane_A * along;
      const double reach2 = 4 * radius2_A2 * (dot(by.away_A, by.away_A) - along * along);
      if (beyond * beyond >= reach2) return beyond < 0.0;
      partial_.push_back({m, beyond / std::sqrt(reach2)});
      return false;
    };
    if (last_cover_ < neighbours_.size() && last_cover_ != n && covers_all(last_cover_)) return;
    partial_.clear();
    for (std::size_t m = 0; m < neighbours_.size(); ++m)
      if (m != n && covers_all(m)) {
        last_cover_ = m;
        return;
      }
    // A point of the circle lies in sphere m when beyond < sqrt(reach2) cos(its angle from m's side).
    const Vec3<double> e1 = normal_to(with.axis), e2 = cross(with.axis, e1);
    // Those that cover most first: two or three of them cover most circles.
    std::sort(partial_.begin(), partial_.end(), [](const Partial& a, const Partial& b) {
      return a.cosine != b.cosine ? a.cosine < b.cosine : a.by < b.by;
    });
    OpenAngles open;
    for (const Partial& part : partial_) {
      const Vec3<double>& away = neighbours_[part.by].away_A;
      open.cover(std::atan2(dot(away, e2), dot(away, e1)), std::acos(part.cosine));
      if (open.is_covered()) return;
    }
    AccessibleArc arc;
    arc.centre_A = balls_[ball_].centre_A + with.plane_A * with.axis;
    arc.axis = single(with.axis);
    arc.radius_A = float(std::sqrt(radius2_A2));
    const auto direction = [&](double angle) { return std::cos(angle) * e1 + std::sin(angle) * e2; };
    if (open.is_whole()) {
      arc.middle = single(e1);
      arc.first_A = arc.last_A = arc.radius_A * arc.middle;
      found(arc);
      return;
    }
    open.visit_open([&](double middle, double half) {
      arc.middle = single(direction(middle));
      arc.first_A = single(std::sqrt(radius2_A2) * direction(middle - half));
      arc.last_A = single(std::sqrt(radius2_A2) * direction(middle + half));
      arc.cos_half = float(std::cos(half));
      found(arc);
    });
  }

 private:
  /// A cap in another one covers nothing more, and its circle is covered. Leaves the larger caps in front.
  void drop_caps_in_others() {
    order_.clear();
    for (std::size_t n = 0; n < neighbours_.size(); ++n) order_.push_back({neighbours_[n].cosine, n});
    std::sort(order_.begin(), order_.end());
    kept_.clear();
    for (const auto& [cosine, n] : order_) {
      const Neighbour& smaller = neighbours_[n];
      bool is_inside = false;
      for (std::size_t k = 0; k < kept_.size() && !is_inside; ++k)
        is_inside = dot(smaller.axis, kept_[k].axis) >=
                    smaller.cosine * kept_[k].cosine + smaller.sine * kept_[k].sine;
      if (!is_inside) kept_.push_back(smaller);
    }
    neighbours_.swap(kept_);
  }

  struct Partial {
    std::size_t by;
    double cosine;  // of half the angle that it covers
  };

  std::span<const Ball> balls_;
  const CellList& list_;
  double largest_A_;
  std::uint32_t ball_ = 0;
  std::vector<Neighbour> neighbours_, kept_;
  std::vector<std::pair<double, std::size_t>> order_;  // by the cosine of the cap, then by the list's order
  std::vector<Partial> partial_;
  std::size_t last_cover_ = 0;  // what covered the circle before this one
};

}  // namespace

LocalArc AccessibleArc::local(const Vec3<double>& origin_A) const {
  const Vec3<float> centre = single(centre_A - origin_A);
  return {centre, axis, middle, centre + first_A, centre + last_A, radius_A, cos_half};
}

Ball AccessibleArc::around() const {
  if (cos_half <= 0.0f) return {centre_A, radius_A};
  const double along = double(radius_A) * double(cos_half);
  const Vec3<double> m{middle.x, middle.y, middle.z};
  return {centre_A + along * m, std::sqrt(std::max(0.0, double(radius_A) * radius_A - along * along))};
}

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
    SphereCutter cutter(balls, list, largest_A);
    for (std::int64_t chunk = first_chunk; chunk < last_chunk; ++chunk) {
      Part& part = parts[std::size_t(chunk)];
      for (std::int64_t at = chunk * at_once; at < std::min(std::ssize(owners), (chunk + 1) * at_once);
           ++at) {
        const std::uint32_t ball = owners[std::size_t(at)];
        if (!cutter.take(ball)) continue;
        const std::size_t first_cap = part.caps.size();
        for (const Neighbour& n : cutter.neighbours()) part.caps.push_back({single(n.axis), float(n.cosine)});
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
      surface.patches.push_back({ball.centre_A, ball.radius_A, first_cap, surface.caps.size()});
    }
    part = {};
  }
  return surface;
}

}  // namespace ionwell
