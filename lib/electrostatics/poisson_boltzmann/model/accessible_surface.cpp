#include "electrostatics/poisson_boltzmann/model/accessible_surface.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "core/geometry/cross_product.hpp"
#include "electrostatics/poisson_boltzmann/model/open_angles.hpp"
#include "electrostatics/poisson_boltzmann/model/simd/sphere_kernels.hpp"
#include "parallel/parallel_for.hpp"

namespace ionwell {
namespace {

Vec3<float> single(const Vec3<double>& v) {
  return {float(v.x), float(v.y), float(v.z)};
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
  double plane_A;  // from the centre to the plane of the circle where they meet
  double q_A2;     // |away|^2 - radius^2 + the other's radius^2
  double cosine;   // of the angle of the cap that it takes
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
  DoubleColumns get() const { return {values_.data(), stride_}; }
  double* data() { return values_.data(); }

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
    find_meeting(own);
    met_.clear();
    for (const int at : chosen_) {
      const std::uint32_t n = list_.order()[std::size_t(at)];
      if (n == ball) continue;
      const Ball& other = balls_[n];
      const Vec3<double> away = other.centre_A - own.centre_A;
      const double d2 = dot(away, away), d = std::sqrt(d2);
      if (d >= own.radius_A + other.radius_A || d + other.radius_A < own.radius_A) continue;
      if (d + own.radius_A <= other.radius_A) {
        // Of equal balls the first stays.
        if (own.radius_A != other.radius_A || n < ball) return false;
        continue;
      }
      if (d + other.radius_A <= own.radius_A) continue;
      const double q = d2 - other.radius_A * other.radius_A + own.radius_A * own.radius_A;
      met_.push_back({n, away, 1.0 / d * away, q / (2 * d), q, q / (2 * d * own.radius_A)});
    }
    drop_caps_in_others();
    return true;
  }

  /// Those that decide: their caps are in no other one's. The larger caps are in front.
  const std::vector<Neighbour>& neighbours() const { return neighbours_; }

  /// Calls found(arc) for each open part of the circle with neighbour number n.
  template <typename Found>
  void cut(std::size_t n, const Found& found) {
    const Neighbour& with = neighbours_[n];
    const double r = balls_[ball_].radius_A, radius2_A2 = r * r - with.plane_A * with.plane_A;
    if (!(radius2_A2 > 0.0)) return;
    const Vec3<double> e1 = normal_to(with.axis), e2 = cross(with.axis, e1);
    const MeetingCircle circle{{with.axis.x, with.axis.y, with.axis.z},
                               {e1.x, e1.y, e1.z},
                               {e2.x, e2.y, e2.z},
                               with.plane_A,
                               radius2_A2};
    // Most are: no angle has to be known then.
    if (kernels_.is_covered(columns_.get(), columns_.count(), int(n), circle, workspace_.data())) return;
    partial_.clear();
    for (std::size_t m = 0; m < neighbours_.size(); ++m) {
      if (m == n) continue;
      const Neighbour& by = neighbours_[m];
      const double along = dot(by.away_A, with.axis);
      const double beyond = by.q_A2 - 2 * with.plane_A * along;
      const double reach2 = 4 * radius2_A2 * (dot(by.away_A, by.away_A) - along * along);
      if (beyond * beyond < reach2)
        partial_.push_back({m, beyond / std::sqrt(reach2)});
      else if (beyond < 0.0)
        return;
    }
    // A point of the circle lies in sphere m when beyond < sqrt(reach2) cos(its angle from m's side).
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
  /// Their places in the list.
  void find_meeting(const Ball& own) {
    const double sphere[] = {own.centre_A.x, own.centre_A.y, own.centre_A.z, own.radius_A};
    std::size_t count = 0;
    list_.near_ranges(
        {own.centre_A, own.centre_A}, own.radius_A + largest_A_, [&](std::size_t first, std::size_t last) {
          chosen_.resize(count + (last - first) + sphere_vector_room);
          count += std::size_t(
              kernels_.meeting(in_order_.get(), int(first), int(last), sphere, chosen_.data() + count));
        });
    chosen_.resize(count);
  }

  /// A cap in another one covers nothing more, and its circle is covered. Leaves the larger caps in front.
  void drop_caps_in_others() {
    order_.clear();
    for (std::size_t n = 0; n < met_.size(); ++n) order_.push_back({met_[n].cosine, int(n)});
    std::sort(order_.begin(), order_.end());
    caps_.clear(met_.size());
    for (const auto& [cosine, n] : order_) {
      const Vec3<double>& axis = met_[std::size_t(n)].axis;
      caps_.push_back({axis.x, axis.y, axis.z, cosine, std::sqrt(std::max(0.0, 1.0 - cosine * cosine))});
    }
    chosen_.resize(met_.size() + sphere_vector_room);
    chosen_.resize(std::size_t(kernels_.caps_in_no_other(caps_.get(), caps_.count(), chosen_.data())));
    neighbours_.clear();
    for (const int at : chosen_) neighbours_.push_back(met_[std::size_t(order_[std::size_t(at)].second)]);
    columns_.clear(neighbours_.size());
    workspace_.clear(neighbours_.size());
    for (const Neighbour& n : neighbours_) columns_.push_back({n.away_A.x, n.away_A.y, n.away_A.z, n.q_A2});
  }

  struct Partial {
    std::size_t by;
    double cosine;  // of half the angle that it covers
  };

  std::span<const Ball> balls_;
  const CellList& list_;
  const Columns& in_order_;
  double largest_A_;
  const SphereKernels& kernels_ = sphere_kernels(SimdLevel::automatic);
  std::uint32_t ball_ = 0;
  std::vector<Neighbour> met_, neighbours_;
  std::vector<int> chosen_;
  std::vector<std::pair<double, int>> order_;  // by the cosine of the cap, then as they were met
  std::vector<Partial> partial_;
  Columns caps_{cap_columns}, columns_{neighbour_columns}, workspace_{covering_columns};
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
      surface.patches.push_back({ball.centre_A, ball.radius_A, first_cap, surface.caps.size()});
    }
    part = {};
  }
  return surface;
}

}  // namespace ionwell
