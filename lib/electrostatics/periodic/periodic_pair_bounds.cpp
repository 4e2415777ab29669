#include "electrostatics/periodic/periodic_pair_bounds.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <mutex>

#include "electrostatics/periodic/hessian_bound.hpp"
#include "parallel/parallel_for.hpp"
#include "parallel/thread_count.hpp"

namespace ionwell {
namespace {

using Range = PeriodicPairBounds::Range;

constexpr int bins = 512;
constexpr Range nothing{1e300, -1e300};

void take_in(Range& range, const Range& other) {
  range.lowest_kT_e = std::min(range.lowest_kT_e, other.lowest_kT_e);
  range.highest_kT_e = std::max(range.highest_kT_e, other.highest_kT_e);
}

/// The cell cut into parallelepipeds.
struct Parts {
  Vec3<int> counts;
  CellVectors edges_A;
  double radius_A = 0.0;    // from the middle to the farthest corner
  double squares_A2 = 0.0;  // of the edges, together
};

Parts parts_of(const PeriodicCell& cell) {
  constexpr double usual_parts = 1 << 17, most_parts = 1 << 20;
  const double volume_A3 = cell.volume_A3();
  const double edge_A =
      std::max(std::cbrt(volume_A3 / most_parts),
               std::min(std::cbrt(volume_A3 / usual_parts), cell.inscribed_radius_A() / 12));
  const auto& [a, b, c] = cell.reduced();
  const auto along = [&](const Vec3<double>& v) { return int(std::ceil(std::sqrt(dot(v, v)) / edge_A)); };
  Parts parts{.counts = {along(a), along(b), along(c)}};
  parts.edges_A = {1.0 / parts.counts.x * a, 1.0 / parts.counts.y * b, 1.0 / parts.counts.z * c};
  const auto& [u, v, w] = parts.edges_A;
  parts.squares_A2 = dot(u, u) + dot(v, v) + dot(w, w);
  for (const double j : {-0.5, 0.5})
    for (const double k : {-0.5, 0.5}) {
      const Vec3<double> corner_A = 0.5 * u + j * v + k * w;
      parts.radius_A = std::max(parts.radius_A, std::sqrt(dot(corner_A, corner_A)));
    }
  return parts;
}

/// The nearest image of a difference, and all others that are nearest to a place within `slack_A` / 2 of it:
/// as differences. Who walks there crosses from the cell of one image to that of a neighbour, whose distance
/// is at most `slack_A` more than that of the nearest.
void nearest_images(const PeriodicCell& cell, const Vec3<double>& difference_A, double slack_A,
                    std::vector<Vec3<double>>& images_A) {
  const Vec3<double> nearest_A = cell.shortest(difference_A);
  const double distance_A = std::sqrt(dot(nearest_A, nearest_A)), limit_A = distance_A + slack_A;
  images_A.assign(1, nearest_A);
  if (limit_A + distance_A < 2 * cell.inscribed_radius_A()) return;
  const auto& [a, b, c] = cell.reduced();
  for (std::size_t n = 0; n < images_A.size(); ++n)
    for (int k = -1; k <= 1; ++k)
      for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i) {
          const Vec3<double> image_A = images_A[n] + double(i) * a + double(j) * b + double(k) * c;
          if (dot(image_A, image_A) > limit_A * limit_A) continue;
          const double same_A2 = 1e-6 * cell.inscribed_radius_A() * cell.inscribed_radius_A();
          const auto is_same = [&](const Vec3<double>& other_A) {
            return distance_squared(image_A, other_A) < same_A2;
          };
          if (std::none_of(images_A.begin(), images_A.end(), is_same)) images_A.push_back(image_A);
        }
}

}  // namespace

PeriodicPairBounds::PeriodicPairBounds(const PeriodicPair& pair, int threads)
    : cell_(pair.cell()), pair_(pair.pair()) {
  const Parts parts = parts_of(cell_);
  const auto& [u, v, w] = parts.edges_A;
  const auto& [a, b, c] = cell_.reduced();
  const double bound = pair_.prefactor * hessian_bound(cell_, pair_, 2 * parts.radius_A);
  const double between_kT_e = bound * parts.squares_A2 / 8 + 10 * pair.error_kT_e();
  const int used_threads = thread_count(threads);

  // Corners: the same on opposite faces.
  const auto [nx, ny, nz] = parts.counts;
  const auto number = [&](int i, int j, int k) {
    return std::size_t(i % nx) +
           std::size_t(nx) * (std::size_t(j % ny) + std::size_t(ny) * std::size_t(k % nz));
  };
  const auto corner_A = [&](double i, double j, double k) { return i * u + j * v + k * w; };
  std::vector<double> values(std::size_t(nx) * std::size_t(ny) * std::size_t(nz));
  parallel_for({used_threads, 1}, nz, [&](std::int64_t k) {
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) values[number(i, j, int(k))] = pair.at(corner_A(i, j, double(k)));
  });

  farthest_A_ = 0.5 * std::sqrt(dot(a, a) + dot(b, b) + dot(c, c));
  bins_per_A_ = bins / farthest_A_;
  std::vector<Range> by_distance(bins, nothing);
  std::mutex mutex;
  parallel_ranges({used_threads, 1}, nz, [&](std::int64_t first, std::int64_t last) {
    std::vector<Range> here(bins, nothing);
    std::vector<Vec3<double>> images_A;
    for (int k = int(first); k < int(last); ++k)
      for (int j = 0; j < ny; ++j)
        for (int i = 0; i < nx; ++i) {
          nearest_images(cell_, corner_A(i + 0.5, j + 0.5, k + 0.5), 2 * parts.radius_A, images_A);
          for (const Vec3<double>& middle_A : images_A) {
            Range range = nothing;
            for (int corner = 0; corner < 8; ++corner) {
              const int x = corner & 1, y = corner >> 1 & 1, z = corner >> 2;
              const Vec3<double> d_A = middle_A + corner_A(x - 0.5, y - 0.5, z - 0.5);
              const double rest_kT_e = values[number(i + x, j + y, k + z)] - pair_.at(dot(d_A, d_A));
              take_in(range, {rest_kT_e - between_kT_e, rest_kT_e + between_kT_e});
            }
            const double distance_A = std::sqrt(dot(middle_A, middle_A));
            const int from = std::max(0, int((distance_A - parts.radius_A) * bins_per_A_) - 1),
                      to = std::min(bins - 1, int((distance_A + parts.radius_A) * bins_per_A_) + 1);
            for (int bin = from; bin <= to; ++bin) take_in(here[std::size_t(bin)], range);
          }
        }
    const std::lock_guard lock(mutex);
    for (std::size_t bin = 0; bin < bins; ++bin) take_in(by_distance[bin], here[bin]);
  });

  ranges_.push_back(by_distance);
  for (std::size_t length = 1; 2 * length <= bins; length *= 2) {
    std::vector<Range> twice(ranges_.back());
    for (std::size_t n = 0; n + length < bins; ++n) take_in(twice[n], ranges_.back()[n + length]);
    ranges_.push_back(std::move(twice));
  }
}

Range PeriodicPairBounds::within(const Vec3<double>& centre_A, double radius_A) const {
  const Vec3<double> d_A = cell_.shortest(centre_A);
  const double distance_A = std::sqrt(dot(d_A, d_A));
  const double nearest_A = std::min(std::max(0.0, distance_A - radius_A), farthest_A_),
               outermost_A = std::min(distance_A + radius_A, farthest_A_);
  const int first = std::min(int(nearest_A * bins_per_A_), bins - 1),
            last = std::min(int(outermost_A * bins_per_A_), bins - 1);
  // Two stretches of a power of two of bins, which overlap.
  const int level = std::bit_width(unsigned(last - first + 1)) - 1;
  const std::vector<Range>& stretches = ranges_[std::size_t(level)];
  Range rest = stretches[std::size_t(first)];
  take_in(rest, stretches[std::size_t(last + 1 - (1 << level))]);
  return {pair_.at(outermost_A * outermost_A) + rest.lowest_kT_e,
          pair_.at(nearest_A * nearest_A) + rest.highest_kT_e};
}

}  // namespace ionwell
