// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "core/host_device.hpp"
#include "core/unit_cell.hpp"
#include "core/vec3.hpp"

namespace ionwell {

/// The lattice of nodes that ImagePolynomials have in a cell, and how their polynomials are evaluated.
struct ImageNodes {
  static constexpr int degree = 4, terms = 35;

  CellVectors edges_A, reciprocal;  // from a node to the next ones; of the reduced cell
  Vec3<int> counts;                 // of nodes along the cell, even

  /// A difference between two positions, as its nearest node sees it.
  struct Place {
    Vec3<double> difference_A;  // the image of it that the node is for
    Vec3<double> from_node_A;
    std::size_t node;
  };

  IONWELL_HD Place around(const Vec3<double>& difference_A) const {
    const double a = dot(reciprocal.a, difference_A), b = dot(reciprocal.b, difference_A),
                 c = dot(reciprocal.c, difference_A);
    const auto& [u, v, w] = edges_A;
    const double i = a - nearest(a), j = b - nearest(b), k = c - nearest(c);  // of cells
    const double x = i * counts.x, y = j * counts.y, z = k * counts.z;        // of nodes
    const double at_x = nearest(x), at_y = nearest(y), at_z = nearest(z);
    const Vec3<double> from_node_A = (x - at_x) * u + (y - at_y) * v + (z - at_z) * w;
    return {at_x * u + at_y * v + at_z * w + from_node_A, from_node_A,
            number(int(at_x), int(at_y), int(at_z))};
  }

  /// Number of the node at (i, j, k) from the middle one.
  IONWELL_HD std::size_t number(int i, int j, int k) const {
    return std::size_t(i + counts.x / 2) +
           std::size_t(counts.x + 1) *
               (std::size_t(j + counts.y / 2) + std::size_t(counts.y + 1) * std::size_t(k + counts.z / 2));
  }

  /// Of the nodes, those on both faces of the cell included.
  std::size_t size() const { return number(counts.x / 2, counts.y / 2, counts.z / 2) + 1; }

  /// A polynomial by Horner's scheme, from the last coefficient on; they are of x^i y^j z^k, in the order of
  /// k, then j, then i.
  template <typename Real>
  IONWELL_HD static Real polynomial(const float* coefficients, const Vec3<Real>& at) {
    int next = terms;
    Real sum = 0;
    for (int k = degree; k >= 0; --k) {
      Real of_plane = 0;
      for (int j = degree - k; j >= 0; --j) {
        Real of_row = 0;
        for (int i = degree - k - j; i >= 0; --i) of_row = of_row * at.x + Real(coefficients[--next]);
        of_plane = of_plane * at.y + of_row;
      }
      sum = sum * at.z + of_plane;
    }
    return sum;
  }

 private:
  /// The nearest whole number of one below 2^51. std::rint is a call where a processor may lack SSE4.1.
  IONWELL_HD static double nearest(double x) {
    constexpr double whole = 0x1.8p52;  // numbers of this size have no fraction
    return (x + whole) - whole;
  }
};

}  // namespace ionwell
