// SPDX-License-Identifier: BSD-3-Clause
#include "bench/pb_accuracy.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

#include "electrostatics/poisson_boltzmann/model/lattice_face.hpp"
#include "electrostatics/poisson_boltzmann/model/pb_model.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_solver.hpp"

namespace ionwell {
namespace {

constexpr double radius_A = 4.0, edge_A = 18.0;
constexpr double inside = 4.0, outside = water_dielectric;

/// A sphere without charge, and charges in it: two of them 1 A beneath its surface, as hydrogens are.
std::vector<Atom> sphere_with_charges() {
  std::vector<Atom> atoms(4);
  atoms[0].radius_A = radius_A;
  atoms[1].position_A = {3.0, 0.0, 0.0};
  atoms[1].charge_e = 0.5;
  atoms[2].position_A = {-1.0, 2.0, 2.0};
  atoms[2].charge_e = -1.0;
  atoms[3].position_A = {0.2, -0.7, 0.4};
  atoms[3].charge_e = -0.3;
  return atoms;
}

/// Exact potential [kT/e], without salt: outside all of it, inside what the surface adds to the charges'
/// (Kirkwood, J. Chem. Phys. 2:351, 1934).
double exact_kT_e(const std::vector<Atom>& atoms, const Vec3<double>& at) {
  const double l = coulomb_constant_kT_A(room_temperature_K), r = std::sqrt(dot(at, at));
  double sum = 0.0;
  for (const Atom& atom : atoms) {
    const double s = std::sqrt(dot(atom.position_A, atom.position_A));
    const double cosine = r * s > 0.0 ? dot(atom.position_A, at) / (r * s) : 1.0;
    double before = 0.0, legendre = 1.0;
    constexpr int terms = 150;
    for (int n = 0; n < terms; ++n) {
      const double both = n * inside + (n + 1) * outside;
      sum += atom.charge_e * l * legendre *
             (r > radius_A ? (2 * n + 1) / both * std::pow(s / r, n) / r
                           : (n + 1) * (inside - outside) / (inside * both) *
                                 std::pow(s * r / (radius_A * radius_A), n) / radius_A);
      const double next = ((2 * n + 1) * cosine * legendre - n * before) / (n + 1);
      before = legendre;
      legendre = next;
    }
  }
  return sum;
}

struct Deviation {
  double energy = 0.0;               // of solvation, relative, the largest of all offsets
  double mean = 0.0, largest = 0.0;  // of the potential, over its largest value there
};

/// Where ions go, and nearer: this far from the surface.
constexpr double nearest_A = 1.5, farthest_A = 4.5;

Deviation deviation(const PbModelOptions& options, double spacing_A, int threads) {
  const std::vector<Atom> atoms = sphere_with_charges();
  double exact_kT = 0.0;
  for (const Atom& atom : atoms) exact_kT += 0.5 * atom.charge_e * exact_kT_e(atoms, atom.position_A);
  constexpr std::array<Vec3<double>, 3> offsets{{{0.0, 0.0, 0.0}, {0.31, 0.77, 0.12}, {0.5, 0.5, 0.5}}};
  Deviation result;
  std::int64_t points = 0;
  double sum = 0.0, scale = 0.0;
  for (const Vec3<double>& offset : offsets) {
    const auto n = std::int64_t(std::lround(edge_A / spacing_A)) + 1;
    const Vec3<double> corner{0.5 * edge_A, 0.5 * edge_A, 0.5 * edge_A};
    const LatticeGeometry lattice{spacing_A * offset - corner, {spacing_A, spacing_A, spacing_A}, {n, n, n}};
    const auto solve = [&](const PbModelOptions& of, bool exact_boundary) {
      PbModel model(lattice, atoms, of, threads);
      PbSystem& system = model.system();
      if (exact_boundary)
        for_each_face(lattice, [&](const LatticeFace& face) {
          for (std::int64_t v = 0; v < face.count_v(); ++v)
            for (std::int64_t u = 0; u < face.count_u(); ++u)
              system.boundary_kT_e[std::size_t(face.index(u, v))] =
                  float(exact_kT_e(atoms, face.position_A(double(u), double(v))));
        });
      PbSolver(system, {.tolerance = 1e-6, .threads = threads}).solve();
      return model;
    };
    const PbModel model = solve(options, true);
    const std::vector<float>& potential = model.system().boundary_kT_e;
    double energy_kT = model.charge_energy_kT(potential);
    if (options.charges != ChargeAssignment::regularized) {
      PbModelOptions uniform = options;
      uniform.dielectric.solvent_dielectric = inside;
      const PbModel reference = solve(uniform, false);
      energy_kT -= reference.charge_energy_kT(reference.system().boundary_kT_e);
    }
    result.energy = std::max(result.energy, std::abs(energy_kT / exact_kT - 1.0));
    for (std::int64_t p = 0; p < lattice.size(); ++p) {
      const Vec3<double> at = lattice.position_A(p);
      const double from = std::sqrt(dot(at, at)) - radius_A;
      if (from < nearest_A || from > farthest_A) continue;
      const double exact = exact_kT_e(atoms, at), off = std::abs(double(potential[std::size_t(p)]) - exact);
      sum += off;
      scale = std::max(scale, std::abs(exact));
      result.largest = std::max(result.largest, off);
      ++points;
    }
  }
  result.mean = sum / double(points) / scale;
  result.largest /= scale;
  return result;
}

struct NamedFaces {
  const char* name;
  SoluteSurface surface;
  FaceRule faces;
};

struct NamedCharges {
  const char* name;
  ChargeAssignment charges;
};

}  // namespace

void print_pb_accuracy(const MeasureOptions& measure, std::ostream& out) {
  constexpr std::array<NamedFaces, 4> faces{
      {{"share of the segment", SoluteSurface::van_der_waals, FaceRule::inside_share},
       {"midpoint", SoluteSurface::van_der_waals, FaceRule::midpoint},
       {"averaged midpoint", SoluteSurface::van_der_waals, FaceRule::averaged_midpoint},
       {"cubic spline", SoluteSurface::cubic_spline, FaceRule::inside_share}}};
  constexpr std::array<NamedCharges, 6> all{{{"trilinear", ChargeAssignment::trilinear},
                                             {"quadratic", ChargeAssignment::quadratic},
                                             {"cubic", ChargeAssignment::cubic},
                                             {"quartic", ChargeAssignment::quartic},
                                             {"quintic", ChargeAssignment::quintic},
                                             {"regularized", ChargeAssignment::regularized}}};
  print_machine(out, measure);
  out << "a sphere of 4 A, dielectric 4 in 78.54, charges in it, exact boundary; three places of the "
         "lattice.\n"
         "Energy of solvation: largest deviation. Potential 1.5 to 4.5 A from the surface: deviation over "
         "its "
         "largest value\n\n";
  char row[200];
  std::snprintf(row, sizeof row, "%-21s %-12s %6s %12s %10s %10s", "faces", "charges", "h [A]", "energy [%]",
                "mean [%]", "largest");
  out << row << std::endl;
  for (const NamedFaces& f : faces)
    for (const double spacing_A : {1.0, 0.5})
      for (const NamedCharges& c : all) {
        if (f.faces != FaceRule::inside_share || is_smooth(f.surface))
          if (c.charges == ChargeAssignment::regularized) continue;  // which has no meaning there
        PbModelOptions options;
        options.dielectric.surface = f.surface;
        options.dielectric.faces = f.faces;
        options.dielectric.solute_dielectric = inside;
        options.charges = c.charges;
        options.ions.clear();
        const Deviation d = deviation(options, spacing_A, measure.threads);
        std::snprintf(row, sizeof row, "%-21s %-12s %6.3g %12.3f %10.4f %10.4f", f.name, c.name, spacing_A,
                      100 * d.energy, 100 * d.mean, 100 * d.largest);
        out << row << std::endl;
      }
}

}  // namespace ionwell
