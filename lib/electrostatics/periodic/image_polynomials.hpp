// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "electrostatics/periodic/periodic_pair.hpp"

namespace ionwell {

/// What all images of a unit charge but one do, R(d) = psi(d) - f(|d|), as polynomials over balls of
/// differences. R is smooth wherever the others are far: nodes that fill the cell have a polynomial of total
/// degree 4 each, fitted to psi around the node, which stands for R over any ball whose centre the node is
/// nearest to. The fit takes a polynomial for what it is, so that its error is bounded by what Taylor's
/// polynomial of that degree leaves (ImageTail), in the ball and where psi was sampled.
class ImagePolynomials {
 public:
  static constexpr int degree = 4, terms = 35;

  /// For balls of up to `radius_A`; takes some 100 ms of one core and 4 to 16 MB. Throws UsageError where
  /// `suit` is false.
  ImagePolynomials(const PeriodicPair& pair, double radius_A, int threads);

  /// Whether the images of the cell are so far apart that polynomials tell much of what they do in such
  /// balls.
  static bool suit(const PeriodicCell& cell, double radius_A);

  /// What the polynomial of a node is near it: its terms up to the second degree, and bounds.
  struct Node {
    float terms[10];       // 1, x, y, z, x^2, y^2, z^2, xy, xz, yz
    float second_kT_e_A2;  // bound on those of second degree at u, over |u|^2
    float higher_kT_e;     // bound on all that are higher, anywhere in the ball
    float error_kT_e;
  };

  /// A ball of differences: with d = difference_A + u, |u| at most the radius, R(d) is the polynomial at
  /// u + from_node_A, to within the node's error with arithmetic in fp32, positions relative to the node
  /// included, or more digits.
  struct Ball {
    Vec3<double> difference_A;  // with the image of the charge whose f is left out of R
    Vec3<double> from_node_A;
    const float* coefficients;  // of x^i y^j z^k, in the order of k, then j, then i
    const Node& node;
  };

  Ball around(const Vec3<double>& difference_A) const {
    const double a = dot(reciprocal_.a, difference_A), b = dot(reciprocal_.b, difference_A),
                 c = dot(reciprocal_.c, difference_A);
    const auto& [u, v, w] = edges_A_;
    const double i = a - nearest(a), j = b - nearest(b), k = c - nearest(c);  // of cells
    const double x = i * counts_.x, y = j * counts_.y, z = k * counts_.z;     // of nodes
    const double at_x = nearest(x), at_y = nearest(y), at_z = nearest(z);
    const Vec3<double> from_node_A = (x - at_x) * u + (y - at_y) * v + (z - at_z) * w;
    const std::size_t node = number(int(at_x), int(at_y), int(at_z));
    return {at_x * u + at_y * v + at_z * w + from_node_A, from_node_A, &coefficients_[terms * node],
            nodes_[node]};
  }

  /// R over a ball as value + slope . u, to within `rest`, with a ball smaller than those it was made for.
  struct Linear {
    double value_kT_e;
    Vec3<double> slope_kT_e_A;
    double rest_kT_e;
  };
  static Linear linear(const Ball& ball, double radius_A);

  /// The polynomial of a ball at `from_node_A`, in fp64.
  static double value(const float* coefficients, const Vec3<double>& from_node_A);

 private:
  /// The nearest whole number of one below 2^51. std::rint is a call where a processor may lack SSE4.1.
  static double nearest(double x) {
    constexpr double whole = 0x1.8p52;  // numbers of this size have no fraction
    return (x + whole) - whole;
  }

  std::size_t number(int i, int j, int k) const {  // of the node at (i, j, k) from the middle one
    return std::size_t(i + counts_.x / 2) +
           std::size_t(counts_.x + 1) *
               (std::size_t(j + counts_.y / 2) + std::size_t(counts_.y + 1) * std::size_t(k + counts_.z / 2));
  }

  CellVectors edges_A_, reciprocal_;  // from a node to the next ones; of the reduced cell
  Vec3<int> counts_;                  // of nodes along the cell, even
  std::vector<float> coefficients_;   // [node][terms]
  std::vector<Node> nodes_;
};

}  // namespace ionwell
