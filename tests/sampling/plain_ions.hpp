// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "sampling/field_at_points.hpp"
#include "sampling/image_table.hpp"
#include "sampling/ion_model.hpp"
#include "sampling/ion_set.hpp"

/// Models of ions for tests, and their energies by plain double-precision code.
namespace ionwell::test {

/// A potential that a formula gives, with its gradient.
class FormulaField final : public FieldAtPoints {
 public:
  using Formula = std::function<std::pair<double, Vec3<double>>(const Vec3<double>&)>;
  explicit FormulaField(Formula formula) : formula_(std::move(formula)) {}

  void potential(std::span<const Vec3<double>> points_A, std::span<double> potential_kT_e) const override {
    for (std::size_t n = 0; n < points_A.size(); ++n) potential_kT_e[n] = formula_(points_A[n]).first;
  }
  void gradient(std::span<const Vec3<double>> points_A, std::span<double> potential_kT_e,
                std::span<Vec3<double>> gradient_kT_e_A) const override {
    for (std::size_t n = 0; n < points_A.size(); ++n)
      std::tie(potential_kT_e[n], gradient_kT_e_A[n]) = formula_(points_A[n]);
  }

 private:
  Formula formula_;
};

/// k r^2 / 2 around a place, for a unit charge.
inline std::shared_ptr<const FieldAtPoints> spring(double k_kT_e_A2, Vec3<double> middle_A) {
  return std::make_shared<FormulaField>([=](const Vec3<double>& at_A) {
    const Vec3<double> d_A = at_A - middle_A;
    return std::pair(0.5 * k_kT_e_A2 * dot(d_A, d_A), k_kT_e_A2 * d_A);
  });
}

inline Box cube_of(double edge_A) {
  const double half_A = 0.5 * edge_A;
  return {{-half_A, -half_A, -half_A}, {half_A, half_A, half_A}};
}

inline SampledSpecies species_of(const char* name, double charge_e, double radius_A,
                                 double diffusion_A2_ps = 0.1) {
  return {{name, name, charge_e}, radius_A, diffusion_A2_ps};
}

/// Lets a model's box repeat.
inline IonModel periodic(IonModel model) {
  model.boundary = SampleBoundary::periodic;
  model.images = std::make_shared<ImageTable>(model.box, model.pair, 2, model.simd);
  return model;
}

/// Ions that do not see each other: their charges are for a field alone, and they have no size.
inline IonModel ideal_gas(double edge_A, std::vector<double> charges_e) {
  IonModel model{.species = {}, .box = cube_of(edge_A), .repulsion = Repulsion::soft};
  for (const double charge_e : charges_e) model.species.push_back(species_of("X", charge_e, 0.0));
  return model;
}

}  // namespace ionwell::test
