// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/poisson_boltzmann/model/pb_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.hpp"
#include "electrostatics/pair_potential.hpp"
#include "electrostatics/poisson_boltzmann/large_vector.hpp"
#include "electrostatics/poisson_boltzmann/model/ball.hpp"
#include "electrostatics/poisson_boltzmann/model/lattice_face.hpp"
#include "parallel/parallel_for.hpp"

namespace ionwell {

std::vector<PointBox> points_changed_by(std::span<const Atom> atoms, const PbModelOptions& options,
                                        const LatticeGeometry& lattice) {
  std::vector<PointBox> changed;
  for (const Atom& atom : atoms)
    changed.push_back(
        joined_points(dielectric_points(options.dielectric, atom, lattice),
                      accessibility_points(options.accessibility, options.dielectric, atom, lattice)));
  return joined_where_near(std::move(changed));
}

void validate(const PbModelOptions& options) {
  validate(options.dielectric);
  validate(options.accessibility);
  check_temperature(options.temperature_K);
  if (options.charges == ChargeAssignment::regularized &&
      (is_smooth(options.dielectric.surface) || options.dielectric.faces != FaceRule::inside_share))
    fail<UsageError>(
        "regularized charges need the dielectric of the solute around each of them, but a smooth surface or "
        "averaged faces change it there; use another assignment of charges, or a sharp surface with "
        "fractional faces");
  double charge_e_M = 0.0, size_e_M = 0.0;
  for (const MobileIon& ion : options.ions) {
    if (!(ion.concentration_M >= 0.0 && std::isfinite(ion.concentration_M)))
      fail<UsageError>("the concentration of an ion of the solution is ", ion.concentration_M,
                       " mol/L (it must not be negative); correct it");
    charge_e_M += ion.charge_e * ion.concentration_M;
    size_e_M += std::abs(ion.charge_e) * ion.concentration_M;
  }
  constexpr double rounding = 1e-6;  // of concentrations that were written with few digits
  if (!(std::abs(charge_e_M) <= rounding * size_e_M))
    fail<UsageError>("the solution's ions have a charge of ", charge_e_M,
                     " e mol/L together (a solution is neutral); correct their concentrations");
}

void check_model(const PbModelOptions& options, std::span<const Atom> atoms, int threads) {
  validate(options);
  struct Radii {
    bool are_some = false, are_wrong = false;
  };
  // All are looked at, for one may have a radius that is none.
  const Radii radii = parallel_reduce(
      threads, std::ssize(atoms), Radii{},
      [&](std::int64_t first, std::int64_t last) {
        Radii here;
        for (std::int64_t n = first; n < last; ++n) {
          const double radius_A = atoms[std::size_t(n)].radius_A;
          here.are_some |= radius_A > 0.0;
          here.are_wrong |= !is_radius(radius_A);
        }
        return here;
      },
      [](const Radii& a, const Radii& b) {
        return Radii{a.are_some || b.are_some, a.are_wrong || b.are_wrong};
      });
  if (radii.are_wrong) std::for_each(atoms.begin(), atoms.end(), is_ball);
  if (!atoms.empty() && !radii.are_some)
    fail(
        "all radii in the structure are 0, so the Poisson-Boltzmann equation would have no solute; give a "
        "file with radii, for example from pdb2pqr");
}

PbModel::PbModel(const LatticeGeometry& lattice, std::span<const Atom> atoms, const PbModelOptions& options,
                 int threads, const SolventExcluded* surface, const SetCoefficients& set)
    : options_(options), atoms_(atoms.begin(), atoms.end()), threads_(threads) {
  check_model(options, atoms, threads);
  const auto points = std::size_t(lattice.size());
  system_.lattice = lattice;
  system_.ions = options.ions;
  system_.bjerrum_A = coulomb_constant_kT_A(options.temperature_K);
  const std::array arrays{&system_.eps_x,         &system_.eps_y,    &system_.eps_z,
                          &system_.accessibility, &system_.charge_e, &system_.boundary_kT_e};
  parallel_for({threads_, 1}, std::ssize(arrays),
               [&](std::int64_t n) { *arrays[std::size_t(n)] = large_vector<float>(points); });
  if (set) {
    set(options_, atoms_, threads_, &system_);
  } else {
    const PointBox all = all_points(lattice.whole());
    set_dielectric(options_.dielectric, atoms_, all, threads_, &system_, surface);
    set_accessibility(options_.accessibility, options_.dielectric, atoms_, all, threads_, &system_, surface);
  }
  if (options_.charges == ChargeAssignment::regularized)
    set_regularized_charges();
  else
    assign_charges(point_charges(atoms_), options_.charges, lattice, &system_.charge_e);
  add_boundary(atoms_);
}

std::vector<PointBox> PbModel::add(std::span<const Atom> added) {
  atoms_.insert(atoms_.end(), added.begin(), added.end());
  const std::vector<PointBox> changed = points_changed_by(added, options_, system_.lattice.whole());
  for (const PointBox& box : changed) {
    set_dielectric(options_.dielectric, atoms_, box, threads_, &system_);
    set_accessibility(options_.accessibility, options_.dielectric, atoms_, box, threads_, &system_);
  }
  if (options_.charges == ChargeAssignment::regularized)
    set_regularized_charges();
  else
    assign_charges(point_charges(added), options_.charges, system_.lattice, &system_.charge_e);
  add_boundary(added);
  return changed;
}

void PbModel::add_boundary(std::span<const Atom> of) {
  BoundaryOptions boundary;
  boundary.solute_dielectric = options_.dielectric.solute_dielectric;
  boundary.solvent_dielectric = options_.dielectric.solvent_dielectric;
  boundary.threads = threads_;
  switch (options_.boundary) {
    case BoundaryKind::single_debye_hueckel: {
      // One ball for all atoms: it is another one with every atom.
      for_each_face(system_.lattice, [&](const LatticeFace& face) {
        for (std::int64_t v = face.first_v(); v < face.end_v(); ++v)
          for (std::int64_t u = 0; u < face.count_u(); ++u)
            system_.boundary_kT_e[std::size_t(face.index(u, v))] = 0.0f;
      });
      add_single_debye_hueckel(atoms_, boundary, &system_);
      break;
    }
    case BoundaryKind::multiple_debye_hueckel:
      add_multiple_debye_hueckel(of, boundary, &system_);
      break;
    case BoundaryKind::zero:
    case BoundaryKind::focused:
      break;
  }
}

void PbModel::set_regularized_charges() {
  regularized_.emplace(atoms_, options_.dielectric.solute_dielectric, system_.lattice);
  regularized_->set_charges(threads_, &system_);
}

double PbModel::charge_energy_kT(std::span<const float> solution_kT_e) const {
  double sum = 0.0;
  for (const Atom& atom : atoms_)
    if (atom.charge_e != 0.0)
      sum += atom.charge_e *
             assigned_potential(solution_kT_e, system_.lattice, atom.position_A, options_.charges);
  return 0.5 * sum;
}

}  // namespace ionwell
