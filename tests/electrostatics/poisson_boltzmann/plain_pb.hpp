// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "electrostatics/poisson_boltzmann/pb_system.hpp"

namespace ionwell::test {

/// The Poisson-Boltzmann equation in plain fp64 loops over points, which know nothing of the solver.
class PlainPb {
 public:
  explicit PlainPb(const PbSystem& system);

  /// 2-norms of the right side, of which given potentials are a part, and of what `phi` leaves of it.
  double right_side_norm() const;
  double residual_norm(const std::vector<double>& phi_kT_e, bool nonlinear) const;

  /// Plain conjugate gradients to 1e-13 of the right side.
  std::vector<double> solve_linear() const;

  /// Point after point, each by Newton's method, until nothing changes by more than 1e-12.
  std::vector<double> solve_nonlinear() const;

 private:
  struct Face {
    std::int64_t neighbour;
    double conductance;
  };

  template <typename Work>
  void for_inner_points(const Work& work) const;
  std::array<Face, 6> faces_of(std::int64_t p) const;
  double charge_term(std::int64_t p) const;
  /// What the ions of the solution answer at point p, and its derivative.
  double answer(std::int64_t p, double phi, bool nonlinear, double* slope) const;
  std::vector<double> residual(const std::vector<double>& phi_kT_e, bool nonlinear) const;

  const PbSystem& system_;
};

/// Random dielectrics (1 or 80 in random blocks, or anything from 1 to 80), accessibilities, charges and
/// boundary, in a 0.15 M 1:1 salt.
struct RandomPb {
  Vec3<std::int64_t> counts;
  Vec3<double> spacing_A{0.5, 0.5, 0.5};
  bool blocks = true;
  std::uint32_t seed = 1;
};

PbSystem random_system(const RandomPb& random);

/// Everything the same everywhere: dielectric 80, no ions, no charges, boundary 0.
PbSystem plain_system(const LatticeGeometry& lattice);

/// The largest |a - b| over the largest |b|.
double relative_difference(const std::vector<float>& a, const std::vector<double>& b);

std::vector<double> as_double(const std::vector<float>& values);

}  // namespace ionwell::test
