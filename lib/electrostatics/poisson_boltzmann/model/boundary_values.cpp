// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/poisson_boltzmann/model/boundary_values.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <vector>

#include "core/error.hpp"
#include "core/units.hpp"
#include "electrostatics/open_sum.hpp"
#include "electrostatics/poisson_boltzmann/model/boundary_places.hpp"
#include "electrostatics/poisson_boltzmann/model/distant_charges.hpp"
#include "electrostatics/poisson_boltzmann/model/lattice_face.hpp"
#include "parallel/parallel_for.hpp"

namespace ionwell {
namespace {

using std::numbers::pi;

/// A potential at some positions, in fp64: summed over all charges, or over groups of them.
std::vector<double> potential_at(std::span<const Vec3<double>> positions_A, const PairPotential& pair,
                                 std::span<const PointCharge> charges, const DistantCharges* groups,
                                 int threads) {
  if (groups == nullptr) return open_potential(pair, charges, positions_A, {.threads = threads}, {});
  std::vector<double> potential_kT_e(positions_A.size());
  parallel_for({threads, 64}, std::ssize(positions_A), [&](std::int64_t n) {
    potential_kT_e[std::size_t(n)] = groups->potential_kT_e(positions_A[std::size_t(n)]);
  });
  return potential_kT_e;
}

/// Sums a potential on one face and adds it to the points of it that are here; with `groups`, to what
/// accuracy they have.
void add_to_face(const LatticeFace& face, const PairPotential& pair, std::span<const PointCharge> charges,
                 const DistantCharges* groups, int threads, PbSystem* system) {
  const std::int64_t first_v = face.first_v(), end_v = face.end_v();
  if (first_v >= end_v) return;
  double distance_A = groups == nullptr ? 0.0 : std::numeric_limits<double>::infinity();
  for (const PointCharge& charge : charges)
    distance_A = std::min(distance_A, std::abs(face.height_A(charge.position_A)));
  const std::vector<double> u = places_along(face.count_u(), face.spacing_u_A(), distance_A),
                            v = places_along(face.count_v(), face.spacing_v_A(), distance_A);
  const bool all_u = std::ssize(u) == face.count_u(), all_v = std::ssize(v) == face.count_v();
  std::vector<CubicWeights> along_u, along_v;  // those of v from first_v on
  for (std::int64_t a = 0; a < face.count_u(); ++a)
    along_u.push_back(all_u ? CubicWeights{a, {1.0}} : cubic_weights(double(a), u));
  for (std::int64_t b = first_v; b < end_v; ++b)
    along_v.push_back(all_v ? CubicWeights{b, {1.0}} : cubic_weights(double(b), v));
  const std::size_t first_place = std::size_t(along_v.front().first),
                    end_place = std::size_t(along_v.back().first) + (all_v ? 1 : 4);
  std::vector<Vec3<double>> positions_A;
  for (std::size_t d = first_place; d < end_place; ++d)
    for (const double x : u) positions_A.push_back(face.position_A(x, v[d]));
  const std::vector<double> sums = potential_at(positions_A, pair, charges, groups, threads);
  for (std::int64_t b = first_v; b < end_v; ++b)
    for (std::int64_t a = 0; a < face.count_u(); ++a) {
      if (!face.owns(a, b)) continue;
      const CubicWeights& x = along_u[std::size_t(a)];
      const CubicWeights& y = along_v[std::size_t(b - first_v)];
      double sum = 0.0;
      for (std::size_t d = 0; d < (all_v ? 1 : 4); ++d)
        for (std::size_t c = 0; c < (all_u ? 1 : 4); ++c)
          sum += y.weight[d] * x.weight[c] *
                 sums[(std::size_t(y.first) - first_place + d) * u.size() + std::size_t(x.first) + c];
      system->boundary_kT_e[std::size_t(face.index(a, b))] += float(sum);
    }
}

/// Along one axis: the two points of a lattice that a place lies between, and its part of the way.
struct PointsBeside {
  std::int64_t low = 0, high = 0;
  double part = 0.0;

  std::int64_t point(bool is_high) const { return is_high ? high : low; }
  double weight(bool is_high) const { return is_high ? part : 1.0 - part; }
};

std::array<double, 3> place_in(const LatticeGeometry& lattice, const Vec3<double>& at_A) {
  const Vec3<double> r = at_A - lattice.origin_A;
  return {r.x / lattice.spacing_A.x, r.y / lattice.spacing_A.y, r.z / lattice.spacing_A.z};
}

std::array<std::int64_t, 3> whole_counts(const LatticeGeometry& lattice) {
  const Vec3<std::int64_t> counts = lattice.whole().counts;
  return {counts.x, counts.y, counts.z};
}

/// In the whole lattice; of a place outside, those at its end.
std::array<PointsBeside, 3> points_beside(const LatticeGeometry& lattice, const Vec3<double>& at_A) {
  const std::array<double, 3> place = place_in(lattice, at_A);
  const std::array<std::int64_t, 3> counts = whole_counts(lattice);
  std::array<PointsBeside, 3> beside{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    PointsBeside& points = beside[axis];
    const double inner = std::clamp(place[axis], 0.0, double(counts[axis] - 1));
    points.low = std::min(std::int64_t(inner), std::max<std::int64_t>(0, counts[axis] - 2));
    points.high = std::min(points.low + 1, counts[axis] - 1);
    points.part = inner - double(points.low);
  }
  return beside;
}

void check_lies_around(const LatticeGeometry& coarse, const Vec3<double>& at_A) {
  constexpr double rounding = 1e-6;  // of a spacing
  const std::array<double, 3> place = place_in(coarse, at_A);
  const std::array<std::int64_t, 3> counts = whole_counts(coarse);
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (!(place[axis] >= -rounding && place[axis] <= double(counts[axis] - 1) + rounding))
      fail("a boundary point at (", at_A.x, ", ", at_A.y, ", ", at_A.z,
           ") A is outside the larger lattice that gives it its values; make that lattice larger");
}

}  // namespace

void check_lies_around(const LatticeGeometry& coarse, const LatticeGeometry& lattice) {
  const LatticeGeometry all = lattice.whole();
  check_lies_around(coarse, all.position_A(0, 0, 0));
  check_lies_around(coarse, all.position_A(all.counts.x - 1, all.counts.y - 1, all.counts.z - 1));
}

double inverse_debye_length_per_A(const PbSystem& system, double solvent_dielectric) {
  constexpr double per_A3_and_M = 1e-27 * avogadro_per_mol;
  double sum = 0.0;
  for (const MobileIon& ion : system.ions) sum += ion.concentration_M * ion.charge_e * ion.charge_e;
  return std::sqrt(4.0 * pi * system.bjerrum_A / solvent_dielectric * per_A3_and_M * sum);
}

void add_single_debye_hueckel(std::span<const Atom> atoms, const BoundaryOptions& options, PbSystem* system) {
  if (atoms.empty()) return;
  const Box box = bounding_box(atoms);
  const Vec3<double> centre = 0.5 * (box.lowest_A + box.highest_A);
  double charge_e = 0.0, a = 0.0;  // a: the ball's radius
  Vec3<double> dipole_eA;
  std::array<Vec3<double>, 3> quadrupole_eA2{};  // sum of q r r, by rows
  for (const Atom& atom : atoms) {
    const Vec3<double> r = atom.position_A - centre, qr = atom.charge_e * r;
    charge_e += atom.charge_e;
    dipole_eA = dipole_eA + qr;
    quadrupole_eA2[0] = quadrupole_eA2[0] + qr.x * r;
    quadrupole_eA2[1] = quadrupole_eA2[1] + qr.y * r;
    quadrupole_eA2[2] = quadrupole_eA2[2] + qr.z * r;
    a = std::max(a, std::sqrt(dot(r, r)) + atom.radius_A);
  }
  const double inside = options.solute_dielectric, outside = options.solvent_dielectric;
  const double kappa = inverse_debye_length_per_A(*system, outside), x = kappa * a;
  // Multipole n leaves the ball as r^-(n+1) e_n(kappa r) exp(-kappa r), with e_0 = 1, e_1 = 1 + x,
  // e_2 = 3 + 3 x + x^2; its slope there, times -a and divided by it, is `fall`.
  const std::array<double, 3> e{1.0, 1.0 + x, 3.0 + 3.0 * x + x * x};
  const std::array<double, 3> fall{1.0 + x, (2.0 + 2.0 * x + x * x) / e[1],
                                   (9.0 + 9.0 * x + 4.0 * x * x + x * x * x) / e[2]};
  std::array<double, 3> part{};
  for (std::size_t n = 0; n < 3; ++n)
    part[n] = system->bjerrum_A * double(2 * n + 1) / (inside * double(n) + outside * fall[n]) / e[n];
  for_each_face(system->lattice, [&](const LatticeFace& face) {
    parallel_for({options.threads}, face.end_v() - face.first_v(), [&](std::int64_t place) {
      const std::int64_t v = face.first_v() + place;
      for (std::int64_t u = 0; u < face.count_u(); ++u) {
        if (!face.owns(u, v)) continue;
        const Vec3<double> r = face.position_A(double(u), double(v)) - centre;
        const double d = std::max(std::sqrt(dot(r, r)), smallest_distance_A), y = kappa * d;
        const Vec3<double> n = 1.0 / d * r;
        const double dipole = dot(dipole_eA, n);
        const double trace = quadrupole_eA2[0].x + quadrupole_eA2[1].y + quadrupole_eA2[2].z;
        const Vec3<double> row{dot(quadrupole_eA2[0], n), dot(quadrupole_eA2[1], n),
                               dot(quadrupole_eA2[2], n)};
        const double quadrupole = 1.5 * dot(row, n) - 0.5 * trace;
        const double sum = part[0] * charge_e + part[1] * (1.0 + y) * dipole / d +
                           part[2] * (3.0 + 3.0 * y + y * y) * quadrupole / (d * d);
        system->boundary_kT_e[std::size_t(face.index(u, v))] += float(std::exp(-kappa * (d - a)) / d * sum);
      }
    });
  });
}

void add_multiple_debye_hueckel(std::span<const Atom> atoms, const BoundaryOptions& options,
                                PbSystem* system) {
  const double kappa = inverse_debye_length_per_A(*system, options.solvent_dielectric);
  std::vector<PointCharge> charges;
  for (const Atom& atom : atoms)
    if (atom.charge_e != 0.0)
      charges.push_back(
          {atom.position_A, atom.charge_e * std::exp(kappa * atom.radius_A) / (1.0 + kappa * atom.radius_A)});
  if (charges.empty()) return;
  const PairPotential pair{
      .kind = kappa > 0.0 ? PairPotential::Kind::debye_hueckel : PairPotential::Kind::coulomb,
      .prefactor = system->bjerrum_A / options.solvent_dielectric,
      .kappa_per_A = kappa};
  double points = 0.0;
  for_each_face(system->lattice,
                [&](const LatticeFace& face) { points += double(face.count_u()) * double(face.count_v()); });
  std::optional<DistantCharges> groups;
  if (points * double(charges.size()) > options.most_terms) groups.emplace(pair, charges);
  for_each_face(system->lattice, [&](const LatticeFace& face) {
    add_to_face(face, pair, charges, groups ? &*groups : nullptr, options.threads, system);
  });
}

void set_focused_boundary(const LatticeGeometry& coarse, std::span<const float> potential_kT_e, int threads,
                          PbSystem* system) {
  check_lies_around(coarse, system->lattice);
  for_each_face(system->lattice, [&](const LatticeFace& face) {
    const std::int64_t rows = std::max<std::int64_t>(0, face.end_v() - face.first_v());
    parallel_for({threads, 8}, rows, [&](std::int64_t n) {
      const std::int64_t b = face.first_v() + n;
      for (std::int64_t a = 0; a < face.count_u(); ++a) {
        if (!face.owns(a, b)) continue;
        const std::array<PointsBeside, 3> beside =
            points_beside(coarse, face.position_A(double(a), double(b)));
        double sum = 0.0;
        for (int corner = 0; corner < 8; ++corner) {
          const bool x = corner & 1, y = corner & 2, z = corner & 4;
          const double weight = beside[0].weight(x) * beside[1].weight(y) * beside[2].weight(z);
          if (weight == 0.0) continue;
          const std::int64_t at =
              coarse.index(beside[0].point(x), beside[1].point(y), beside[2].point(z) - coarse.first_plane);
          sum += weight * double(potential_kT_e[std::size_t(at)]);
        }
        system->boundary_kT_e[std::size_t(face.index(a, b))] = float(sum);
      }
    });
  });
}

PlaneSpan planes_to_focus_from(const LatticeGeometry& coarse, const LatticeGeometry& slab) {
  if (slab.counts.z == 0) return {};
  const PointsBeside first = points_beside(coarse, slab.position_A(0, 0, 0))[2],
                     last = points_beside(coarse, slab.position_A(0, 0, slab.counts.z - 1))[2];
  return {int(first.low), int(last.high) + 1};
}

}  // namespace ionwell
