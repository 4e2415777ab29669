// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/periodic/image_polynomials.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.hpp"
#include "electrostatics/periodic/image_tail.hpp"
#include "electrostatics/periodic/polynomial_fit.hpp"
#include "parallel/parallel_for.hpp"
#include "parallel/thread_count.hpp"

namespace ionwell {
namespace {

/// Nodes are at least this far apart, and farther where a cell would have more of them than is usual (4 MB of
/// polynomials), but for cells that are long or flat.
constexpr double least_edge_A = 2.5, usual_nodes = 1 << 14, most_nodes = 1 << 16;

constexpr double fp32 = 0x1p-24;

/// Where the terms of a Node are among the coefficients of a polynomial of fourth degree.
constexpr std::size_t low_terms[] = {0, 1, 5, 15, 2, 9, 25, 6, 16, 19};

double edge_between_nodes_A(const PeriodicCell& cell) {
  constexpr double long_cell = 0.1;  // of half the distance to the next image
  return std::max(
      {least_edge_A, std::cbrt(cell.volume_A3() / most_nodes),
       std::min(std::cbrt(cell.volume_A3() / usual_nodes), long_cell * cell.inscribed_radius_A())});
}

double length(const Vec3<double>& v) {
  return std::sqrt(dot(v, v));
}

/// From the middle of a parallelepiped to its farthest corner.
double half_diagonal_A(const CellVectors& edges_A) {
  const auto& [u, v, w] = edges_A;
  double farthest_A = 0.0;
  for (const double j : {-0.5, 0.5})
    for (const double k : {-0.5, 0.5}) farthest_A = std::max(farthest_A, length(0.5 * u + j * v + k * w));
  return farthest_A;
}

CellVectors divided(const CellVectors& cell, const Vec3<int>& by) {
  return {1.0 / by.x * cell.a, 1.0 / by.y * cell.b, 1.0 / by.z * cell.c};
}

/// R at the points of a lattice twice as fine as that of the nodes, over the cell around 0 and a bit beyond.
class Samples {
 public:
  Samples(const PeriodicPair& pair, const Vec3<int>& counts, const Vec3<int>& reach, int threads)
      : reach_{counts.x / 2 + reach.x, counts.y / 2 + reach.y, counts.z / 2 + reach.z},
        values_(number(reach_.x, reach_.y, reach_.z) + 1) {
    const CellVectors edges_A = divided(pair.cell().reduced(), counts);
    const Vec3<double>&u = edges_A.a, &v = edges_A.b, &w = edges_A.c;
    const int nx = counts.x, ny = counts.y, nz = counts.z;
    const auto wrapped = [&](int i, int j, int k) {
      const auto inside = [](int n, int of) { return std::size_t(((n % of) + of) % of); };
      return inside(i, nx) + std::size_t(nx) * (inside(j, ny) + std::size_t(ny) * inside(k, nz));
    };
    // psi is even.
    std::vector<double> psi(std::size_t(nx) * std::size_t(ny) * std::size_t(nz));
    parallel_for({threads, 1}, nz, [&](std::int64_t k) {
      for (int j = 0; j < ny; ++j)
        for (int i = 0; i < nx; ++i) {
          const std::size_t at = wrapped(i, j, int(k)), opposite = wrapped(-i, -j, -int(k));
          if (at <= opposite)
            psi[at] = psi[opposite] = pair.at(double(i) * u + double(j) * v + double(k) * w);
        }
    });
    parallel_for({threads, 1}, 2 * reach_.z + 1, [&](std::int64_t plane) {
      const int k = int(plane) - reach_.z;
      for (int j = -reach_.y; j <= reach_.y; ++j)
        for (int i = -reach_.x; i <= reach_.x; ++i) {
          const Vec3<double> d_A = double(i) * u + double(j) * v + double(k) * w;
          values_[number(i, j, k)] = psi[wrapped(i, j, k)] - pair.pair().at(dot(d_A, d_A));
        }
    });
  }

  /// Of the point (i, j, k) from the middle.
  std::size_t number(int i, int j, int k) const {
    return std::size_t(i + reach_.x) +
           std::size_t(2 * reach_.x + 1) *
               (std::size_t(j + reach_.y) + std::size_t(2 * reach_.y + 1) * std::size_t(k + reach_.z));
  }

  double operator[](std::size_t number) const { return values_[number]; }

 private:
  Vec3<int> reach_;
  std::vector<double> values_;
};

}  // namespace

bool ImagePolynomials::suit(const PeriodicCell& cell, double radius_A) {
  constexpr double most = 0.4;  // of half the distance to the next image
  return radius_A + edge_between_nodes_A(cell) < most * cell.inscribed_radius_A();
}

ImagePolynomials::ImagePolynomials(const PeriodicPair& pair, double radius_A, int threads) {
  const PeriodicCell& cell = pair.cell();
  if (!suit(cell, radius_A))
    fail<UsageError>("images ", 2 * cell.inscribed_radius_A(),
                     " A apart are too near for polynomials over balls of ", radius_A, " A");
  const double edge_A = edge_between_nodes_A(cell);
  const auto& [a, b, c] = cell.reduced();
  const auto along = [&](const Vec3<double>& v) { return 2 * int(std::ceil(length(v) / (2 * edge_A))); };
  const Vec3<int> counts{along(a), along(b), along(c)};
  lattice_ = {divided(cell.reduced(), counts), PeriodicCell(cell.reduced()).reciprocal(), counts};
  const auto& [u_A, v_A, w_A] = lattice_.edges_A;

  const Vec3<int> fine{2 * counts.x, 2 * counts.y, 2 * counts.z};
  const PolynomialFit fit(divided(cell.reduced(), fine), degree);
  const double ball_A = std::max(radius_A + half_diagonal_A(lattice_.edges_A), fit.radius_A());
  const ImageTail tail(cell, pair.pair(), degree, ball_A);
  const int used_threads = thread_count(threads);
  const Samples samples(pair, fine, fit.reach(), used_threads);
  const PolynomialFit::Gains gains = fit.gains(ball_A);
  const double of_tail = 1 + gains.of_tail;
  constexpr double safety = 10;  // what is expected of `at` is no bound
  const double of_samples_kT_e = safety * pair.error_kT_e() * gains.of_values;

  const std::size_t nodes = lattice_.size();
  coefficients_.resize(terms * nodes);
  nodes_.resize(nodes);
  std::vector<std::size_t> steps;  // from the sample at a node to those around it
  for (const Vec3<int>& point : fit.points())
    steps.push_back(samples.number(point.x, point.y, point.z) - samples.number(0, 0, 0));
  parallel_ranges({used_threads, 1}, counts.z + 1, [&](std::int64_t first, std::int64_t last) {
    std::vector<double> around(steps.size()), polynomial(terms);
    for (int k = int(first) - counts.z / 2; k < int(last) - counts.z / 2; ++k)
      for (int j = -counts.y / 2; j <= counts.y / 2; ++j)
        for (int i = -counts.x / 2; i <= counts.x / 2; ++i) {
          const std::size_t middle = samples.number(2 * i, 2 * j, 2 * k), node = lattice_.number(i, j, k);
          for (std::size_t n = 0; n < steps.size(); ++n) around[n] = samples[middle + steps[n]];
          fit.coefficients(around, polynomial);
          Node& of_node = nodes_[node];
          double rounding_kT_e = 0.0, second = 0.0, higher = 0.0;
          for (int t = 0; t < terms; ++t) {
            const double coefficient = polynomial[std::size_t(t)];
            coefficients_[terms * node + std::size_t(t)] = float(coefficient);
            // To fp32; each factor of a power is off by 3 units of rounding of the ball, and each power goes
            // through as many multiplications and 2 additions.
            const int power = fit.power(t);
            const double at_most = std::abs(coefficient) * std::pow(ball_A, power);
            rounding_kT_e += fp32 * (3 + 4 * power) * at_most;
            if (power == 2) second += std::abs(coefficient) * fit.largest(t);
            if (power > 2) higher += at_most * fit.largest(t);
          }
          for (std::size_t n = 0; n < std::size(low_terms); ++n)
            of_node.terms[n] = float(polynomial[low_terms[n]]);
          const Vec3<double> node_A = double(i) * u_A + double(j) * v_A + double(k) * w_A;
          constexpr double upwards = 1 + 1e-6;
          of_node.second_kT_e_A2 = float(upwards * second);
          of_node.higher_kT_e = float(upwards * higher);
          of_node.error_kT_e =
              float(upwards * (of_tail * tail.around(node_A) + of_samples_kT_e + rounding_kT_e));
        }
  });
}

ImagePolynomials::Linear ImagePolynomials::linear(const Ball& ball, double radius_A) {
  const Node& node = ball.node;
  const float* const c = node.terms;
  const auto [x, y, z] = ball.from_node_A;
  const Vec3<double> linear{c[1], c[2], c[3]}, squares{c[4] * x, c[5] * y, c[6] * z},
      products{c[7] * y + c[8] * z, c[7] * x + c[9] * z, c[8] * x + c[9] * y};
  const Vec3<double> slope = linear + 2.0 * squares + products;
  const double value = c[0] + dot(ball.from_node_A, linear + squares + 0.5 * products);
  return {value, slope, node.second_kT_e_A2 * radius_A * radius_A + node.higher_kT_e + node.error_kT_e};
}

}  // namespace ionwell
