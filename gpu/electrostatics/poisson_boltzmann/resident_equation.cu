// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/electrostatics/poisson_boltzmann/resident_equation.hpp"

#include <utility>

#include "core/units.hpp"
#include "gpu/electrostatics/poisson_boltzmann/model/charges_on_points.hpp"
#include "gpu/runtime/launch.hpp"

namespace ionwell::gpu {
namespace {

__global__ void to_fp32_kernel(const double* from, std::int64_t count, float* to) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n < count) to[n] = float(from[n]);
}

__global__ void to_fp64_kernel(const float* from, std::int64_t count, double* to) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n < count) to[n] = double(from[n]);
}

}  // namespace

ResidentEquation::ResidentEquation(int ordinal, const LatticeGeometry& lattice, const PbModelOptions& options,
                                   const PbSolverOptions& solver)
    : options_(options) {
  system_.lattice = lattice;
  system_.ions = options.ions;
  system_.bjerrum_A = coulomb_constant_kT_A(options.temperature_K);
  system_.is_on_device = true;
  solver_ = std::make_unique<PbSolver>(system_, solver, [&](PbSystem& system, const PbSolverOptions& by) {
    ResidentVectors made = resident_vectors(ordinal, system, by.equation == PbEquation::nonlinear);
    arrays_ = made.arrays;
    return std::move(made.vectors);
  });
}

void ResidentEquation::charge(const SoluteAtoms& atoms, const DeviceBuffer<SoluteAtom>& on_device) {
  assign_all_charges(on_device, options_.charges, lattice(), arrays_.phi_kT_e, arrays_.charge_e, stream());
  check(cudaMemsetAsync(arrays_.phi_kT_e, 0, std::size_t(lattice().size()) * sizeof(double), stream()),
        "clearing the potential");
  add_boundary(atoms, on_device.data());
}

void ResidentEquation::coefficients_changed(std::span<const PointBox> boxes) {
  for (const PointBox& box : boxes) solver_->update(box);
}

void ResidentEquation::add(const SoluteAtoms& atoms) {
  make_room(added_, atoms.atoms.size(), "atoms that join");
  added_.copy_from(atoms.span(), stream());
  assign_more_charges(added_.data(), std::ssize(atoms.span()), options_.charges, system_.lattice,
                      arrays_.charge_e, stream());
  add_boundary(atoms, added_.data());
}

void ResidentEquation::add_boundary(const SoluteAtoms& atoms, const SoluteAtom* on_device) {
  if (options_.boundary == BoundaryKind::multiple_debye_hueckel)
    boundary_.add_debye_hueckel(atoms, on_device, options_.dielectric.solvent_dielectric, system_,
                                arrays_.phi_kT_e, stream());
}

void ResidentEquation::focus(const ResidentEquation& coarse) {
  check(cudaStreamSynchronize(coarse.stream()), "a solution on a larger lattice");
  focus_boundary(coarse.lattice(), coarse.arrays_.phi_kT_e, system_.lattice, arrays_.phi_kT_e, stream());
}

void ResidentEquation::copy_solution(std::span<float> to_kT_e) const {
  DeviceBuffer<float> rounded(to_kT_e.size(), "the solution");
  to_fp32_kernel<<<blocks_for(std::ssize(to_kT_e)), usual_threads, 0, stream()>>>(
      arrays_.phi_kT_e, std::ssize(to_kT_e), rounded.data());
  check_launch("rounding the potential");
  rounded.copy_to(to_kT_e, stream());
}

void ResidentEquation::start_from(std::span<const float> solution_kT_e) {
  const DeviceBuffer<float> given(solution_kT_e, stream(), "the start");
  to_fp64_kernel<<<blocks_for(std::ssize(solution_kT_e)), usual_threads, 0, stream()>>>(
      given.data(), std::ssize(solution_kT_e), arrays_.phi_kT_e);
  check_launch("reading the start");
  check(cudaStreamSynchronize(stream()), "reading the start");
}

std::vector<double> ResidentEquation::potential_at(std::span<const Atom> atoms) const {
  const DeviceBuffer<PointCharge> charges(point_charges(atoms), stream(), "the charges");
  return potential_at_charges(charges, options_.charges, system_.lattice, arrays_.phi_kT_e, stream());
}

}  // namespace ionwell::gpu
