// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "compute/backend.hpp"
#include "compute/poisson_boltzmann/focused_pb.hpp"
#include "compute/poisson_boltzmann/own_pb_options.hpp"
#include "core/error.hpp"
#include "electrostatics/poisson_boltzmann/solver/host_vectors.hpp"
#include "gpu/backend.hpp"
#include "structures/formats/read_structure.hpp"
#include "support/backends.hpp"
#include "support/example.hpp"

namespace ionwell::test {
namespace {

std::unique_ptr<SolutePb> on_gpu(const OwnPbCalculation& calculation, const std::vector<Atom>& atoms) {
  return gpu_backend().solute_pb(gpu_backend().devices().devices.front().number, calculation, atoms);
}

FocusedPb on_cpu(const OwnPbCalculation& calculation, const std::vector<Atom>& atoms) {
  return {calculation, atoms, [](PbSystem& system, const PbSolverOptions& options) {
            return host_vectors(system, options.equation == PbEquation::nonlinear, options.simd, 2);
          }};
}

OwnPbCalculation calculation_of(const Structure& structure, double spacing_A) {
  OwnPbCalculation calculation = own_pb_calculation(structure, {.spacing_A = spacing_A}, {}, {});
  calculation.solver.tolerance = 1e-7;
  calculation.solver.threads = 2;
  return calculation;
}

std::vector<float> values_of(SolutePb& equation, PbArray which) {
  const LargeArray<float> values = equation.values(which);
  return {values.data(), values.data() + values.size()};
}

/// The largest difference of two arrays, after `scale` of each value.
template <typename Scale>
double largest_difference(const std::vector<float>& a, const std::vector<float>& b, const Scale& scale) {
  REQUIRE(a.size() == b.size());
  double largest = 0.0;
  for (std::size_t n = 0; n < a.size(); ++n)
    largest = std::max(largest, std::abs(scale(double(a[n])) - scale(double(b[n]))));
  return largest;
}

/// Relative to the 2-norm of `expected`.
double relative_norm(const std::vector<float>& a, const std::vector<float>& expected) {
  double difference2 = 0.0, norm2 = 0.0;
  for (std::size_t n = 0; n < a.size(); ++n) {
    const double d = double(a[n]) - double(expected[n]);
    difference2 += d * d;
    norm2 += double(expected[n]) * double(expected[n]);
  }
  return std::sqrt(difference2 / norm2);
}

/// Ions where there was solvent.
std::vector<Atom> some_ions(const std::vector<Atom>& atoms) {
  std::vector<Atom> ions;
  for (int n = 0; n < 4; ++n) {
    Atom ion = atoms[std::size_t(n + 1) * atoms.size() / 6];
    ion.position_A = ion.position_A + Vec3<double>{2.0 - 1.5 * n, 3.0, 1.1 * n};
    ion.charge_e = 2.0;
    ion.radius_A = 1.3;
    ions.push_back(ion);
  }
  // Its box and that of the first have points in common, and remain two.
  ions.push_back(ions.front());
  ions.back().position_A = ions.back().position_A + Vec3<double>{5.0, 4.0, 3.0};
  return ions;
}

/// How many values differ by more than `tolerance`, after `scale` of each.
template <typename Scale>
std::int64_t count_differences(const std::vector<float>& a, const std::vector<float>& b, double tolerance,
                               const Scale& scale) {
  REQUIRE(a.size() == b.size());
  std::int64_t count = 0;
  for (std::size_t n = 0; n < a.size(); ++n)
    count += !(std::abs(scale(double(a[n])) - scale(double(b[n]))) <= tolerance);
  return count;
}

/// Faces, accessibility and charges of both: fp32 distances differ by 1e-6 A, and regula falsi stops within
/// 1e-5 of a segment. Shares differ by more where a surface grazes a segment, and a side is another one where
/// a middle is on the surface: of 1e5 faces one, at most.
void check_models_agree(SolutePb& gpu, SolutePb& cpu, const DielectricOptions& dielectric) {
  const double inside = 1.0 / dielectric.solute_dielectric, outside = 1.0 / dielectric.solvent_dielectric;
  const auto share = [&](double eps) {
    return inside == outside ? eps : (1.0 / eps - outside) / (inside - outside);
  };
  for (const PbArray faces : {PbArray::eps_x, PbArray::eps_y, PbArray::eps_z})
    CHECK(double(count_differences(values_of(gpu, faces), values_of(cpu, faces), 1e-3, share)) <=
          2.0 + 1e-5 * double(gpu.system().lattice.size()));
  const auto as_it_is = [](double value) { return value; };
  CHECK(count_differences(values_of(gpu, PbArray::accessibility), values_of(cpu, PbArray::accessibility),
                          1e-4, as_it_is) <= 2);
  CHECK(largest_difference(values_of(gpu, PbArray::charge), values_of(cpu, PbArray::charge), as_it_is) <
        1e-6);
}

struct Surface {
  std::string name;
  DielectricOptions dielectric;
  AccessibilityOptions accessibility;
};

std::vector<Surface> surfaces() {
  using enum SoluteSurface;
  return {
      {"solvent-excluded", {}, {}},
      {"solvent-excluded, small ions", {}, {.ion_radius_A = 0.4}},
      {"solvent-excluded, large probe", {.probe_A = 2.6}, {}},
      {"solvent-excluded, middles", {.faces = FaceRule::midpoint}, {.by_share = false}},
      {"solvent-excluded, averages", {.faces = FaceRule::averaged_midpoint}, {.ion_radius_A = 0.4}},
      {"van der Waals, averages",
       {.surface = van_der_waals, .faces = FaceRule::averaged_midpoint},
       {.surface = van_der_waals}},
      {"van der Waals", {.surface = van_der_waals}, {.surface = van_der_waals}},
      {"van der Waals, points", {.surface = van_der_waals}, {.surface = van_der_waals, .by_share = false}},
      {"cubic spline", {.surface = cubic_spline}, {.surface = cubic_spline}},
      {"septic spline", {.surface = septic_spline, .window_A = 0.5}, {.surface = septic_spline}},
      {"Gaussian", {.surface = gaussian}, {.surface = gaussian}},
      {"none", {.solute_dielectric = 80.0, .solvent_dielectric = 80.0}, {}}};
}

}  // namespace

TEST_CASE("gpu: a solute's equation with every surface is the CPU's, and stays so when ions join it") {
  if (!have_gpu()) return;
  const Structure structure = read_structure(duplex);
  for (const double spacing_A : {1.0, 0.6})
    for (const Surface& surface : surfaces()) {
      CAPTURE(spacing_A);
      CAPTURE(surface.name);
      OwnPbCalculation calculation = calculation_of(structure, spacing_A);
      calculation.model.dielectric = surface.dielectric;
      calculation.model.accessibility = surface.accessibility;
      const std::unique_ptr<SolutePb> gpu = on_gpu(calculation, structure.atoms);
      REQUIRE(gpu != nullptr);
      FocusedPb cpu = on_cpu(calculation, structure.atoms);
      check_models_agree(*gpu, cpu, surface.dielectric);
      gpu->solve([](double) {}, {});
      cpu.solve([](double) {}, {});
      CHECK(relative_norm(values_of(*gpu, PbArray::potential), values_of(cpu, PbArray::potential)) < 1e-4);
      const std::vector<Atom> ions = some_ions(structure.atoms);
      gpu->add(ions);
      cpu.add(ions);
      check_models_agree(*gpu, cpu, surface.dielectric);
      gpu->solve([](double) {}, {});
      cpu.solve([](double) {}, {});
      CHECK(relative_norm(values_of(*gpu, PbArray::potential), values_of(cpu, PbArray::potential)) < 1e-4);
      CHECK(gpu->charge_energy_kT() == doctest::Approx(cpu.charge_energy_kT()).epsilon(1e-5));
      CHECK(gpu->atoms().size() == structure.atoms.size() + ions.size());
    }
}

TEST_CASE(
    "gpu: a solute's equation that ions have joined has the bits of one that goes on from its solution") {
  if (!have_gpu()) return;
  const Structure structure = read_structure(duplex);
  for (const PbEquation equation : {PbEquation::linear, PbEquation::nonlinear}) {
    CAPTURE(int(equation));
    OwnPbCalculation calculation = calculation_of(structure, 1.0);
    calculation.solver.equation = equation;
    const std::vector<Atom> ions = some_ions(structure.atoms);
    const std::unique_ptr<SolutePb> first = on_gpu(calculation, structure.atoms);
    REQUIRE(first != nullptr);
    const PbConvergence before = first->solve([](double) {}, {});
    const SolutePb::Solutions saved = first->solutions_kT_e();
    first->add(ions);
    const PbConvergence after = first->solve([](double) {}, {});
    CHECK(before.iterations > 4);
    CHECK(after.residual <= 1e-7);
    const std::unique_ptr<SolutePb> second = on_gpu(calculation, structure.atoms);
    second->start_from(saved);
    CHECK(second->solutions_kT_e().inner == saved.inner);
    second->add(ions);
    CHECK(second->solve([](double) {}, {}).history == after.history);
    CHECK(second->solutions_kT_e().inner == first->solutions_kT_e().inner);
    CHECK(second->solutions_kT_e().outer == first->solutions_kT_e().outer);
    CHECK(second->charge_energy_kT() == first->charge_energy_kT());
  }
}

TEST_CASE("gpu: spheres that touch, coincide, hold one another or meet in a point have the CPU's surface") {
  if (!have_gpu()) return;
  Structure structure;
  const auto add = [&](double x, double y, double z, double radius_A) {
    Atom atom;
    atom.position_A = {x, y, z};
    atom.charge_e = structure.atoms.size() % 2 == 0 ? 1.0 : -1.0;
    atom.radius_A = radius_A;
    structure.atoms.push_back(atom);
  };
  for (int n = 0; n < 27; ++n) add(2.0 * (n % 3), 2.0 * (n / 3 % 3), 2.0 * (n / 9), 1.5);  // a crystal
  add(2.0, 2.0, 2.0, 1.5);                                                                 // as another one
  add(2.1, 2.0, 2.0, 0.7);                                                                 // in another one
  add(12.0, 0.0, 0.0, 2.0);                                                                // alone
  add(12.0, 9.0, 0.0, 2.0);
  add(12.0, 9.0, 4.0, 0.0);  // has no surface
  add(12.0, 13.0, 0.0, 2.0);
  for (const double spacing_A : {0.5, 1.6}) {  // without the probe, and longer than it
    CAPTURE(spacing_A);
    OwnPbCalculation calculation = calculation_of(structure, spacing_A);
    const std::unique_ptr<SolutePb> gpu = on_gpu(calculation, structure.atoms);
    REQUIRE(gpu != nullptr);
    FocusedPb cpu = on_cpu(calculation, structure.atoms);
    check_models_agree(*gpu, cpu, calculation.model.dielectric);
  }
}

TEST_CASE("gpu: a solute's equation that devices do not make, wrong radii, and a GPU that is not there") {
  if (!have_gpu()) return;
  const Structure structure = read_structure(duplex);
  const OwnPbCalculation calculation = calculation_of(structure, 2.0);
  OwnPbCalculation other = calculation;
  other.model.charges = ChargeAssignment::regularized;
  CHECK(on_gpu(other, structure.atoms) == nullptr);
  other = calculation;
  other.model.boundary = BoundaryKind::single_debye_hueckel;
  CHECK(on_gpu(other, structure.atoms) == nullptr);
  std::vector<Atom> wrong = structure.atoms;
  wrong[3].radius_A = -1.0;
  CHECK_THROWS_AS(on_gpu(calculation, wrong), Error);
  CHECK_THROWS_AS(gpu_backend().solute_pb(997, calculation, structure.atoms), UsageError);
  const std::unique_ptr<SolutePb> gpu = on_gpu(calculation, structure.atoms);
  const std::vector<Atom> negative(wrong.begin() + 3, wrong.begin() + 4);
  CHECK_THROWS_AS(gpu->add(negative), Error);
  CHECK(gpu->atoms().size() == structure.atoms.size());
  CHECK_THROWS_WITH_AS(gpu->solve(
                           [](double part) {
                             if (part > 0.3) throw Error("cancelled");
                           },
                           {}),
                       "cancelled", Error);
  CHECK(gpu->solve([](double) {}, {}).residual <= 1e-7);
}

}  // namespace ionwell::test
