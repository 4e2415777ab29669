// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "electrostatics/periodic/image_nodes.hpp"
#include "electrostatics/periodic/periodic_pair.hpp"

namespace ionwell {

/// What all images of a unit charge but one do, R(d) = psi(d) - f(|d|), as polynomials over balls of
/// differences. R is smooth wherever the others are far: nodes that fill the cell have a polynomial of total
/// degree 4 each, fitted to psi around the node, which stands for R over any ball whose centre the node is
/// nearest to. The fit takes a polynomial for what it is, so that its error is bounded by what Taylor's
/// polynomial of that degree leaves (ImageTail), in the ball and where psi was sampled.
class ImagePolynomials {
 public:
  static constexpr int degree = ImageNodes::degree, terms = ImageNodes::terms;

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
    const float* coefficients;  // ImageNodes::polynomial
    const Node& node;
  };

  Ball around(const Vec3<double>& difference_A) const {
    const auto [image_A, from_node_A, node] = lattice_.around(difference_A);
    return {image_A, from_node_A, coefficients(node), nodes_[node]};
  }

  /// R over a ball as value + slope . u, to within `rest`, with a ball smaller than those it was made for.
  struct Linear {
    double value_kT_e;
    Vec3<double> slope_kT_e_A;
    double rest_kT_e;
  };
  static Linear linear(const Ball& ball, double radius_A);

  /// What is needed to evaluate the polynomials elsewhere: where the nodes are, and by node the coefficients
  /// and the error.
  const ImageNodes& nodes() const { return lattice_; }
  const float* coefficients(std::size_t node) const { return &coefficients_[terms * node]; }
  float error_kT_e(std::size_t node) const { return nodes_[node].error_kT_e; }

 private:
  ImageNodes lattice_;
  std::vector<float> coefficients_;  // [node][terms]
  std::vector<Node> nodes_;
};

}  // namespace ionwell
