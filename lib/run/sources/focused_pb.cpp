#include "run/sources/focused_pb.hpp"

#include <algorithm>
#include <array>

#include "electrostatics/poisson_boltzmann/model/points_around.hpp"
#include "parallel/thread_count.hpp"

namespace ionwell {
namespace {

PbModelOptions with_boundary(PbModelOptions options, BoundaryKind boundary) {
  options.boundary = boundary;
  return options;
}

std::shared_ptr<const SolventExcluded> surface_of(const OwnPbCalculation& calculation,
                                                  std::span<const Atom> atoms) {
  return common_surface(calculation.model.dielectric, atoms,
                        std::array{calculation.outer, calculation.lattice},
                        thread_count(calculation.solver.threads));
}

}  // namespace

FocusedPb::Part::Part(const LatticeGeometry& lattice, std::span<const Atom> atoms,
                      const PbModelOptions& options, const PbSolverOptions& solver_options,
                      const MakePbVectors& make, const SolventExcluded* surface, const SetCoefficients& set)
    : model(lattice, atoms, options, thread_count(solver_options.threads), surface, set),
      solver(model.system(), solver_options, make) {}

void FocusedPb::Part::add(std::span<const Atom> added) {
  if (added.empty()) return;
  for (const PointBox& changed : model.add(added)) solver.update(changed);
}

FocusedPb::FocusedPb(const OwnPbCalculation& calculation, std::span<const Atom> atoms,
                     const MakePbVectors& make, const SetCoefficients& set)
    : FocusedPb(calculation, atoms, make, set ? nullptr : surface_of(calculation, atoms), set) {}

FocusedPb::FocusedPb(const OwnPbCalculation& calculation, std::span<const Atom> atoms,
                     const MakePbVectors& make, const std::shared_ptr<const SolventExcluded>& surface,
                     const SetCoefficients& set)
    : outer_(calculation.outer, atoms, calculation.model, calculation.solver, make, surface.get(), set),
      inner_(calculation.lattice, atoms, with_boundary(calculation.model, BoundaryKind::focused),
             calculation.solver, make, surface.get(), set) {}

void FocusedPb::add(std::span<const Atom> added) {
  outer_.add(added);
  inner_.add(added);
}

void FocusedPb::start_from(const Solutions& solutions_kT_e) {
  std::copy(solutions_kT_e.outer.begin(), solutions_kT_e.outer.end(),
            outer_.model.system().boundary_kT_e.begin());
  std::copy(solutions_kT_e.inner.begin(), solutions_kT_e.inner.end(),
            inner_.model.system().boundary_kT_e.begin());
}

PbConvergence FocusedPb::solve(const Progress& progress, const TellResidual& residual) {
  const PbSystem &outer = outer_.model.system(), &inner = inner_.model.system();
  const double outer_points = double(outer.lattice.size()), inner_points = double(inner.lattice.size());
  const double outer_part = outer_points / (outer_points + inner_points);
  const PbConvergence first =
      outer_.solver.solve([&](double part) { progress(outer_part * part); }, residual);
  inner_.model.focus(outer.lattice, outer.boundary_kT_e);
  PbConvergence both =
      inner_.solver.solve([&](double part) { progress(outer_part + (1.0 - outer_part) * part); }, residual);
  both.residual = std::max(both.residual, first.residual);
  both.iterations += first.iterations;
  both.newton_steps += first.newton_steps;
  return both;
}

}  // namespace ionwell
